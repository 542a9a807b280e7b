import type { Approval } from '#contracts/approvals/approvals.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { CallReview, ToolCatalog, CurrentSettings } from '../../shared/ports.js';
import type { Settings } from '#contracts/settings/settings.js';
import { digestOf } from '../../json/plain-json.js';
import { contextOf } from './approval-evidence.js';
import type { ApprovalKeys } from './approval-keys.js';
import type { ApprovalQuorum } from './approval-quorum.js';

interface ApprovalChecksOptions {
  readonly keys: ApprovalKeys | null;
  readonly tools: ToolCatalog;
  readonly review: CallReview;
  readonly settings: CurrentSettings;
  readonly quorum: ApprovalQuorum;
  readonly policyRevision: (settings: Settings, tool: string) => string;
}

/** Checks that an approved call is unchanged. Any change requires a new approval. */
export class ApprovalChecks {
  constructor(private readonly options: ApprovalChecksOptions) {}

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
