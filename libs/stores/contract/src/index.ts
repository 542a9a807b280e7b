export {
  approvalEvidence,
  decision,
  newApproval,
  newBytes,
  newDigest,
  newRejection,
  NOON,
  noonPlus,
  outgoingEvent,
  refusal,
  settingsPlan,
  unreadableEvent,
} from './builders.js';
export { describeStoreBackend } from './describe-store-backend.js';
export type { BackendHarness, Runner } from './backend-fixture.js';
