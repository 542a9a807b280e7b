import type { FirewallListData } from '../../libs/contracts/src/api/responses.js';
import type { Rejection } from '../../libs/contracts/src/firewall.js';
import type { Page } from '../../libs/contracts/src/page.js';

export function presentRejections({ entries, nextCursor, partial }: Page<Rejection>): FirewallListData {
  return {
    entries: entries.map((rejection) => ({
      id: rejection.id,
      tool: rejection.tool,
      principal_id: rejection.principalId,
      application: rejection.application,
      violations: rejection.violations,
      violation_count: rejection.violationCount,
      enforced: rejection.enforced,
      occurred_at: rejection.occurredAt.toISOString(),
    })),
    next_cursor: nextCursor,
    ...(partial && { partial }),
  };
}
