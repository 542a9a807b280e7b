import { Controller, Get } from '@nestjs/common';
import {
  FirewallFilter,
  FirewallListData,
  FirewallQuery,
  FirewallReasonsData,
} from '#contracts/firewall/firewall.api.js';
import { mostFrequent, type Facets } from '#contracts/audit/counts.js';
import { FirewallStore } from '#contracts/firewall/firewall.js';
import { UntrustedQuery } from '../http/parameters.js';
import { Answers } from '../openapi/answers.js';

@Controller('firewall')
export class FirewallController {
  constructor(private readonly firewall: FirewallStore) {}

  @Get()
  @Answers('firewall.index', FirewallListData, {
    summary: 'Tool calls that the firewall rejected, newest first',
  })
  async index(@UntrustedQuery(FirewallQuery) query: FirewallQuery): Promise<FirewallListData> {
    return this.firewall.list(query, query);
  }

  @Get('reasons')
  @Answers('firewall.reasons', FirewallReasonsData, {
    summary: 'Rejected tool calls by reason',
    description:
      'Counts the calls that `GET /firewall` lists with the same filters, each once for every reason of its violations. One request reads at most 10,000 calls, or about a second, newest first.',
  })
  async reasons(@UntrustedQuery(FirewallFilter) filter: FirewallFilter): Promise<FirewallReasonsData> {
    const { values, partial } = await countReasons(this.firewall, filter);
    return {
      values: values.map(({ value, count }) => ({ reason: value ?? '', count })),
      ...(partial && { partial }),
    };
  }
}

const COUNTED_AT_ONCE = 500;
const MAX_COUNTED = 10_000;
const MAX_COUNTING_MS = 1000;

/** Counts the rejections of a filter by the reasons of their violations, newest first, up to a number and a time. */
async function countReasons(firewall: FirewallStore, filter: FirewallFilter): Promise<Facets> {
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
