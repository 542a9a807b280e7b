export type { GuardedResult } from '#adapters/shared/guarded-call.js';
export { guardedTools, toolsForApprovals } from './guarded-tools.js';
export { guardrailsMiddleware, type MiddlewareOptions } from './guardrails-middleware.js';
export { resumedMessage } from './resumed-message.js';
