// Asked before a run, inside its claim, and by the rules of approvers.
import type { Approval } from '#contracts/approvals/approvals.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import { digestOf } from '../../json/plain-json.js';
import type { ApprovalDependencies } from './approval-dependencies.js';
import type { ApprovalQuorum } from './approval-quorum.js';
import { contextOf } from './approval-transitions.js';

/** Checks that an approved call is unchanged. Any change requires a new approval. */
export class ApprovalChecks {
  constructor(private readonly options: ApprovalDependencies & { readonly quorum: ApprovalQuorum }) {}

  /** Checks everything, including the requester's rights. `false` where a check fails to complete. */
  async isStillAllowed(approval: Approval, tool: Tool): Promise<boolean> {
    const { arguments: args } = approval;
    if (args === null || !this.isUnchanged(approval, tool)) return false;
    try {
      return await this.options.review.isStillAllowed(
        tool,
        args,
        contextOf(approval),
        this.options.settings.current(),
      );
    } catch {
      return false;
    }
  }

  /** Whether the stored call is unchanged since it was requested. */
  isAsParked(approval: Approval): boolean {
    try {
      return (
        this.options.keys !== null &&
        this.options.keys.macs.isCallOf(approval) &&
        approval.argumentsDigest === digestOf(approval.arguments)
      );
    } catch {
      return false;
    }
  }

  /** Whether the policy on its tool is the one under which the call was requested. */
  isUnderPolicy({ policyRevision, tool }: Approval): boolean {
    return policyRevision === this.options.policyRevision(this.options.settings.current(), tool);
  }

  /** The synchronous checks: arguments, tool and schema, policy, votes, and all MACs. */
  isUnchanged(approval: Approval, tool: Tool): boolean {
    try {
      return (
        this.options.keys !== null &&
        this.isAsParked(approval) &&
        this.options.keys.macs.isApprovalOf(approval) &&
        this.options.quorum.isReached(approval) &&
        approval.toolFingerprint === this.options.tools.fingerprintOf(tool) &&
        this.isUnderPolicy(approval)
      );
    } catch {
      return false;
    }
  }
}
