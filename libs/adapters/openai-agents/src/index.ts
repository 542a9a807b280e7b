export type { GuardedResult } from '#adapters/shared/guarded-call.js';
export { guardedModel } from './guarded-model.js';
export {
  guardedTools,
  type GuardedToolsOptions,
  resumedMessage,
  toolsForApprovals,
} from './guarded-tools.js';
export { promptGuardrail, type PromptGuardrailOptions } from './prompt-guardrail.js';
