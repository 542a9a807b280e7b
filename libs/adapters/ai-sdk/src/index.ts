export { guardedTools, toolsForApprovals, type GuardedResult } from './guarded-tools.js';
export { guardrailsMiddleware, type MiddlewareOptions } from './guardrails-middleware.js';
export { resumedMessage } from './resumed-message.js';
