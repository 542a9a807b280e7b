export { createEngine, type Engine, type EngineOptions } from './create-engine.js';
export type { RecordingState } from './audit/decision-buffer.js';
export { Guardrails } from './guardrails.js';
export { Diagnostics } from './diagnostics.js';
export { ApprovalDesk } from './approvals/approval-desk.js';
export { EventRelay } from './events/event-relay.js';
export { Overview, type OverviewReading, type RulesReading } from './overview/overview.js';
export { Sandbox, type SandboxScreening } from './sandbox.js';
export { LiveSettings } from './settings/live-settings.js';
