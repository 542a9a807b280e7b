import type { Actor } from './actor.js';
import type { OutcomeStatus } from './approval-outcome.js';
import type { Decision } from './audit.js';
import type { ToolArguments } from './firewall.js';
import type { Page, PageRequest } from './page.js';

/**
 * pending → approved → executing → executed | failed | outcome_unknown
 * pending → rejected | expired | superseded;  approved → superseded
 */
export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'executing',
  'executed',
  'failed',
  'outcome_unknown',
  'rejected',
  'expired',
  'superseded',
] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type ApprovalVerdict = 'approved' | 'rejected';

/** How a run of an approved call ends. */
export type RunEnd = Exclude<OutcomeStatus, 'rejected' | 'expired'>;

/** What an operator may say of a run that nobody knows the outcome of. */
export const RESOLUTIONS = ['executed', 'failed'] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

export interface NewApproval {
  /** Random and unguessable, yet no secret: the token is derived from it, and the tool gets it as its idempotency key. */
  readonly reference: string;
  /** SHA-256 of the token, hex. The token itself is in no store. */
  readonly tokenHash: string;
  /** The token for the notifier, encrypted; `null` where the token can be derived, and once it was handed over. */
  readonly sealedToken: string | null;
  /** Keyed digest of all that is approved with the call: who changes the row without the key changes it in vain. */
  readonly seal: string;
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

export interface Approval extends Omit<NewApproval, 'ttlMs' | 'sealedToken' | 'arguments'>, RunResult {
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
  readonly decisionSeal: string | null;
  /** Which attempt at running it this is; 0 before the first. Only the holder of the present one may end the run. */
  readonly fence: number;
  /** Until when the instance that runs it is believed to be alive, by the store's clock. */
  readonly leaseUntil: Date | null;
  /** When its outcome stood; for an unknown one that was settled, when that was. */
  readonly finishedAt: Date | null;
  readonly resolvedBy: string | null;
  readonly resolvedAt: Date | null;
  readonly resolvedReason: string | null;
}

/** An approval without what may be large: as a history shows it. */
export type ApprovalSummary = Omit<Approval, 'arguments' | 'result' | 'seal' | 'decisionSeal'>;

export interface ApprovalFilter {
  /** Default: every one that no longer waits. */
  readonly status?: ApprovalStatus;
  readonly tool?: string;
  /** Who decided, or settled an unknown outcome. */
  readonly actor?: string;
}

/** Builds the evidence of whichever step was taken; called inside the transaction, committed with it. */
export type BuildEvidence = (approval: Approval) => Decision;

export interface DecideCommand {
  readonly verdict: ApprovalVerdict;
  readonly actor: Actor;
  readonly reason: string | null;
  readonly seal: string;
  readonly evidence: BuildEvidence;
}

export type DecideResult =
  /** This call decided. */
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** Someone decided before (or it was superseded); nothing changed. */
  | { readonly kind: 'already_decided'; readonly approval: Approval }
  /** Its time was up by the store's clock. The first caller to see it moves it to `expired`, with evidence. */
  | { readonly kind: 'expired'; readonly approval: Approval; readonly moved: boolean }
  | { readonly kind: 'unknown' };

export interface ResolveCommand {
  readonly resolution: Resolution;
  readonly actor: Actor;
  readonly reason: string;
  readonly evidence: BuildEvidence;
}

/**
 * Where an approval can be stuck, so that an instance has to see to it. `overdue`: pending, and its time is up.
 * `unrun`: approved, and nobody runs it. `lost`: executing, and the lease has run out.
 */
export const STUCK_KINDS = ['overdue', 'unrun', 'lost'] as const;

export type StuckKind = (typeof STUCK_KINDS)[number];

/**
 * Parked calls. Every transition is one compare-and-set judged by the store's own clock, commits together with its
 * evidence and outgoing events, and answers `null` where the approval was not in the state that it starts from.
 */
export abstract class ApprovalStore {
  /**
   * Parks a call together with its evidence. The same call (step, tool, arguments digest, principal and application) of
   * the same non-null run is one approval, unless that one was rejected, has failed, expired or been superseded: it is answered
   * again with `created: false`, and nothing is written. Refuses with `null` where the principal has `maxOpen`
   * pending ones already; a call without a principal is not counted.
   */
  abstract park(
    call: NewApproval,
    evidence: BuildEvidence,
    maxOpen: number,
  ): Promise<{ readonly approval: Approval; readonly created: boolean } | null>;

  /** Pending and not expired, newest first. */
  abstract pending(page: PageRequest): Promise<Page<Approval>>;

  /** Newest first by id. */
  abstract history(filter: ApprovalFilter, page: PageRequest): Promise<Page<ApprovalSummary>>;

  abstract find(id: number): Promise<Approval | null>;

  abstract findByTokenHash(tokenHash: string): Promise<Approval | null>;

  /** One conditional update decides; decision, evidence and outgoing event commit together. */
  abstract decide(tokenHash: string, command: DecideCommand): Promise<DecideResult>;

  /** approved → executing, by exactly one caller, with the next fence and a lease of its own. */
  abstract claim(id: number, leaseMs: number): Promise<Approval | null>;

  /** The same for a run of this fence whose lease has run out: only where the tool may run twice. */
  abstract claimAgain(id: number, fence: number, leaseMs: number): Promise<Approval | null>;

  /** A lease anew. `false`: the run is no longer this caller's. */
  abstract renew(id: number, fence: number, leaseMs: number): Promise<boolean>;

  /** executing → `end`, by the holder of the fence. */
  abstract finish(
    id: number,
    fence: number,
    end: RunEnd,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null>;

  /** executing → outcome_unknown, where the lease of this fence has run out. */
  abstract giveUp(
    id: number,
    fence: number,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null>;

  /** approved → superseded. */
  abstract supersede(id: number, evidence: BuildEvidence): Promise<Approval | null>;

  /** pending → expired, where its time is up. */
  abstract expire(id: number, evidence: BuildEvidence): Promise<Approval | null>;

  /** outcome_unknown → `resolution`. What was told of it is told again. */
  abstract resolve(id: number, command: ResolveCommand): Promise<Approval | null>;

  /** Stuck for at least this long, newest first by id. */
  abstract stuck(kind: StuckKind, forMs: number, page: PageRequest): Promise<Page<Approval>>;

  /** Those of them whose outcome stands. */
  abstract settled(ids: readonly number[]): Promise<readonly Approval[]>;

  /**
   * Takes up to `limit` outcomes for `leaseMs` that stood for at least `graceMs` and at most a week, and that nobody
   * was told of. No two callers hold the same one.
   */
  abstract untold(graceMs: number, leaseMs: number, limit: number): Promise<readonly Approval[]>;

  /** Somebody was told of this outcome: it is not handed out again. */
  abstract told(id: number, status: ApprovalStatus): Promise<void>;

  /** The encrypted token of a pending call; `null` where there is none, or none any more. */
  abstract sealedToken(id: number): Promise<string | null>;

  /** It was handed over. */
  abstract forgetToken(id: number): Promise<void>;
}
