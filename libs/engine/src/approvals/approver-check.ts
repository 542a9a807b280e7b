import type { ApproverGroups } from '#contracts/approvals.js';
import { groupsOf, type Policies } from '#contracts/policies.js';
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
