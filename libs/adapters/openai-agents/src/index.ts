export { guardedModel, type GuardedModelOptions } from './guarded-model.js';
export {
  guardedTools,
  resumedMessage,
  toolsForApprovals,
  type AgentTool,
  type GuardedToolsOptions,
} from './guarded-tools.js';
export { promptGuardrail, type PromptGuardrailOptions } from './prompt-guardrail.js';
