export { guardedTools, type GuardedToolsOptions, toolsForApprovals } from './guarded-tools.js';
export { guardrailsMiddleware, type MiddlewareOptions } from './guardrails-middleware.js';
export { approvalResponses, resumedMessage } from './guarded-tools.js';
