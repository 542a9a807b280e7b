import type { Approval } from '../../../contracts/src/approvals.js';
import type { Tool } from '../../../contracts/src/firewall.js';
import type { CallReview, ToolCatalog } from '../ports.js';
import type { CurrentSettings } from '../ports.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { digestOf } from '../json/plain-json.js';
import { contextOf } from './approval-evidence.js';
import type { ApprovalKeys } from './approval-keys.js';

/** What was approved is what runs: whatever changed since asks for a fresh approval. */
export class ApprovalChecks {
  constructor(
    private readonly keys: ApprovalKeys | null,
    private readonly tools: ToolCatalog,
    private readonly review: CallReview,
    private readonly settings: CurrentSettings,
    private readonly policyRevision: (settings: Settings) => string,
  ) {}

  /** Everything, the requester's rights included. What cannot be judged does not stand. */
  async isStillAllowed(approval: Approval, tool: Tool): Promise<boolean> {
    const { arguments: args } = approval;
    if (args === null || !this.isUnchanged(approval, tool)) return false;
    try {
      return await this.review.isStillAllowed(tool, args, contextOf(approval), this.settings.current());
    } catch {
      return false;
    }
  }

  /** Whether nobody has touched the record of the call since it was parked. */
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

  /** All that can be said at once: arguments, tool and schema, policy, and that nobody touched the row. */
  isUnchanged(approval: Approval, tool: Tool): boolean {
    try {
      return (
        this.keys !== null &&
        this.isAsParked(approval) &&
        this.keys.macs.isApprovalOf(approval) &&
        approval.toolFingerprint === this.tools.fingerprintOf(tool) &&
        approval.policyRevision === this.policyRevision(this.settings.current())
      );
    } catch {
      return false;
    }
  }
}
