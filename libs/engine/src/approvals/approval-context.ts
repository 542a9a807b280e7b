import type { Approval } from '../../../contracts/src/approvals.js';
import type { ToolContext } from '../../../contracts/src/firewall.js';

/** Who asked, and for whom, as the firewall and the audit were told when the call was parked. */
export function contextOf(approval: Approval): ToolContext {
  const { principalId, application, runId, requestId, stepName } = approval;
  return {
    stepName,
    ...(principalId === null ? {} : { principalId }),
    ...(application === null ? {} : { application }),
    ...(runId === null ? {} : { runId }),
    ...(requestId === null ? {} : { requestId }),
  };
}
