import type { Approval, ApprovalSummary, ApprovalVote } from '#contracts/approvals.js';
import type { NewVote } from '#contracts/approvals.store.js';
import { comparableId } from '../text/comparison.js';
import type { ApprovalKeys } from './approval-keys.js';
import type { ApproverCheck } from './approver-check.js';

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
