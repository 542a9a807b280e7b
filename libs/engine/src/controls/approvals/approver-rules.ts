// Why somebody cannot approve or edit a call. The service asks before a decision, the routes for each call that they show.
import type { CannotDecide } from '#contracts/approvals/approvals.api.js';
import type { Approval, ApprovalVerdict } from '#contracts/approvals/approvals.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { Settings } from '#contracts/settings/settings.js';
import { comparableId } from '#contracts/common/comparison.js';
import type { ApprovalChecks } from './approval-checks.js';
import type { ApprovalDependencies } from './approval-dependencies.js';
import { approvalErrors } from './approval-errors.js';
import { type ApprovalQuorum, isRequester, needsSeveral } from './approval-quorum.js';

const CHANGED =
  'The record of this call was changed after it was requested, or hitl.token_secret was changed. The call will not run; reject it.';

const ERASED =
  'The arguments of this call are missing: retention erased them, or the record was changed. The call will not run; reject it.';

const whyChanged = ({ arguments: args }: Approval): string => (args === null ? ERASED : CHANGED);

export interface DecisionAuthor {
  readonly actorId: string;
  readonly reason: string | null;
}

type IsMember = (actorId: string, group: string | null) => Promise<boolean>;

/** The rules that refuse a decision: the state of the call, this instance, and the actor. */
export class ApproverRules {
  constructor(
    private readonly options: ApprovalDependencies & {
      readonly checks: ApprovalChecks;
      readonly quorum: ApprovalQuorum;
    },
  ) {}

  /** Why this verdict of this actor is refused; `null` if it is not. The group is checked last, because it may take time. */
  async refusalOf(
    approval: Approval,
    verdict: ApprovalVerdict,
    { actorId, reason }: DecisionAuthor,
    isMember: IsMember = (actor, group) => this.options.approvers.isMember(actor, group),
  ): Promise<GuardrailsError | null> {
    const settings = this.options.settings.current();
    const { group, isReasonRequired } = approval.requirement;
    const unfit = verdict === 'approved' ? this.obstacleTo(approval, settings) : null;
    if (unfit !== null) return unfit;
    if (isReasonRequired && (reason ?? '').trim() === '') return approvalErrors.reasonRequired();
    const own = verdict === 'approved' ? ownCallRefusal(approval, actorId, settings) : null;
    if (own !== null) return own;
    return (await isMember(actorId, group)) ? null : approvalErrors.notInGroup(group);
  }

  /** Why this actor cannot edit the call. */
  async editRefusal(approval: Approval, actorId: string): Promise<GuardrailsError | null> {
    if (approval.status !== 'pending') return null;
    const { group } = approval.requirement;
    const obstacle = this.obstacleTo(approval, this.options.settings.current());
    if (obstacle !== null) return obstacle;
    if (!this.options.checks.isAsParked(approval)) return approvalErrors.changed(whyChanged(approval));
    return (await this.options.approvers.isMember(actorId, group)) ? null : approvalErrors.notInGroup(group);
  }

  /**
   * Returns a function for the approvals of one page: why this actor could not approve one now; `null` if it could. Each
   * group is checked once.
   */
  obstaclesFor(actorId: string | null): (approval: Approval) => Promise<CannotDecide | null> {
    const memberships = new Map<string, Promise<boolean>>();
    const isMember: IsMember = (actor, group) => {
      const membership = memberships.get(group ?? '') ?? this.options.approvers.isMember(actor, group);
      memberships.set(group ?? '', membership);
      return membership;
    };
    return (approval) => this.obstacleFor(approval, actorId, isMember);
  }

  private async obstacleFor(
    approval: Approval,
    actorId: string | null,
    isMember: IsMember,
  ): Promise<CannotDecide | null> {
    if (approval.status === 'expired' || approval.status === 'superseded') return approval.status;
    if (approval.status === 'executing' || approval.status === 'approved') return 'executing';
    if (approval.status !== 'pending') return 'already_decided';
    if (this.options.keys !== null && !this.options.checks.isAsParked(approval)) return 'superseded';
    if (actorId === null) return 'actor_required';
    try {
      // The approver can still write a reason, so a missing one is no obstacle here.
      const author = { actorId, reason: 'given' };
      const refusal = await this.refusalOf(approval, 'approved', author, isMember);
      if (refusal !== null) return refusal.code;
    } catch (error) {
      if (error instanceof GuardrailsError) return error.code;
      throw error;
    }
    if (!this.options.checks.isUnderPolicy(approval)) return 'superseded';
    return needsSeveral(approval) && this.options.quorum.voteOf(approval, actorId) !== null
      ? 'already_voted'
      : null;
  }

  /** Warnings for the approver, including that the stored call was changed and will not run. */
  warningsOf(approval: Approval): readonly string[] {
    if (approval.status !== 'pending' || this.options.keys === null) return approval.warnings;
    return this.options.checks.isAsParked(approval)
      ? approval.warnings
      : [whyChanged(approval), ...approval.warnings];
  }

  /** The reason why this instance cannot approve the call now; `null` if it can. */
  private obstacleTo(approval: Approval, settings: Settings): GuardrailsError | null {
    if (this.options.keys === null || settings.mode('hitl').isOff()) {
      return approvalErrors.unavailable(
        'Approvals are off. Calls can be rejected, but not approved. To approve them, set hitl.enabled.',
      );
    }
    if (this.options.tools.find(approval.tool) === undefined) {
      return approvalErrors.unavailable(
        `The tool ${approval.tool} is not registered on this instance. Add it to \`tools\`.`,
      );
    }
    return null;
  }
}

/** Requesters never count as one of several approvers; `hitl.four_eyes` decides whether they may be the only one. */
function ownCallRefusal(approval: Approval, actorId: string, settings: Settings) {
  if (!needsSeveral(approval) && !settings.get('hitl.four_eyes')) return null;
  if (comparableId(approval.principalId ?? '') === '') return approvalErrors.requesterUnknown();
  return isRequester(approval, actorId) ? approvalErrors.selfApproval() : null;
}
