export { guardedModel, type GuardedModelOptions } from './guarded-model.js';
export {
  guardedTools,
  resumedMessage,
  toolsForApprovals,
  type GuardedToolOptions,
  type GuardrailsInterrupt,
} from './guarded-tools.js';
export { guardrailsMiddleware, type MiddlewareOptions } from './guardrails-middleware.js';
