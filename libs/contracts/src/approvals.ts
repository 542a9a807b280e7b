import type { ToolArguments } from './firewall.js';

/** How an approval can end. `outcome_unknown` may still be settled by an operator: it is told again then. */
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

/** How a run of an approved call ends. */
export type RunEnd = Exclude<OutcomeStatus, 'rejected' | 'expired' | 'superseded'>;

/** What an operator may say of a run that nobody knows the outcome of. */
export const RESOLUTIONS = ['executed', 'failed'] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

export interface NewApproval {
  /** Random and unguessable, yet no secret: the token is derived from it, and the tool gets it as its idempotency key. */
  readonly reference: string;
  /** SHA-256 of the token, hex. The token itself is in no store. */
  readonly tokenHash: string;
  /** The token for the notifier, encrypted; `null` where the token can be derived, and once it was handed over. */
  readonly encryptedToken: string | null;
  /** Keyed digest of all that is approved with the call: who changes the row without the key changes it in vain. */
  readonly callMac: string;
  readonly runId: string | null;
  readonly stepName: string;
  readonly tool: string;
  /** Fingerprint of the tool and its schema. */
  readonly toolFingerprint: string;
  /**
   * Exactly what will run: the one thing that hygiene leaves as it is, because an approver must see all of it and a
   * cleaned argument would be another call. Evidence, warnings, events and logs of the same call are clean.
   */
  readonly arguments: ToolArguments;
  /** SHA-256 of the canonical arguments (RFC 8785), hex. */
  readonly argumentsDigest: string;
  readonly reversible: boolean;
  readonly idempotent: boolean;
  readonly warnings: readonly string[];
  readonly principalId: string | null;
  readonly application: string | null;
  readonly requestId: string | null;
  readonly policyRevision: string;
  /** Expiry is this far from the store's own clock. */
  readonly ttlMs: number;
}

export interface RunResult {
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Approval extends Omit<NewApproval, 'ttlMs' | 'encryptedToken' | 'arguments'>, RunResult {
  readonly id: number;
  /** `null` once they were erased: such a call never runs. */
  readonly arguments: ToolArguments | null;
  readonly status: ApprovalStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decision: ApprovalVerdict | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /** Keyed digest of the decision: an approval that no decision of ours stands behind does not run. */
  readonly decisionMac: string | null;
  /** Which attempt at running it this is; 0 before the first. Only the holder of the present one may end the run. */
  readonly fence: number;
  /** Until when the instance that runs it is believed to be alive, by the store's clock. */
  readonly leaseUntil: Date | null;
  /** When its outcome stood; for an unknown one that was settled, when that was. */
  readonly finishedAt: Date | null;
  /** How often somebody set out to tell of its outcome. */
  readonly notifyAttempts: number;
  readonly resolvedBy: string | null;
  readonly resolvedAt: Date | null;
  readonly resolvedReason: string | null;
}

export type ApprovalId = Pick<Approval, 'id'>;

/** An approval without what may be large: as a history shows it. */
export type ApprovalSummary = Omit<Approval, 'arguments' | 'result' | 'callMac' | 'decisionMac'>;

/** What became of a parked call, for the code that waits for it: on any instance, before or after a restart. */
export interface ApprovalOutcome {
  readonly approvalId: number;
  readonly reference: string;
  readonly status: OutcomeStatus;
  readonly tool: string;
  readonly runId: string | null;
  readonly stepName: string;
  readonly principalId: string | null;
  readonly application: string | null;
  /** What the tool returned, as it is stored: secrets redacted, at most 16 KiB. */
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly decidedBy: string | null;
  /** Why, in the words of whoever decided. */
  readonly reason: string | null;
  /** What the model may be told. */
  readonly message: string;
}

/** Goes on with whatever waited. What throws, or takes longer than two minutes, is told again. */
export type OutcomeHandler = (outcome: ApprovalOutcome) => void | Promise<void>;

/** A call that waits for a human, for whoever has to be told. */
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
   * Names the approval in the routes that decide. Set under `hitl.token_delivery: out_of_band` only, and here alone:
   * send it to the approver, and keep it out of logs.
   */
  readonly token: string | null;
}

/** The deployer's way to whoever decides: an e-mail, a chat, a pager. */
export abstract class ApprovalNotifier {
  /** Called once a call is parked, never within the request. At least once: what throws is tried again. */
  abstract notify(notice: ApprovalNotice): void | Promise<void>;
}
