import { Controller, Get } from '@nestjs/common';
import type { FirewallListData } from '#contracts/api/responses.js';
import { FirewallStore, type Rejection, type RejectionFilter } from '#contracts/firewall.js';
import type { Page, PageRequest } from '#contracts/page.js';
import { UntrustedQuery } from '../http/parameters.js';
import { filterText, withoutUndefined, type QueryReader } from '../http/query-reader.js';

interface FirewallQuery {
  readonly filter: RejectionFilter;
  readonly page: PageRequest;
}

@Controller('firewall')
export class FirewallController {
  constructor(private readonly firewall: FirewallStore) {}

  @Get()
  async index(@UntrustedQuery(readFirewallQuery) { filter, page }: FirewallQuery): Promise<FirewallListData> {
    return presentRejections(await this.firewall.list(filter, page));
  }
}

function readFirewallQuery(query: QueryReader): FirewallQuery {
  const filter = withoutUndefined({
    principalId: query.read('principal_id', filterText),
    application: query.read('application', filterText),
    tool: query.read('tool', filterText),
    q: query.read('q', filterText),
    ...query.readRange(),
  });
  return { filter, page: query.readPage() };
}

function presentRejections({ entries, nextCursor, partial }: Page<Rejection>): FirewallListData {
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
