/** Final statuses. An operator may still resolve `outcome_unknown`; handlers are then notified again. */
export const OUTCOME_STATUSES = [
  'executed',
  'failed',
  'outcome_unknown',
  'rejected',
  'expired',
  'superseded',
] as const;

export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/**
 * pending → approved → executing → executed | failed | outcome_unknown
 * pending → rejected | expired | superseded;  approved → superseded
 */
export const APPROVAL_STATUSES = ['pending', 'approved', 'executing', ...OUTCOME_STATUSES] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type ApprovalVerdict = 'approved' | 'rejected';

/** Final statuses of a run. */
export type RunEnd = Exclude<OutcomeStatus, 'rejected' | 'expired' | 'superseded'>;

/** How an operator can resolve an unknown outcome. */
export const RESOLUTIONS = ['executed', 'failed'] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

export interface NewApproval {
  /**
   * Random and unguessable, but not secret. The token is derived from it, and the tool receives it as its
   * idempotency key.
   */
  readonly reference: string;
  /** SHA-256 of the token, hex. No store contains the token. */
  readonly tokenHash: string;
  /** The encrypted token for the notifier; `null` where the token can be derived, and after it was delivered. */
  readonly encryptedToken: string | null;
  /** MAC of everything that is approved with the call. A row that was changed without the key does not run. */
  readonly callMac: string;
  readonly runId: string | null;
  readonly stepName: string;
  readonly tool: string;
  /** Fingerprint of the tool and its schema. */
  readonly toolFingerprint: string;
  /**
   * Exactly what will run. Not redacted, unlike evidence, warnings, events and logs of the same call: the approver
   * must see all of it, and changed arguments would be another call.
   */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** SHA-256 of the canonical arguments (RFC 8785), hex. */
  readonly argumentsDigest: string;
  readonly reversible: boolean;
  readonly idempotent: boolean;
  readonly warnings: readonly string[];
  readonly principalId: string | null;
  readonly application: string | null;
  readonly requestId: string | null;
  readonly policyRevision: string;
  /** Time until expiry, by the store's clock. */
  readonly ttlMs: number;
}

export interface RunResult {
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Approval extends Omit<NewApproval, 'ttlMs' | 'encryptedToken' | 'arguments'>, RunResult {
  readonly id: number;
  /** `null` after erasure; such a call never runs. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly status: ApprovalStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decision: ApprovalVerdict | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /** MAC of the decision. An approval whose MAC does not match does not run. */
  readonly decisionMac: string | null;
  /**
   * Number of the current run attempt; 0 before the first. Only the holder of the current fence can finish the
   * run.
   */
  readonly fence: number;
  /** End of the lease of the instance that runs the call, by the store's clock. */
  readonly leaseUntil: Date | null;
  /** When the approval reached its outcome; for a resolved unknown outcome, when it was resolved. */
  readonly finishedAt: Date | null;
  /** How often notification of the outcome was attempted. */
  readonly notifyAttempts: number;
  readonly resolvedBy: string | null;
  readonly resolvedAt: Date | null;
  readonly resolvedReason: string | null;
}

export type ApprovalId = Pick<Approval, 'id'>;

/** An approval without its large fields, for history lists. */
export type ApprovalSummary = Omit<Approval, 'arguments' | 'result' | 'callMac' | 'decisionMac'>;

/** The outcome of a parked call, for the code that waits for it on any instance, before or after a restart. */
export interface ApprovalOutcome {
  readonly approvalId: number;
  readonly reference: string;
  readonly status: OutcomeStatus;
  readonly tool: string;
  readonly runId: string | null;
  readonly stepName: string;
  readonly principalId: string | null;
  readonly application: string | null;
  /** The stored result of the tool: secrets redacted, at most 16 KiB. */
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly decidedBy: string | null;
  /** The reason given with the decision. */
  readonly reason: string | null;
  /** Text for the model. */
  readonly message: string;
}

/** Continues the waiting work. A handler that throws, or takes longer than two minutes, is called again. */
export type OutcomeHandler = (outcome: ApprovalOutcome) => void | Promise<void>;

/** A call that waits for a decision, as the notifier receives it. */
export interface ApprovalNotice extends Pick<
  Approval,
  | 'reference'
  | 'tool'
  | 'arguments'
  | 'argumentsDigest'
  | 'reversible'
  | 'warnings'
  | 'principalId'
  | 'application'
  | 'runId'
  | 'stepName'
  | 'createdAt'
  | 'expiresAt'
> {
  readonly approvalId: number;
  /**
   * Names the approval in the routes that decide. Set only under `hitl.token_delivery: out_of_band`. Send it to
   * the approver, and keep it out of logs.
   */
  readonly token: string | null;
}

/** Notifies approvers through the host's channel: e-mail, chat, pager. */
export abstract class ApprovalNotifier {
  /** Called after a call was parked, outside the request. At least once: a call that throws is retried. */
  abstract notify(notice: ApprovalNotice): void | Promise<void>;
}
