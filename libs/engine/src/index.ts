export { createEngine, type Engine } from './create-engine.js';
export type { EngineOptions } from './start/engine-options.js';
export { ApprovalEditor } from './tools/approval-editor.js';
export {
  Approvals,
  type ApprovalDecision,
  type ApprovalProposal,
  type ApprovalResolution,
} from './controls/approvals/approvals.js';
export { ApprovalOutcomes } from './controls/approvals/approval-outcomes.js';
export { ApprovalRecovery } from './controls/approvals/approval-recovery.js';
export { brokenSeals } from './controls/approvals/approval-keys.js';
export { ApprovalService } from './controls/approvals/approval-service.js';
export { CheckpointSigner, logSeal, openCheckpoint } from './record/checkpoint-notes.js';
export { brokenCommitments } from './record/commitments.js';
export { DecisionCounts } from './shared/counters.js';
export type { RecordingState } from './record/decision-buffer.js';
export { DURATION_BOUNDS, Durations } from './shared/counters.js';
export { EventRelay } from './events/event-relay.js';
export {
  Figures,
  type ApprovalFigures,
  type ScreeningDurations,
  type SinkFigures,
} from './metrics/figures.js';
export { Guardrails } from './guardrails.js';
export { Overview, type OverviewReading, type RulesReading } from './record/overview.js';
export { partErrors } from './start/part-errors.js';
export { Diagnostics } from './shared/ports.js';
export { Freezes, liftByForce } from './settings/freezes.js';
export { Holds } from './record/holds.js';
export {
  Retention,
  RETENTION_ACTOR,
  type RetentionListener,
  type RetentionOptions,
  RetentionSchedule,
} from './record/retention.js';
export { Sandbox } from './trials/sandbox.js';
export { LiveSettings } from './settings/live-settings.js';
export {
  Tracing,
  type RunEnding,
  type ScreeningTimes,
  type StreamEnding,
  type Tracer,
} from './shared/tracing.js';
export { isLongEnough, unusableSettings } from './start/unusable-settings.js';
export { SystemClock } from '#contracts/common/clock.js';
