import type {
  Approval,
  ApprovalId,
  ApprovalStatus,
  ApprovalSummary,
  ApprovalVerdict,
  NewApproval,
  Resolution,
  RunEnd,
  RunResult,
} from './approvals.js';
import type { Decision } from './audit.js';
import type { Page, PageRequest } from './page.js';

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
  readonly actorId: string;
  readonly reason: string | null;
  readonly decisionMac: string;
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

export interface ClaimCommand {
  readonly leaseMs: number;
  /** By the store's clock: a decision that is older is good for nothing any more, and nobody is granted its run. */
  readonly withinMs: number;
  /** Asked inside the transaction of what would run: `null` where it stands, or evidence of its being superseded. */
  readonly objection: (approval: Approval) => Decision | null;
}

export interface ResolveCommand {
  readonly resolution: Resolution;
  readonly actorId: string;
  readonly reason: string;
  readonly evidence: BuildEvidence;
}

/**
 * Where an approval can be stuck, so that an instance has to see to it. `overdue`: pending, and its time is up.
 * `unrun`: approved, and nobody runs it. `lost`: executing, and the lease has run out.
 */
export type StuckKind = 'overdue' | 'unrun' | 'lost';

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

  /**
   * approved → executing, by exactly one caller, with the next fence and a lease of its own; where there is an
   * objection, approved → superseded with that evidence instead, and its fence as it was.
   */
  abstract claim(id: number, command: ClaimCommand): Promise<Approval | null>;

  /** A run of this fence whose lease has run out, under the next one: only where the tool may run twice. */
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

  /** approved → superseded. The error of `result` says why. */
  abstract supersede(id: number, result: RunResult, evidence: BuildEvidence): Promise<Approval | null>;

  /** pending → expired, where its time is up. */
  abstract expire(id: number, evidence: BuildEvidence): Promise<Approval | null>;

  /** outcome_unknown → `resolution`. What was told of it is told again. */
  abstract resolve(id: number, command: ResolveCommand): Promise<Approval | null>;

  /** Stuck for at least this long, newest first. By id alone: one that cannot be read hides no other. */
  abstract stuck(kind: StuckKind, forMs: number, page: PageRequest): Promise<Page<ApprovalId>>;

  /** Those of them whose outcome stands; by id alone, too. */
  abstract settled(ids: readonly number[]): Promise<readonly ApprovalId[]>;

  /**
   * Outcomes that stood for at least `graceMs` and at most a week, and that nobody was told of or is just telling; the
   * longest standing first, and by id alone.
   */
  abstract untold(graceMs: number, limit: number): Promise<readonly ApprovalId[]>;

  /** Takes an outcome for `leaseMs`, in order to tell it, and counts that; `null` where it was told, or somebody has it. */
  abstract takeOutcome(id: number, leaseMs: number): Promise<Approval | null>;

  /** It could not be told: whoever took it lets go of it, and nobody takes it for so long. */
  abstract tellAgain(id: number, status: ApprovalStatus, inMs: number): Promise<void>;

  /** Somebody was told of this outcome, or nobody is to be any more: it is not handed out again. */
  abstract told(id: number, status: ApprovalStatus): Promise<void>;

  /** The encrypted token of a pending call; `null` where there is none, or none any more. */
  abstract encryptedToken(id: number): Promise<string | null>;

  /** It was handed over. */
  abstract forgetToken(id: number): Promise<void>;
}
