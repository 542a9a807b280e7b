export {
  type LabelledText,
  type NewReview,
  type Review,
  type ReviewCount,
  ReviewStore,
} from './audit/review.store.js';
export {
  type ApprovalChange,
  type ApprovalCommand,
  type ApprovalFilter,
  type ApprovalRow,
  ApprovalStore,
  BudgetStore,
  type BuildEvidence,
  type ReminderKind,
  type StuckKind,
} from './stores/approvals.store.js';
export {
  type Approval,
  type ApprovalNotice,
  ApprovalNotifier,
  type ApprovalStatus,
  type ApprovalSummary,
  type ApprovalVote,
  ApproverGroups,
  type NewApproval,
  type Resolution,
  type RunEnd,
} from './approvals/approvals.js';
export type { AuditEntry, Content, Decision, Evidence, ExportedEntry } from './audit/record.js';
export { type AuditNeighbors, AuditStore, type CommitFigures, type ExportSlice } from './audit/store.js';
export type { AuditFilter } from './audit/filter.js';
export type { TrendPoint, TrendSeries } from './audit/counts.js';
export { Clock } from './common/clock.js';
export { ConfigurationError } from './common/errors.js';
export { EventPublisher, GuardrailsEvent } from './events/guardrails-event.js';
export {
  FirewallStore,
  type NewRejection,
  type Rejection,
  type RejectionFilter,
  type Tool,
  ToolAuthorizer,
  type ToolContext,
} from './firewall/firewall.js';
export type { Hold, HoldRelease, NewHold } from './retention/holds.js';
export {
  type NumberedEvent,
  OutboxStore,
  type OutgoingEvent,
  type QueuedEvent,
  type SinkBacklog,
  type StoredEvent,
} from './events/outbox.js';
export { Detector, type Finding, type OutputCount, OutputStore } from './output/output.js';
export { type Activity, OverviewStore, type RuleHits } from './overview/overview.js';
export type { Page, PageRequest, TimeWindow } from './common/page.js';
export { type HeldRun, HoldStore, RetentionStore } from './stores/retention.store.js';
export type { RetentionCounts, RetentionOrder, RetentionRun } from './retention/retention.js';
export { Screener, type ScreenerJudgement, type ScreeningContext } from './screening/screening.js';
export { EXAMPLE_POLICIES } from './policies/example-policies.js';
export type { BudgetClaim, BudgetState, Reservation } from './approvals/budgets.js';
export type { SettingValues } from './settings/settings.schema.js';
export { type SettingsPlan, SettingsStore, type StoredOverrides } from './stores/settings.store.js';
export { DEFAULT_SETTINGS } from './settings/settings.js';
export { StoreBackend, type StoreLimits } from './stores/store-backend.js';
export type { ByteSpan } from './common/spans.js';
