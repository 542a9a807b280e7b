/** What has no class of its own to be injected by. */
export const API_OPTIONS = Symbol('nest-guardrails api options');
export const API_CONFIGURATION = Symbol('nest-guardrails api configuration');
export const GUARDRAILS_OPTIONS = Symbol('nest-guardrails options');
