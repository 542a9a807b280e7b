export { createEngine } from '#engine/create-engine.js';
export type { Engine, EngineOptions } from '#engine/engine.js';
export {
  Approvals,
  type ApprovalDecision,
  type ApprovalProposal,
  type ApprovalResolution,
} from '#engine/approvals/approvals.js';
export { Guardrails } from '#engine/guardrails.js';
export { Diagnostics } from '#engine/ports.js';
export { defineTool } from '#contracts/firewall.js';
export { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
export { memoryStores } from '#stores/memory/memory-stores.js';
export { type RunningEngine, startEngine, type StartOptions } from './start-engine.js';
