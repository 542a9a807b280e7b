import type { OutputStatsData } from '../../libs/contracts/src/api/responses.js';
import { OUTPUT_KINDS, type OutputCount, type OutputKind } from '../../libs/contracts/src/output.js';
import type { TimeWindow } from '../../libs/contracts/src/page.js';

export function presentOutputStats(counts: readonly OutputCount[], window: TimeWindow): OutputStatsData {
  const enforced = sum(counts.filter((count) => count.enforced));
  const observed = sum(counts.filter((count) => !count.enforced));
  return {
    from: window.from.toISOString(),
    to: window.to.toISOString(),
    counts: countsByKind(counts),
    pii: { by_detector: countsByDetector(counts, 'pii_redaction') },
    secrets: { by_detector: countsByDetector(counts, 'secret_redaction') },
    total: enforced + observed,
    enforced,
    observed,
  };
}

/** Every kind, also those that never occurred. */
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
