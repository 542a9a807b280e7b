export {
  type LabelledText,
  type NewReview,
  type Review,
  type ReviewCount,
  type ReviewFilter,
  ReviewStore,
  type ReviewVerdict,
} from './audit/review.store.js';
export {
  type ApprovalFilter,
  type CallFilter,
  ApprovalStore,
  type BuildEvidence,
  type ClaimCommand,
  type DecideCommand,
  type DecideResult,
  type NewVote,
  type ProposeCommand,
  type ReminderKind,
  type ResolveCommand,
  type StuckKind,
} from './stores/approvals.store.js';
export {
  type Approval,
  type ApprovalId,
  type ApprovalNotice,
  ApprovalNotifier,
  type ApprovalOutcome,
  type ApprovalRequirement,
  type ApprovalStatus,
  type ApprovalStep,
  type ApprovalSummary,
  type ApprovalVerdict,
  type ApprovalVote,
  ApproverGroups,
  type NewApproval,
  type NoticeOccasion,
  ONE_APPROVER,
  type OverwrittenArgument,
  type OutcomeHandler,
  type OutcomeStatus,
  type Resolution,
  type RunEnd,
  type RunResult,
} from './approvals/approvals.js';
export {
  type AuditEntry,
  type Commitments,
  type Content,
  type DecidedCall,
  type RecordedText,
  type Decision,
  type Evidence,
  type ExportedEntry,
  type RowPlace,
} from './audit/record.js';
export {
  type AuditNeighbors,
  AuditStore,
  type CommitFigures,
  type ExportRange,
  type ExportSlice,
} from './audit/store.js';
export { type AuditFilter, type TrendBucket, type TrendGroup } from './audit/filter.js';
export { type AuditListItem } from './audit/entry.js';
export { MAX_TREND_SERIES, type TrendPoint, type TrendSeries } from './audit/counts.js';
export { type PromptStorage } from './common/text.js';
export { Clock } from './common/clock.js';
export {
  CONTROL_KEYS,
  type ControlKey,
  ControlMode,
  type ModeName,
  type Outcome,
} from './common/control-mode.js';
export {
  ConfigurationError,
  type ErrorCode,
  type FieldErrors,
  GuardrailsError,
  HeldError,
} from './common/errors.js';
export {
  type DeliveredEvent,
  DeliveryError,
  type DeliveryFacts,
  type EventContent,
  EventSink,
} from './events/event-sink.js';
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
} from './events/decision-events.js';
export { type EventName, EVENTS } from './events/events.js';
export { EventPublisher, GuardrailsEvent } from './events/guardrails-event.js';
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
} from './events/operation-events.js';
export {
  type AbortSignalLike,
  FirewallStore,
  type GuardedTool,
  type GuardOptions,
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
} from './firewall/firewall.js';
export { HoldStore } from './stores/holds.store.js';
export {
  type Hold,
  type HoldRelease,
  type HoldScope,
  type NewHold,
  type RecordedHoldScope,
} from './retention/holds.js';
export {
  type NumberedEvent,
  OutboxStore,
  type OutgoingEvent,
  type QueuedEvent,
  type SinkBacklog,
  type StoredEvent,
} from './events/outbox.js';
export {
  Detector,
  type Finding,
  type OutputCount,
  type OutputKind,
  OutputStore,
  type Rendering,
  RENDERINGS,
  type SanitizedOutput,
  type SanitizedStructure,
  type StructureFinding,
} from './output/output.js';
export {
  type Activity,
  type ApprovalActivity,
  type ControlActivity,
  OverviewStore,
  type RuleHits,
  type RulesetActivity,
} from './overview/overview.js';
export type { Page, PageRequest, TimeWindow } from './common/page.js';
export { type HeldRun, RetentionStore } from './stores/retention.store.js';
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
} from './retention/retention.js';
export {
  type DecisionContext,
  type DecisionRecord,
  type MatchedRule,
  type MentionForm,
  type Origin,
  Screener,
  type ScreenerJudgement,
  type ScreeningContext,
  type ScreeningVerdict,
  type Severity,
} from './screening/screening.js';
export { BudgetStore } from './stores/budgets.store.js';
export {
  type BudgetClaim,
  type BudgetLimit,
  type BudgetState,
  LONGEST_WINDOW_MS,
  type Reservation,
} from './approvals/budgets.js';
export {
  type Comparison,
  type LimitWindow,
  type Policies,
  type PolicyConstant,
  type PolicyDemand,
  type PolicyLimit,
  type PolicyRule,
  type RequirementName,
  type ToolPolicy,
} from './policies/policies.js';
export { type Environment, readEnvironment, readSettingsInput } from './settings/settings-input.js';
export {
  definitionOf,
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
} from './stores/settings.store.js';
export { DEFAULT_SETTINGS, type SettingChange, Settings } from './settings/settings.js';
export { StoreBackend, type StoreLimits } from './stores/store-backend.js';
export { MerkleTree, type Sha256 } from './log/merkle-tree.js';
export type { Checkpoint, LogHead } from './events/checkpoints.js';
export {
  leafText,
  TransparencyLog,
  type Leaf,
  type LeafKind,
  type SignedHead,
} from './log/transparency-log.js';
export type { Span } from './common/text.js';
