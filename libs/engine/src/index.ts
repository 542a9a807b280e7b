export { createEngine } from './create-engine.js';
export type { Engine, EngineOptions } from './engine.js';
export { ApprovalEditor } from './approval-editor.js';
export {
  Approvals,
  type ApprovalDecision,
  type ApprovalProposal,
  type ApprovalResolution,
} from './approvals/approvals.js';
export { ApprovalOutcomes } from './approvals/approval-outcomes.js';
export { ApprovalRecovery } from './approvals/approval-recovery.js';
export { brokenSeals } from './approvals/approval-seals.js';
export { ApprovalService } from './approvals/approval-service.js';
export { CheckpointSigner, logSeal, openCheckpoint } from './audit/checkpoint-notes.js';
export { brokenCommitments } from './audit/commitments.js';
export { DecisionCounts } from './counters.js';
export type { RecordingState } from './audit/decision-buffer.js';
export { DURATION_BOUNDS, Durations } from './counters.js';
export { EventRelay } from './events/event-relay.js';
export { Figures, type ApprovalFigures, type ScreeningDurations, type SinkFigures } from './figures.js';
export { Guardrails } from './guardrails.js';
export { Overview, type OverviewReading, type RulesReading } from './overview/overview.js';
export { partErrors } from './part-errors.js';
export { Diagnostics } from './ports.js';
export { Holds } from './retention/holds.js';
export { Retention, type RetentionListener, type RetentionOptions } from './retention/retention.js';
export { RETENTION_ACTOR, RetentionSchedule } from './retention/retention-schedule.js';
export { Sandbox } from './sandbox.js';
export { LiveSettings } from './settings/live-settings.js';
export { Tracing, type RunEnding, type ScreeningTimes, type StreamEnding, type Tracer } from './tracing.js';
export { isLongEnough, unusableSettings } from './unusable-settings.js';
export { SystemClock } from '#contracts/clock.js';
