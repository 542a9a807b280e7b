export {
  API_ROUTES,
  type ApiRoute,
  type Envelope,
  type ErrorData,
  ROUTE_KEYS,
  type RouteKey,
  routeName,
  type RouteName,
} from './api/api.routes.js';
export type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalFacts,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalResolutionData,
  PendingApproval,
} from './api/approvals.responses.js';
export type {
  AuditDetailData,
  AuditFacts,
  AuditListData,
  AuditListItem,
  AuditTrendData,
  EventData,
  EventReplayData,
  EventSinksData,
  EventTestData,
  FirewallListData,
  OutputStatsData,
  OverviewData,
  RuleListData,
  SettingsChangesData,
  SettingsData,
  SettingsUpdateData,
  TrySanitizeData,
  TryScreenData,
} from './api/responses.js';
export {
  type ApprovalFilter,
  ApprovalStore,
  type BuildEvidence,
  type ClaimCommand,
  type DecideCommand,
  type DecideResult,
  type ResolveCommand,
  type StuckKind,
} from './approvals.store.js';
export {
  type Approval,
  type ApprovalId,
  type ApprovalNotice,
  ApprovalNotifier,
  type ApprovalOutcome,
  type ApprovalStatus,
  type ApprovalSummary,
  type ApprovalVerdict,
  type NewApproval,
  type OutcomeHandler,
  type OutcomeStatus,
  type Resolution,
  type RunEnd,
  type RunResult,
} from './approvals.js';
export {
  type AuditEntry,
  type AuditFilter,
  type AuditListEntry,
  AuditStore,
  type CommitFigures,
  type Commitments,
  type Content,
  type Decision,
  type Evidence,
  type TrendPoint,
} from './audit.js';
export { type PromptStorage } from './text.js';
export { Clock } from './clock.js';
export { CONTROL_KEYS, type ControlKey, ControlMode, type ModeName, type Outcome } from './control-mode.js';
export { ConfigurationError, type ErrorCode, type FieldErrors, GuardrailsError } from './errors.js';
export {
  type DeliveredEvent,
  DeliveryError,
  type DeliveryFacts,
  type EventContent,
  EventSink,
} from './event-sink.js';
export {
  ApprovalDecided,
  ApprovalExecuted,
  ApprovalExpired,
  ApprovalFailed,
  ApprovalOutcomeUnknown,
  ApprovalSuperseded,
  type DecisionEventName,
  type DecisionFacts,
  DecisionMade,
  type EventName,
  EventPublisher,
  EVENTS,
  EventsReplayed,
  GuardrailsEvent,
  InjectionBlocked,
  InjectionObserved,
  OutputClean,
  OutputSanitized,
  PromptAllowed,
  RetentionApplied,
  SettingsChanged,
  SinkTested,
  StoreUnavailable,
  ToolAllowed,
  ToolDenied,
  ToolParked,
  ToolRejected,
  ToolWouldPark,
} from './events.js';
export {
  type AbortSignalLike,
  FirewallStore,
  type GuardedTool,
  type JsonSchema,
  type NewRejection,
  type ParkedCall,
  type Rejection,
  type RejectionFilter,
  type StandardSchema,
  type Tool,
  type ToolArguments,
  ToolAuthorizer,
  type ToolCallOutcome,
  type ToolContext,
  type ToolParameters,
  type ToolRun,
} from './firewall.js';
export {
  type NumberedEvent,
  OutboxStore,
  type OutgoingEvent,
  type QueuedEvent,
  type SinkBacklog,
  type StoredEvent,
} from './outbox.js';
export {
  Detector,
  type Finding,
  OUTPUT_KINDS,
  type OutputCount,
  type OutputKind,
  OutputStore,
  type Rendering,
  RENDERINGS,
  type SanitizedOutput,
  type SanitizedStructure,
  type StructureFinding,
} from './output.js';
export { type Activity, type ControlActivity, OverviewStore, type RulesetActivity } from './overview.js';
export type { Page, PageRequest, TimeWindow } from './page.js';
export { type HeldRun, RetentionStore } from './retention.store.js';
export {
  NOTHING_RETAINED,
  type RecordedScope,
  RETENTION_PARTS,
  RETENTION_STRATEGIES,
  type RetentionCounts,
  type RetentionOrder,
  type RetentionPart,
  type RetentionRun,
  type RetentionScope,
  type RetentionStrategy,
} from './retention.js';
export {
  type DecisionContext,
  type DecisionRecord,
  type MatchedRule,
  type Origin,
  type RuleSource,
  Screener,
  type ScreeningContext,
  type ScreeningVerdict,
  type Severity,
} from './screening.js';
export { type Environment, readSettingsInput, settingFromEnvironment } from './settings/settings-input.js';
export {
  environmentName,
  SETTING_KEYS,
  type SettingDefinition,
  type SettingKey,
  SETTINGS_SCHEMA,
  type SettingValue,
  type SettingValues,
} from './settings/settings.schema.js';
export {
  type SettingChangeRecord,
  type SettingsPlan,
  SettingsStore,
  type StoredOverrides,
} from './settings/settings.store.js';
export { DEFAULT_SETTINGS, type SettingChange, Settings } from './settings/settings.js';
export { StoreBackend, type StoreLimits } from './store-backend.js';
export type { Span } from './text.js';
