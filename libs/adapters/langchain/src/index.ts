export { guardedModel } from './guarded-model.js';
export {
  guardedTools,
  toolsForApprovals,
  type CallConfig,
  type GuardedToolOptions,
  type GuardrailsInterrupt,
} from './guarded-tools.js';
export { guardrailsMiddleware, type MiddlewareOptions } from './guardrails-middleware.js';
export { resumedMessage } from './resumed-message.js';
