import type { Approval } from '#contracts/approvals.js';
import type { Tool } from '#contracts/firewall.js';
import type { CallReview, ToolCatalog, CurrentSettings } from '../ports.js';
import type { Settings } from '#contracts/settings/settings.js';
import { digestOf } from '../json/plain-json.js';
import { contextOf } from './approval-evidence.js';
import type { ApprovalKeys } from './approval-keys.js';
import type { ApprovalQuorum } from './approval-quorum.js';

/** Checks that an approved call is unchanged. Any change requires a new approval. */
export class ApprovalChecks {
  constructor(
    private readonly keys: ApprovalKeys | null,
    private readonly tools: ToolCatalog,
    private readonly review: CallReview,
    private readonly settings: CurrentSettings,
    private readonly quorum: ApprovalQuorum,
    private readonly policyRevision: (settings: Settings, tool: string) => string,
  ) {}

  /** Checks everything, including the requester's rights. `false` where a check fails to complete. */
  async isStillAllowed(approval: Approval, tool: Tool): Promise<boolean> {
    const { arguments: args } = approval;
    if (args === null || !this.isUnchanged(approval, tool)) return false;
    try {
      return await this.review.isStillAllowed(tool, args, contextOf(approval), this.settings.current());
    } catch {
      return false;
    }
  }

  /** Whether the stored call is unchanged since it was parked. */
  isAsParked(approval: Approval): boolean {
    try {
      return (
        this.keys !== null &&
        this.keys.macs.isCallOf(approval) &&
        approval.argumentsDigest === digestOf(approval.arguments)
      );
    } catch {
      return false;
    }
  }

  /** The synchronous checks: arguments, tool and schema, policy, votes, and all MACs. */
  isUnchanged(approval: Approval, tool: Tool): boolean {
    try {
      return (
        this.keys !== null &&
        this.isAsParked(approval) &&
        this.keys.macs.isApprovalOf(approval) &&
        this.quorum.isReached(approval) &&
        approval.toolFingerprint === this.tools.fingerprintOf(tool) &&
        approval.policyRevision === this.policyRevision(this.settings.current(), approval.tool)
      );
    } catch {
      return false;
    }
  }
}
