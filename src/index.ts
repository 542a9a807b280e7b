export { GuardrailsApiModule } from './guardrails-api.module.js';
export type {
  GuardrailsApiOptions,
  GuardrailsOptions,
  PrincipalResolver,
} from './options/guardrails-api.options.js';
export { GuardedTool } from './decorators/guarded-tool.decorator.js';
export { CallerTools, GuardedTools } from './decorators/guarded-tools.js';
export { SanitizeOutput } from './decorators/sanitize-output.decorator.js';
export { ScreenPrompt } from './decorators/screen-prompt.decorator.js';
export { GuardrailsHealthIndicator } from './health/guardrails-health.indicator.js';
export type { AccessEntry } from './http/access.guard.js';
export type { ActorResolver } from './http/actor.guard.js';
export type { PermissionResolver } from './me/me.controller.js';
export { ApiKeyGuard, permitsByRole, type Role } from './http/api-key.guard.js';
export { guardrailsRoute, type GuardrailsRoute, type RequestedApproval } from './http/api-request.js';
export { guardrailsUrl } from './http/routes.js';

export { Approvals } from '#engine/controls/approvals/approvals.js';
export { Guardrails } from '#engine/guardrails.js';
export { memoryStores } from '#stores/memory/memory-stores.js';

export { ApprovalNotifier, type ApprovalNotice, ApproverGroups } from '#contracts/approvals/approvals.js';
export type { ApprovalOutcome, OutcomeHandler } from '#contracts/approvals/approvals.js';
export type { Actor } from './http/api-request.js';
export { Clock } from '#contracts/common/clock.js';
export {
  ApprovalDecided,
  ApprovalEscalated,
  ApprovalExecuted,
  ApprovalExpired,
  ApprovalFailed,
  ApprovalOutcomeUnknown,
  ApprovalProposed,
  ApprovalReminded,
  ApprovalSuperseded,
  ApprovalVoted,
  type DecisionEventName,
  DecisionMade,
  InjectionBlocked,
  InjectionObserved,
  OutputClean,
  OutputSanitized,
  PolicyAllowed,
  PolicyDenied,
  PolicyWouldDeny,
  PromptAllowed,
  ToolAllowed,
  ToolDenied,
  ToolFrozen,
  ToolParked,
  ToolRejected,
  ToolWouldPark,
} from '#contracts/events/decision-events.js';
export { ConfigurationError, GuardrailsError, HeldError } from '#contracts/common/errors.js';
export type { EventName } from '#contracts/events/events.js';
export {
  AuditCheckpointed,
  AuditExported,
  EventsReplayed,
  FreezeChanged,
  HoldReleased,
  HoldSet,
  RetentionApplied,
  SettingsChanged,
  SinkTested,
  StoreUnavailable,
} from '#contracts/events/operation-events.js';
export {
  defineTool,
  ToolAuthorizer,
  type Tool,
  type ToolArguments,
  type ToolCallOutcome,
  type ToolContext,
  type ToolRun,
} from '#contracts/firewall/firewall.js';
export { GuardrailsEvent } from '#contracts/events/guardrails-event.js';
export { Detector, type Finding, type SanitizedOutput } from '#contracts/output/output.js';
export {
  Screener,
  type ScreenerJudgement,
  type ScreeningContext,
  type ScreeningVerdict,
} from '#contracts/screening/screening.js';
export type { Utf16Span } from '#contracts/common/spans.js';
export { StoreBackend } from '#contracts/stores/store-backend.js';
