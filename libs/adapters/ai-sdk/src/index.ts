export type { GuardedResult } from '#adapters/shared/guarded-call.js';
export { approvalResponses } from './approval-responses.js';
export { guardedTools, type GuardedToolsOptions, toolsForApprovals } from './guarded-tools.js';
export { guardrailsMiddleware, type MiddlewareOptions } from './guardrails-middleware.js';
export { resumedMessage } from './resumed-message.js';
