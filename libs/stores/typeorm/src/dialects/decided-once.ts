/** What says which call was decided about, by whom and when. */
export const DECISION =
  `id reference token_hash tool tool_fingerprint step_name run_id application policy_revision seal
  created_at expires_at decision decided_by decided_at decision_seal`.split(/\s+/);

/** What was seen when it was decided, and what only a recorded retention run erases. */
export const APPROVED = ['arguments', 'arguments_digest', 'principal_id', 'reason', 'warnings'];

const STEPS = [
  ...['approved', 'rejected', 'expired', 'superseded'].map((status) => `pending ${status}`),
  ...['executing', 'superseded'].map((status) => `approved ${status}`),
  ...['executed', 'failed', 'outcome_unknown', 'superseded'].map((status) => `executing ${status}`),
  ...['executed', 'failed'].map((status) => `outcome_unknown ${status}`),
];

/**
 * No step of an approval is taken back, so that none can be taken twice, and no call can be decided for longer than it
 * was parked for: whoever may write, and nothing more, makes nothing run again.
 */
export const FORWARD = `((new.fence >= old.fence or new.status = 'superseded') and new.expires_at <= old.expires_at and (new.status = old.status
  or concat(old.status, ' ', new.status) in (${STEPS.map((step) => `'${step}'`).join(', ')})))`;
