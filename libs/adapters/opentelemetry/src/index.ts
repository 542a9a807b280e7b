export { traceGuardrails } from './trace-guardrails.js';
