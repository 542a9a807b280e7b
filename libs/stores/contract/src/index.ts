export {
  approvalEvidence,
  decision,
  newApproval,
  newRejection,
  NOON,
  noonPlus,
  outgoingEvent,
  refusal,
  settingsPlan,
  sha256,
  type DecisionParts,
  type SettingsPlanParts,
} from './builders.js';
export { describeStoreBackend } from './describe-store-backend.js';
export type { BackendHarness, Runner } from './harness.js';
