export { GuardrailsScript, type ScriptedApproval } from './guardrails-script.js';
export { GuardrailsTestingModule, type GuardrailsTestingOptions } from './guardrails-testing.module.js';
