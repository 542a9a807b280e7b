import type { ApprovalRequirement, ApproverGroups } from '#contracts/approvals.js';
import { groupsOf, type Policies } from '#contracts/policies.js';
import { comparableId } from '../text/comparison.js';
import { withinTime } from '../time-limit.js';
import { approvalErrors } from './approval-errors.js';

const MOST_MS = 2_000;

/** Asks the host whether an actor belongs to the group that may decide a call. */
export class ApproverCheck {
  constructor(
    private readonly groups: ApproverGroups | null,
    private readonly mostMs = MOST_MS,
  ) {}

  /**
   * Why this call can never get the approvals that it needs, with the change that the host can make; `null` where
   * they can be given.
   */
  whyNeverMet({ approvers, group }: ApprovalRequirement, principalId: string | undefined): string | null {
    if (group !== null && this.groups === null)
      return `nothing decides who belongs to the group ${JSON.stringify(group)}: write controls: { approverGroups: YourApproverGroups }`;
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
    if (groups === null) throw approvalErrors.approverCheckFailed(new Error('No approverGroups are given.'));
    try {
      const asked = Promise.resolve().then(() => groups.isMember(actorId, group));
      const answer: unknown = await withinTime(asked, this.mostMs);
      // An untyped host may return anything.
      return answer === true;
    } catch (error) {
      throw approvalErrors.approverCheckFailed(error);
    }
  }
}

/** Why these policies cannot be used; empty if they can. */
export function missingApproverGroups(policies: Policies, hasApproverGroups: boolean): readonly string[] {
  const groups = groupsOf(policies);
  if (groups.length === 0 || hasApproverGroups) return [];
  const names = groups.map((group) => JSON.stringify(group)).join(', ');
  return [
    `hitl.policies names the approver group${groups.length === 1 ? '' : 's'} ${names}, and nothing decides who belongs to it: write controls: { approverGroups: YourApproverGroups }`,
  ];
}
