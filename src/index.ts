export { GuardrailsApiModule } from './guardrails-api.module.js';
export type {
  ApiOptions,
  ControlOptions,
  GuardrailsApiAsyncOptions,
  GuardrailsApiOptions,
  GuardrailsOptions,
} from './guardrails-api.options.js';
export type { AccessEntry } from './http/access-entries.js';
export type { ActorResolver } from './http/actor.guard.js';
export { guardrailsRoute, guardrailsUrl, type GuardrailsRoute } from './http/guardrails-route.js';

export { Guardrails } from '../libs/engine/src/guardrails.js';
export { memoryStores } from '../libs/stores/memory/src/memory-stores.js';

export { ApprovalNotifier, type ApprovalNotice } from '../libs/contracts/src/approvals.js';
export type { ApprovalOutcome, OutcomeHandler } from '../libs/contracts/src/approvals.js';
export type { Actor } from './http/claim.js';
export type { RouteName } from '../libs/contracts/src/api/api.routes.js';
export { Clock } from '../libs/contracts/src/clock.js';
export type { ControlKey, ModeName, Outcome } from '../libs/contracts/src/control-mode.js';
export {
  ApprovalDecided,
  ApprovalExecuted,
  ApprovalExpired,
  ApprovalFailed,
  ApprovalOutcomeUnknown,
  ApprovalSuperseded,
  DecisionMade,
  InjectionBlocked,
  InjectionObserved,
  OutputClean,
  OutputSanitized,
  PromptAllowed,
  ToolAllowed,
  ToolDenied,
  ToolParked,
  ToolRejected,
  ToolWouldPark,
  type DecisionEventName,
  type DecisionFacts,
} from '../libs/contracts/src/events.js';
export { ConfigurationError, GuardrailsError, type ErrorCode } from '../libs/contracts/src/errors.js';
export {
  DeliveryError,
  EventSink,
  type EventContent,
  type DeliveredEvent,
} from '../libs/contracts/src/event-sink.js';
export {
  RetentionApplied,
  SettingsChanged,
  SinkTested,
  EventsReplayed,
  StoreUnavailable,
  type EventName,
} from '../libs/contracts/src/events.js';
export {
  ToolAuthorizer,
  type GuardedTool,
  type JsonSchema,
  type Tool,
  type ToolArguments,
  type ToolCallOutcome,
  type ToolContext,
  type ToolRun,
} from '../libs/contracts/src/firewall.js';
export { GuardrailsEvent } from '../libs/contracts/src/events.js';
export {
  Detector,
  type Finding,
  type OutputContext,
  type SanitizedOutput,
} from '../libs/contracts/src/output.js';
export { Screener, type ScreeningContext, type ScreeningVerdict } from '../libs/contracts/src/screening.js';
export type { SettingKey } from '../libs/contracts/src/settings/settings.schema.js';
export type { SettingChange } from '../libs/contracts/src/settings/settings.js';
export type { Span } from '../libs/contracts/src/text.js';
export { StoreBackend } from '../libs/contracts/src/store-backend.js';
