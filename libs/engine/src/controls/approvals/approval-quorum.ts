// Membership of approver groups, and the votes that count.
import type {
  Approval,
  ApprovalSummary,
  ApprovalVote,
  ApprovalRequirement,
  ApproverGroups,
} from '#contracts/approvals/approvals.js';
import type { NewVote } from '#contracts/stores/approvals.store.js';
import { comparableId } from '#contracts/common/comparison.js';
import { withinTime } from '../../shared/time-limit.js';
import type { ApprovalKeys } from './approval-keys.js';
import { approvalErrors } from './approval-errors.js';

const MEMBERSHIP_TIMEOUT_MS = 2_000;

/** Asks the host whether an actor belongs to the group that may decide a call. */
export class ApproverCheck {
  constructor(
    private readonly groups: ApproverGroups | null,
    private readonly timeoutMs = MEMBERSHIP_TIMEOUT_MS,
  ) {}

  /**
   * Why this call can never get the approvals that it needs, with the change that the host can make; `null` where
   * they can be given.
   */
  whyNeverMet({ approvers, group }: ApprovalRequirement, principalId: string | undefined): string | null {
    if (group !== null && this.groups === null)
      return `members of the group ${JSON.stringify(group)} cannot be determined: write controls: { approverGroups: YourApproverGroups }`;
    if (approvers > 1 && comparableId(principalId ?? '') === '')
      return 'the requester is unknown, so it cannot be excluded from several approvers: pass a `principalId` in the tool context';
    return null;
  }

  /**
   * Every actor belongs to `null`.
   *
   * @throws `approver_check_failed` where the host gives no answer in time.
   */
  async isMember(actorId: string, group: string | null): Promise<boolean> {
    if (group === null) return true;
    const { groups } = this;
    if (groups === null) throw approvalErrors.approverCheckFailed(new Error('There are no approverGroups.'));
    try {
      const answering = Promise.resolve().then(() => groups.isMember(actorId, group));
      const answer: unknown = await withinTime(answering, this.timeoutMs);
      // An untyped host may return anything.
      return answer === true;
    } catch (error) {
      throw approvalErrors.approverCheckFailed(error);
    }
  }
}

/** Whether approvals are votes, so that one of them alone does not decide. */
export function needsSeveral({ requirement }: Pick<Approval, 'requirement'>): boolean {
  return requirement.approvers > 1;
}

/** Whether this actor requested or edited the call. */
export function isRequester({ principalId, editors }: ApprovalSummary, actorId: string): boolean {
  const actor = comparableId(actorId);
  return [principalId ?? '', ...editors].some((requester) => comparableId(requester) === actor);
}

/** Counts the votes of calls that need several approvers. */
export class ApprovalQuorum {
  constructor(
    private readonly keys: ApprovalKeys | null,
    private readonly approvers: ApproverCheck,
  ) {}

  /** The votes that count, one per actor: with a valid MAC, not void, and not by the requester. */
  standingVotes(approval: ApprovalSummary): readonly ApprovalVote[] {
    const counted = new Map<string, ApprovalVote>();
    for (const vote of approval.votes) {
      const isForged = this.keys?.macs.isVoteOf(approval, vote) !== true;
      const actor = comparableId(vote.actorId);
      if (isForged || vote.voidedAt !== null || isRequester(approval, actor) || counted.has(actor)) continue;
      counted.set(actor, vote);
    }
    return [...counted.values()];
  }

  /** How many approvers have approved. */
  given(approval: ApprovalSummary): number {
    if (needsSeveral(approval)) return this.standingVotes(approval).length;
    return approval.decision === 'approved' ? 1 : 0;
  }

  isReached(approval: ApprovalSummary): boolean {
    return this.given(approval) >= approval.requirement.approvers;
  }

  /** The vote that counts for this actor. */
  voteOf(approval: ApprovalSummary, actorId: string): ApprovalVote | null {
    const actor = comparableId(actorId);
    return this.standingVotes(approval).find((vote) => comparableId(vote.actorId) === actor) ?? null;
  }

  /**
   * The vote to record; `null` where the actor's vote counts already. A vote that would be the last checks the rights
   * of all earlier voters again. Votes of those who lost them become void.
   */
  async nextVote(approval: Approval, actorId: string, keys: ApprovalKeys): Promise<NewVote | null> {
    const { approvers, group } = approval.requirement;
    const actor = comparableId(actorId);
    const standing = this.standingVotes(approval);
    const others = standing.filter((vote) => comparableId(vote.actorId) !== actor);
    const vote = {
      voteMac: keys.macs.ofVote(approval.reference, actorId),
      afterCount: approval.voteCount,
      isLast: false,
      voided: [],
    };
    if (others.length + 1 < approvers) return others.length < standing.length ? null : vote;
    const rights = await Promise.all(others.map((other) => this.approvers.isMember(other.actorId, group)));
    const lost = new Set(
      others.filter((_, index) => rights[index] !== true).map((other) => comparableId(other.actorId)),
    );
    const voided = approval.votes.filter((other) => lost.has(comparableId(other.actorId)));
    return {
      ...vote,
      isLast: others.length - lost.size + 1 >= approvers,
      voided: voided.map(({ id }) => id),
    };
  }
}
