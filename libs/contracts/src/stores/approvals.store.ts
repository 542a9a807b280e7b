// What the engine stores of approvals, and of the budgets that approved calls spend.
import type {
  Approval,
  ApprovalId,
  ApprovalStatus,
  ApprovalStep,
  ApprovalSummary,
  ApprovalVerdict,
  NewApproval,
  Resolution,
  RunEnd,
  RunResult,
} from '../approvals/approvals.js';
import type { BudgetClaim, BudgetLimit, BudgetState, Reservation } from '../approvals/budgets.js';
import type { PendingQuery } from '../approvals/approvals.api.js';
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

/** `risk`: by `riskWeight`, then by expiry; one page without `cursor` and `after`, and none follows. */
export interface PendingRequest extends PageRequest {
  readonly sort?: PendingQuery['sort'];
}

/** The members that identify a call within a run. */
export type CallIdentity = Pick<
  NewApproval,
  'runId' | 'stepName' | 'tool' | 'argumentsDigest' | 'principalId' | 'application'
>;

/** An approval with what only the stores and its life cycle read. */
export interface ApprovalRow extends Approval {
  readonly encryptedToken: string | null;
  readonly remindedAt: Date | null;
  readonly escalatedAt: Date | null;
  readonly notifiedAt: Date | null;
  /** The instance that notifies about the outcome holds it until then. */
  readonly notifyLeaseUntil: Date | null;
  /** The database was restored or failed over after the row was written, so an approved call may have run. */
  readonly isRestored: boolean;
}

/** Builds the evidence of a step. Called inside the transaction and committed with it. */
export type BuildEvidence = (approval: Approval, step: ApprovalStep) => Decision;

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

/** A decision or vote. A call that is overdue expires instead. */
export interface DecideCommand {
  readonly kind: 'decide';
  readonly verdict: ApprovalVerdict;
  readonly actorId: string;
  readonly reason: string | null;
  readonly decisionMac: string;
  /** The vote, for an approval of a call that needs several approvers. */
  readonly vote?: NewVote;
}

/** What can be done with a stored approval. `next` of the engine says what follows from each, in each state. */
export type ApprovalCommand =
  | DecideCommand
  | { readonly kind: 'expire' }
  /** Records the reminder, once over all instances. */
  | { readonly kind: 'remind'; readonly reminder: ReminderKind; readonly afterMs: number }
  /** Ends a pending call in favour of a proposal; see `propose`. */
  | { readonly kind: 'replace' }
  /** approved → executing, with the next fence and a new lease; → superseded where the stored call is not unchanged. */
  | {
      readonly kind: 'claim';
      readonly leaseMs: number;
      /** A decision older than this is no longer run. */
      readonly withinMs: number;
      /** Called with the stored approval inside the transaction. */
      readonly isUnchanged: (approval: Approval) => boolean;
    }
  /** Claims a run of this fence whose lease has expired, with the next fence. Only for tools that may run twice. */
  | { readonly kind: 'claimAgain'; readonly fence: number; readonly leaseMs: number }
  | { readonly kind: 'renew'; readonly fence: number; readonly leaseMs: number }
  | { readonly kind: 'finish'; readonly fence: number; readonly end: RunEnd; readonly result: RunResult }
  /** Ends a run of this fence whose lease has expired, or an approved call that was restored. */
  | { readonly kind: 'markUnknown'; readonly fence: number; readonly result: RunResult }
  /** Ends an approved call that does not run yet. The error of `result` contains the reason. */
  | { readonly kind: 'supersede'; readonly result: RunResult }
  /** Sets the outcome that was unknown. Handlers are notified again. */
  | {
      readonly kind: 'resolve';
      readonly resolution: Resolution;
      readonly actorId: string;
      readonly reason: string;
    }
  /** Claims an outcome for `leaseMs` to notify handlers, and counts the attempt. */
  | { readonly kind: 'claimNotification'; readonly leaseMs: number }
  /** Handlers are notified of this status `inMs` from now at the earliest. */
  | { readonly kind: 'retryNotification'; readonly status: ApprovalStatus; readonly inMs: number }
  /** Handlers were notified of this status, or all attempts failed: it is never due again. */
  | { readonly kind: 'markNotified'; readonly status: ApprovalStatus };

