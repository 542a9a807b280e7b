import { Controller, Get } from '@nestjs/common';
import { OutputQuery, OutputStatsData } from '#contracts/output/output.api.js';
import { Clock } from '#contracts/common/clock.js';
import {
  OUTPUT_KINDS,
  OutputStore,
  type OutputCount,
  type OutputDay,
  type OutputKind,
} from '#contracts/output/output.js';
import type { TimeWindow } from '#contracts/common/page.js';
import { UntrustedQuery } from '../http/parameters.js';
import { Answers } from '../openapi/answers.js';
import { bucketsOf, statisticsWindow, trendWindow } from '../http/time-window.js';

type OutputPoint = NonNullable<OutputStatsData['points']>[number];

@Controller('output')
export class OutputController {
  constructor(
    private readonly output: OutputStore,
    private readonly clock: Clock,
  ) {}

  @Get('stats')
  @Answers('output.stats', OutputStatsData, {
    summary: 'Counts of what was removed from model output, by kind',
    description:
      'Default window: the last 30 days. With `bucket=day` a window longer than 366 days keeps its end.',
  })
  async stats(@UntrustedQuery(OutputQuery) query: OutputQuery): Promise<OutputStatsData> {
    const { application, bucket } = query;
    const windowOf = bucket === undefined ? statisticsWindow : trendWindow;
    const window = windowOf(query, this.clock.now());
    const counted = { ...window, ...(application !== undefined && { application }) };
    const [counts, days] = await Promise.all([
      this.output.stats(counted),
      bucket === undefined ? undefined : this.output.daily(counted),
    ]);
    return {
      ...presentOutputStats(counts, window),
      ...(days !== undefined && { points: presentDays(days, window) }),
    };
  }
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
    // Clients of v1 may read these copies here.
    pii,
    secrets,
    total: enforced + observed,
    enforced,
    observed,
  };
}

function presentDays(days: readonly OutputDay[], window: TimeWindow): readonly OutputPoint[] {
  const byDate = new Map(
    bucketsOf(window).map((date): [string, OutputPoint['values'][number][]] => [date, []]),
  );
  for (const { date, ...value } of days) byDate.get(date)?.push(value);
  return [...byDate].map(([date, values]) => ({ date, values }));
}

/** Contains every kind, with 0 for those that did not occur. */
function countsByKind(
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

function sum(counts: readonly { readonly count: number }[]) {
  return counts.reduce((total, { count }) => total + count, 0);
}
