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
} from '../approvals/approvals.js';
import type { Decision } from '../audit/record.js';
import type { Page, PageRequest } from '../common/page.js';

/** Selects approvals by tool, principal, application, run, time and text. */
export interface CallFilter {
  readonly tool?: string;
  readonly principalId?: string;
  readonly application?: string;
  readonly runId?: string;
  /**
   * Literal text in the names or texts of the arguments that will run. ASCII letters match in either case; accents are
   * significant.
   */
  readonly q?: string;
  /** The time of the request; inclusive. */
  readonly from?: Date;
  readonly to?: Date;
}

/** Selects approvals that no longer wait. */
export interface ApprovalFilter extends CallFilter {
  /** Default: every status except `pending`. */
  readonly status?: ApprovalStatus;
  /** Who voted or decided, or resolved an unknown outcome. */
  readonly actor?: string;
}

/** The members that identify a call within a run. */
export type CallIdentity = Pick<
  NewApproval,
  'runId' | 'stepName' | 'tool' | 'argumentsDigest' | 'principalId' | 'application'
>;

/** Builds the evidence of a transition. Called inside the transaction and committed with it. */
export type BuildEvidence = (approval: Approval) => Decision;

/** A decision or vote to store, with its evidence. */
export interface DecideCommand {
  readonly verdict: ApprovalVerdict;
  readonly actorId: string;
  readonly reason: string | null;
  readonly decisionMac: string;
  /** The vote, for an approval of a call that needs several approvers. */
  readonly vote?: NewVote;
  readonly evidence: BuildEvidence;
}

/** One vote of several. */
export interface NewVote {
  readonly voteMac: string;
  /** The `voteCount` that this vote is based on. If it has changed, nothing is written. */
  readonly afterCount: number;
  /** Whether this vote completes the required number and so decides. */
  readonly isLast: boolean;
  /** Ids of earlier votes whose approvers have lost the right to decide. They become void. */
  readonly voided: readonly number[];
}

/** The result of a decision or vote. */
export type DecideResult =
  /** This call decided. */
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** The vote is recorded, and the call needs more of them. */
  | { readonly kind: 'voted'; readonly approval: Approval }
  /** Another vote was recorded in the meantime; nothing changed. */
  | { readonly kind: 'outdated'; readonly approval: Approval }
  /** The approval was decided or superseded before; nothing changed. */
  | { readonly kind: 'already_decided'; readonly approval: Approval }
  /** Expired by the store's clock. The first caller to notice moves it to `expired`, with evidence (`moved`). */
  | { readonly kind: 'expired'; readonly approval: Approval; readonly moved: boolean }
  | { readonly kind: 'unknown' };

/** The conditions under which an instance may claim the run of an approved call. */
export interface ClaimCommand {
  readonly leaseMs: number;
  /** A decision older than this, by the store's clock, is no longer run. */
  readonly withinMs: number;
  /**
   * Called inside the transaction with the stored approval: `null` permits the run, evidence supersedes the
   * approval.
   */
  readonly objection: (approval: Approval) => Decision | null;
}

/** The resolution of an unknown outcome, with its evidence. */
export interface ResolveCommand {
  readonly resolution: Resolution;
  readonly actorId: string;
  readonly reason: string;
  readonly evidence: BuildEvidence;
}

/** A call with edited arguments that supersedes a pending one. */
export interface ProposeCommand {
  readonly call: NewApproval;
  /** Evidence of the proposal. */
  readonly evidence: BuildEvidence;
  /** Evidence of the superseded call. */
  readonly supersession: BuildEvidence;
}

/**
 * States in which an approval needs recovery. `overdue`: pending and expired. `unrun`: approved, but not started.
 * `lost`: executing, and the lease has expired. `restored`: approved, and the database was restored or failed over after
 * the call was requested, so that it may have run.
 */
export type StuckKind = 'overdue' | 'unrun' | 'lost' | 'restored';

/** A message that is sent once about a call that stays pending. */
export type ReminderKind = 'reminded' | 'escalated';

/**
 * Approvals. Every transition is one compare-and-set by the store's clock. It commits together with its
 * evidence and outgoing events, and returns `null` where the approval was not in the expected state.
 *
 * A call that becomes approved reserves its claims in that transaction, without a check of limits. They are released
 * when it becomes failed or superseded, and kept while its outcome is unknown.
 */
export abstract class ApprovalStore {
  /**
   * Stores a pending call together with its evidence. The same call (step, tool, arguments digest, principal and
   * application) of the same non-null run is one approval, unless that one failed, expired or was superseded: the
   * existing approval is returned with `created: false`, and nothing is written. After a rejection the same holds for
   * every step of the run. Returns `null` where the principal already has `maxOpen` pending approvals; calls without a principal are not counted.
   */
  abstract park(
    call: NewApproval,
    evidence: BuildEvidence,
    maxOpen: number,
  ): Promise<{ readonly approval: Approval; readonly created: boolean } | null>;

