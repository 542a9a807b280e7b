import { Controller, Get } from '@nestjs/common';
import type { OutputStatsData } from '#contracts/api/responses.js';
import { Clock } from '#contracts/clock.js';
import { OUTPUT_KINDS, OutputStore, type OutputCount, type OutputKind } from '#contracts/output.js';
import type { TimeWindow } from '#contracts/page.js';
import { UntrustedQuery } from '../http/parameters.js';
import type { QueryReader } from '../http/query-reader.js';
import { statisticsWindow } from '../http/time-window.js';

interface OutputQuery {
  readonly from?: Date;
  readonly to?: Date;
}

@Controller('output')
export class OutputController {
  constructor(
    private readonly output: OutputStore,
    private readonly clock: Clock,
  ) {}

  @Get('stats')
  async stats(@UntrustedQuery(readOutputQuery) range: OutputQuery): Promise<OutputStatsData> {
    const window = statisticsWindow(range, this.clock.now());
    return presentOutputStats(await this.output.stats(window), window);
  }
}

function readOutputQuery(query: QueryReader): OutputQuery {
  return query.readRange();
}

function presentOutputStats(counts: readonly OutputCount[], window: TimeWindow): OutputStatsData {
  const enforced = sum(counts.filter((count) => count.enforced));
  const observed = sum(counts.filter((count) => !count.enforced));
  const pii = { by_detector: countsByDetector(counts, 'pii_redaction') };
  const secrets = { by_detector: countsByDetector(counts, 'secret_redaction') };
  return {
    from: window.from.toISOString(),
    to: window.to.toISOString(),
    counts: { ...countsByKind(counts), pii, secrets },
    // Copies for clients of v1 that read them here.
    pii,
    secrets,
    total: enforced + observed,
    enforced,
    observed,
  };
}

/** Contains every kind, with 0 for those that did not occur. */
export function countsByKind(
  counts: readonly { readonly kind: OutputKind; readonly count: number }[],
): Record<OutputKind, number> {
  return Object.fromEntries(
    OUTPUT_KINDS.map((kind) => [kind, sum(counts.filter((count) => count.kind === kind))]),
  ) as Record<OutputKind, number>;
}

function countsByDetector(counts: readonly OutputCount[], kind: OutputKind): Record<string, number> {
  const totals = new Map<string, number>();
  for (const { kind: counted, detector, count } of counts) {
    if (counted === kind) totals.set(detector, (totals.get(detector) ?? 0) + count);
  }
  return Object.fromEntries(totals);
}

function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
