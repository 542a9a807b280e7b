export { GuardrailsApiModule } from './guardrails-api.module.js';
export type {
  ApiOptions,
  ControlOptions,
  GuardrailsApiAsyncOptions,
  GuardrailsApiOptions,
  GuardrailsOptions,
  PanelOptions,
  Principal,
  PrincipalResolver,
} from './options/guardrails-api.options.js';
export { GuardedTool, type GuardedToolOptions } from './decorators/guarded-tool.decorator.js';
export { CallerTools, GuardedTools } from './decorators/guarded-tools.js';
export { SanitizeOutput, type SanitizeOutputOptions } from './decorators/sanitize-output.decorator.js';
export { ScreenPrompt, type PromptField } from './decorators/screen-prompt.decorator.js';
export { GuardrailsHealthIndicator, type GuardrailsHealth } from './health/guardrails-health.indicator.js';
export type { AccessEntry } from './http/access.guard.js';
export type { ActorResolver } from './http/actor.guard.js';
export type { PermissionResolver, PermittedRoute } from './me/me.controller.js';
export { ApiKeyGuard, permitsByRole, type Role } from './http/api-key.guard.js';
export { guardrailsRoute, type GuardrailsRoute, type RequestedApproval } from './http/api-request.js';
export { guardrailsUrl } from './http/routes.js';

export {
  Approvals,
  type ApprovalDecision,
  type ApprovalProposal,
  type ApprovalResolution,
} from '#engine/controls/approvals/approvals.js';
export { Guardrails } from '#engine/guardrails.js';
export { memoryStores } from '#stores/memory/memory-stores.js';

export { ApprovalNotifier, type ApprovalNotice, ApproverGroups } from '#contracts/approvals/approvals.js';
export type { ApprovalOutcome, OutcomeHandler } from '#contracts/approvals/approvals.js';
export type { Actor } from './http/api-request.js';
export type { RouteName } from '#contracts/api/api.routes.js';
export { Clock } from '#contracts/common/clock.js';
export type { ControlKey, ModeName, Outcome } from '#contracts/common/control-mode.js';
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
  type DecisionFacts,
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
  ToolParked,
  ToolRejected,
  ToolWouldPark,
} from '#contracts/events/decision-events.js';
export { ConfigurationError, GuardrailsError, HeldError, type ErrorCode } from '#contracts/common/errors.js';
export {
  DeliveryError,
  EventSink,
  type EventContent,
  type DeliveredEvent,
} from '#contracts/events/event-sink.js';
export { type EventName } from '#contracts/events/events.js';
export {
  AuditCheckpointed,
  AuditExported,
  EventsReplayed,
  type ExportFacts,
  HoldReleased,
  HoldSet,
  type ReplayScope,
  RetentionApplied,
  SettingsChanged,
  SinkTested,
  StoreUnavailable,
} from '#contracts/events/operation-events.js';
export {
  defineTool,
  ToolAuthorizer,
  type JsonSchema,
  type Tool,
  type ToolArguments,
  type ToolCallOutcome,
  type ToolContext,
  type ToolRun,
} from '#contracts/firewall/firewall.js';
export { GuardrailsEvent } from '#contracts/events/guardrails-event.js';
export {
  Detector,
  type Finding,
  type OutputContext,
  type SanitizedOutput,
} from '#contracts/output/output.js';
export {
  Screener,
  type ScreenerJudgement,
  type ScreeningContext,
  type ScreeningVerdict,
} from '#contracts/screening/screening.js';
export type { SettingKey } from '#contracts/settings/settings.schema.js';
export type { SettingChange } from '#contracts/settings/settings.js';
export type { Hold } from '#contracts/retention/holds.js';
export type { Span } from '#contracts/common/text.js';
export { StoreBackend } from '#contracts/stores/store-backend.js';
