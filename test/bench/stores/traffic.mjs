import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { typeormStores } from 'nest-guardrails/typeorm';
import { median, ratioOf, timesInTurn } from '../measure.mjs';
import { figure, rounded, sized, thousands } from './figures.mjs';
import { countReads } from './reads.mjs';

const INSTANCE = fileURLToPath(new URL('./traffic-instance.mjs', import.meta.url));

/**
 * The p50 of every read of counts, of a small database and of one with many more rows in the last hour, alternately,
 * while another process appends to the latter.
 */
export async function traffic(busy, small, { rounds }) {
  const load = fork(INSTANCE, [busy.url]);
  const opened = [];
  try {
    const [rate] = await once(load, 'message');
    for (const { url } of [small, busy]) {
      const stores = typeormStores({ url, statementTimeoutMs: 30_000, responseTimeoutMs: 60_000 });
      await stores.open();
      opened.push(stores);
    }
    const figures = [];
    for (const name of Object.keys(countReads(Date.now()))) {
      const works = opened.map((stores) => () => countReads(Date.now())[name](stores));
      const [quiet, loaded] = await timesInTurn(rounds, works);
      figures.push(
        figure({
          name: `${name}, p50 with ${sized(busy.inLastHour)} rows in the last hour, while ${thousands(rate)} rows/s arrive`,
          floor: `the same without these rows, at the same time`,
          value: ratioOf(loaded, quiet),
          unit: '×',
          atMost: 2,
          detail: `${[quiet, loaded].map((times) => rounded(median(times))).join(' · ')} ms`,
        }),
      );
    }
    return figures;
  } finally {
    load.disconnect();
    for (const stores of opened) await stores.close();
  }
}