  /** The approval that `park` would return instead of a new one; `null` if there is none. */
  abstract findSame(call: CallIdentity): Promise<Approval | null>;

  /** The newest approval under which this call was requested, in any state; `null` if there is none, and without a run. */
  abstract findLast(call: CallIdentity): Promise<Approval | null>;

  /** Pending and not expired, newest first. */
  abstract pending(page: PageRequest, filter?: CallFilter): Promise<Page<Approval>>;

  /** Newest first by id. */
  abstract history(filter: ApprovalFilter, page: PageRequest): Promise<Page<ApprovalSummary>>;

  abstract find(id: number): Promise<Approval | null>;

  abstract findByTokenHash(tokenHash: string): Promise<Approval | null>;

  /**
   * One conditional update votes or decides; vote, decision, evidence and outgoing event commit together. The
   * encrypted token is kept until the decision.
   */
  abstract decide(tokenHash: string, command: DecideCommand): Promise<DecideResult>;

  /**
   * approved → executing, by exactly one caller, with the next fence and a new lease. With an objection: approved
   * → superseded with that evidence, and the fence unchanged.
   */
  abstract claim(id: number, command: ClaimCommand): Promise<Approval | null>;

  /** Claims a run of this fence whose lease has expired, with the next fence. Only for tools that may run twice. */
  abstract claimAgain(id: number, fence: number, leaseMs: number): Promise<Approval | null>;

  /** Extends the lease. `false`: another instance holds the run. */
  abstract renew(id: number, fence: number, leaseMs: number): Promise<boolean>;

  /** executing → `end`, by the holder of the fence. */
  abstract finish(
    id: number,
    fence: number,
    end: RunEnd,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null>;

  /** executing → outcome_unknown, where the lease of this fence has expired; approved → outcome_unknown, where it is `restored`. */
  abstract markUnknown(
    id: number,
    fence: number,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null>;

  /** approved → superseded. The error of `result` contains the reason. */
  abstract supersede(id: number, result: RunResult, evidence: BuildEvidence): Promise<Approval | null>;

  /** pending → expired, where the expiry time has passed. */
  abstract expire(id: number, evidence: BuildEvidence): Promise<Approval | null>;

  /**
   * pending → superseded, and a new pending approval that takes over its place among the calls of the principal and
   * of the run. Both commit together. `null`: not pending, or expired. The outcome `superseded` is not notified.
   */
  abstract propose(
    id: number,
    command: ProposeCommand,
  ): Promise<{ readonly superseded: Approval; readonly proposed: Approval } | null>;

  /** Ids of pending calls that were requested at least `afterMs` ago and have had no such reminder; oldest first. */
  abstract dueReminders(kind: ReminderKind, afterMs: number, limit: number): Promise<readonly ApprovalId[]>;

  /** Records the reminder, once over all instances. `null`: recorded before, not due, or no longer pending. */
  abstract remind(
    id: number,
    kind: ReminderKind,
    afterMs: number,
    evidence: BuildEvidence,
  ): Promise<Approval | null>;

  /** outcome_unknown → `resolution`. Handlers are notified again. */
  abstract resolve(id: number, command: ResolveCommand): Promise<Approval | null>;

  /**
   * Ids in this state for at least `forMs`, newest first. Ids only, so that an unreadable row does not hide
   * others.
   */
  abstract stuck(kind: StuckKind, forMs: number, page: PageRequest): Promise<Page<ApprovalId>>;

  /** Returns those of `ids` that have an outcome. It returns only ids, so that an unreadable row does not hide others. */
  abstract settled(ids: readonly number[]): Promise<readonly ApprovalId[]>;

  /**
   * Outcomes between `graceMs` and one week old that were not notified and that no instance holds; oldest first.
   * Ids only.
   */
  abstract dueNotifications(graceMs: number, limit: number): Promise<readonly ApprovalId[]>;

  /**
   * Claims an outcome for `leaseMs` to notify handlers, and counts the attempt. `null`: notified already, or held
   * by another instance.
   */
  abstract claimNotification(id: number, leaseMs: number): Promise<Approval | null>;

  /** Notification failed: releases the outcome; it is due again after `inMs`. */
  abstract retryNotification(id: number, status: ApprovalStatus, inMs: number): Promise<void>;

  /** Handlers were notified of this outcome, or all attempts failed: it is never due again. */
  abstract markNotified(id: number, status: ApprovalStatus): Promise<void>;

  /** The encrypted token of a pending call; `null` where there is none. */
  abstract encryptedToken(id: number): Promise<string | null>;
}
