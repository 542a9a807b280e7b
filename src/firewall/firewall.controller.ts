import { Controller, Get } from '@nestjs/common';
import type { FirewallListData, FirewallReasonsData } from '#contracts/api/responses.js';
import { mostFrequent, type Facets } from '#contracts/audit/counts.js';
import { FirewallStore, type Rejection, type RejectionFilter } from '#contracts/firewall.js';
import type { Page } from '#contracts/page.js';
import { UntrustedQuery } from '../http/parameters.js';
import { filterText, withoutUndefined, type ListQuery, type QueryReader } from '../http/query-reader.js';

@Controller('firewall')
export class FirewallController {
  constructor(private readonly firewall: FirewallStore) {}

  @Get()
  async index(
    @UntrustedQuery(readFirewallQuery) { filter, page }: ListQuery<RejectionFilter>,
  ): Promise<FirewallListData> {
    return presentRejections(await this.firewall.list(filter, page));
  }

  @Get('reasons')
  async reasons(@UntrustedQuery(readRejectionFilter) filter: RejectionFilter): Promise<FirewallReasonsData> {
    return presentReasons(await countReasons(this.firewall, filter));
  }
}

const COUNTED_AT_ONCE = 500;
const MAX_COUNTED = 10_000;
const MAX_COUNTING_MS = 1000;

/** Counts the rejections of a filter by the reasons of their violations, newest first, up to a number and a time. */
async function countReasons(firewall: FirewallStore, filter: RejectionFilter): Promise<Facets> {
  const counts = new Map<string, number>();
  const startedAt = performance.now();
  let cursor: number | undefined;
  for (let read = 0; read < MAX_COUNTED && performance.now() - startedAt < MAX_COUNTING_MS;) {
    const page = await firewall.list(filter, {
      limit: COUNTED_AT_ONCE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { violations } of page.entries)
      for (const reason of new Set(Object.values(violations)))
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
    if (page.next_cursor === null) return { values: mostFrequent(counts) };
    cursor = page.next_cursor;
    read += COUNTED_AT_ONCE;
  }
  return { values: mostFrequent(counts), partial: true };
}

function presentReasons({ values, partial }: Facets): FirewallReasonsData {
  return {
    values: values.map(({ value, count }) => ({ reason: value ?? '', count })),
    ...(partial && { partial }),
  };
}

function readFirewallQuery(query: QueryReader): ListQuery<RejectionFilter> {
  const filter = readRejectionFilter(query);
  return { filter, page: query.readPage() };
}

function readRejectionFilter(query: QueryReader): RejectionFilter {
  return withoutUndefined({
    principalId: query.read('principal_id', filterText),
    application: query.read('application', filterText),
    tool: query.read('tool', filterText),
    q: query.read('q', filterText),
    reason: query.read('reason', filterText),
    ...query.readRange(),
  });
}

function presentRejections({ entries, next_cursor, partial }: Page<Rejection>): FirewallListData {
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
    next_cursor: next_cursor,
    ...(partial && { partial }),
  };
}
