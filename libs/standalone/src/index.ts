export { createEngine } from '#engine/create-engine.js';
export type { Engine } from '#engine/create-engine.js';
export type { EngineOptions } from '#engine/start/engine-options.js';
export {
  Approvals,
  type ApprovalDecision,
  type ApprovalProposal,
  type ApprovalResolution,
} from '#engine/controls/approvals/approvals.js';
export { Guardrails } from '#engine/guardrails.js';
export { Diagnostics } from '#engine/shared/ports.js';
export { defineTool } from '#contracts/firewall/firewall.js';
export { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
export { memoryStores } from '#stores/memory/memory-stores.js';
export { type RunningEngine, startEngine, type StartOptions } from './start-engine.js';