/**
 * Why a command changes nothing. `status`: nothing leads from this status. `expired`: the call expired. `votes`: another
 * vote was recorded in the meantime. `fence`: another instance holds the run. `early`: it is not due yet, or held by
 * another instance. `late`: it was due before, or has been done.
 */
export type ApprovalRefusal = 'status' | 'expired' | 'votes' | 'fence' | 'early' | 'late';

/** The result of a command. `step` is what its evidence records; `null` where nothing is recorded. */
export type ApprovalChange =
  | { readonly kind: 'changed'; readonly approval: Approval; readonly step: ApprovalStep | null }
  | { readonly kind: 'refused'; readonly approval: Approval; readonly why: ApprovalRefusal };

/**
 * States in which an approval needs recovery. `overdue`: pending and expired. `unrun`: approved, but not started.
 * `lost`: executing, and the lease has expired. `restored`: approved, and the database was restored or failed over after
 * the call was requested, so that it may have run.
 */
export type StuckKind = 'overdue' | 'unrun' | 'lost' | 'restored';

/** A message that is sent once about a call that stays pending. */
export type ReminderKind = 'reminded' | 'escalated';

/**
 * Approvals. A store begins a row with `beginApproval` and asks `nextApproval` (both of `nest-guardrails/engine`) what a
 * command makes of the locked row, by the store's clock. The change commits together with its evidence and outgoing events.
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

  /** Pending and not expired, newest first by default. */
  abstract pending(request: PendingRequest, filter?: CallFilter): Promise<Page<Approval>>;

  /** Arguments of approved calls, newest first, without erased ones. */
  abstract approvedArguments(filter: CallFilter, limit: number): Promise<readonly Approval['arguments'][]>;

  /** Newest first by id. */
  abstract history(filter: ApprovalFilter, page: PageRequest): Promise<Page<ApprovalSummary>>;

  abstract find(id: number): Promise<Approval | null>;

  abstract findByTokenHash(tokenHash: string): Promise<Approval | null>;

  /** Performs a command. `null`: there is no such approval. `evidence` is called if the command has a step. */
  abstract change(
    id: number,
    command: ApprovalCommand,
    evidence: BuildEvidence,
  ): Promise<ApprovalChange | null>;

  /**
   * pending → superseded, and a new pending approval that takes over its place among the calls of the principal and
   * of the run. Both commit together, with the evidence of both. `null`: not pending, or expired. The outcome
   * `superseded` is not notified.
   */
  abstract propose(
    id: number,
    call: NewApproval,
    evidence: BuildEvidence,
  ): Promise<{ readonly superseded: Approval; readonly proposed: Approval } | null>;

  /** Ids of pending calls that were requested at least `afterMs` ago and have had no such reminder; oldest first. */
  abstract dueReminders(kind: ReminderKind, afterMs: number, limit: number): Promise<readonly ApprovalId[]>;

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

  /** The encrypted token of a pending call; `null` where there is none. */
  abstract encryptedToken(id: number): Promise<string | null>;
}

/**
 * Sums over trailing windows, exact in decimals and by the store's clock. A call that is approved reserves its claims in
 * the transaction of the decision, without a check, and they are released when it is superseded or fails; see
 * `ApprovalStore`.
 */
export abstract class BudgetStore {
  /** The state of each limit, in their order. Reserves nothing. */
  abstract states(
    claims: readonly BudgetClaim[],
    limits: readonly BudgetLimit[],
  ): Promise<readonly BudgetState[]>;

  /**
   * If no limit is exceeded, commits the reservation together with the decision that `evidence` builds. Otherwise it
   * writes nothing. Concurrent calls on one budget are admitted one after the other, so that their sum never exceeds
   * the limit.
   */
  abstract admit(
    reservation: Reservation,
    limits: readonly BudgetLimit[],
    evidence: (states: readonly BudgetState[]) => Decision,
  ): Promise<{ readonly isAdmitted: boolean; readonly states: readonly BudgetState[] }>;

  /** Releases the claims of a call that failed. Does nothing where there are none, or the second time. */
  abstract release(reference: string): Promise<void>;
}
