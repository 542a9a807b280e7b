import { wilson } from './figures.mjs';

const percent = (rate) => `${(rate * 100).toFixed(2)} %`;

/** A share with its 95 % interval. */
function interval(hits, total) {
  const { rate, low, high } = wilson(hits, total);
  return `${percent(rate)} (${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)})`;
}

/**
 * Prints the figures as tables.
 *
 * @param {ReturnType<typeof import('./figures.mjs').figures>} result
 * @param {ReturnType<typeof import('./figures.mjs').contributions>} rules
 */
export function print({ sources, totals, speed }, rules) {
  const rows = [
    ...Object.entries(sources),
    ...Object.entries(totals).map(([cls, row]) => [`all ${cls}`, { cls, ...row }]),
  ];
  console.log(
    'source                        class      texts              rules                   blocked     blocked or observed',
  );
  for (const [name, { cls, n, flagged, blocked, found }] of rows) {
    const cells = [flagged, blocked.flagged, found.flagged].map((hits) => interval(hits, n).padStart(24));
    console.log(`${name.padEnd(28)}  ${cls.padEnd(8)}  ${String(n).padStart(6)}  ${cells.join('  ')}`);
  }
  console.log('\nrule                                                hits  unique  benign    hard');
  for (const [id, row] of rules) {
    const cells = [row.hits, row.unique, row.benign, row.hard].map((cell) => String(cell).padStart(6));
    console.log(`${id.padEnd(48)}  ${cells.join('  ')}`);
  }
  console.log(
    `\n${Math.round(speed.texts_per_second)} texts/s, ${(speed.characters_per_second / 1e6).toFixed(2)} M characters/s, ` +
      `p50 ${speed.p50_ms.toFixed(3)} ms, p99 ${speed.p99_ms.toFixed(3)} ms, warm-up ${Math.round(speed.warm_up_ms)} ms`,
  );
}

/**
 * @param {readonly { name: string, n: number, kept: number, rate: number, bar: number }[]} rows
 * @param {Awaited<ReturnType<typeof import('./disguised.mjs').alarmsOfViews>>} alarms
 */
export function printDisguises(rows, { texts, added, hidden }) {
  console.log('disguise                          attacks    kept      rate  at least');
  for (const { name, n, kept, rate, bar } of rows) {
    const cells = [String(n).padStart(7), String(kept).padStart(6), percent(rate).padStart(8)];
    const missed = rate < bar ? '  missed' : '';
    console.log(`${name.padEnd(32)}  ${cells.join('  ')}  ${percent(bar).padStart(8)}${missed}`);
  }
  const met = rows.filter(({ rate, bar }) => rate >= bar).length;
  console.log(`\n${met} of ${rows.length} disguises meet their bar`);
  console.log(`${added} of ${texts} harmless texts are found with the views only: ${interval(added, texts)}`);
  const { found, total, worst } = hidden;
  console.log(
    `${found} of ${total} hidden harmless texts are found, which are not found plainly: ${interval(found, total)}` +
      (found > 0 ? `; most: ${worst.name}, ${worst.found} of ${hidden.texts}` : ''),
  );
}
