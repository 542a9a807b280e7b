import { typeormStores } from 'nest-guardrails/typeorm';
import { interleaved, median } from '../measure.mjs';
import { figure, rounded, sized, thousands } from './figures.mjs';
import { VALUES } from './invented-rows.mjs';

const { q } = VALUES;
const page = { limit: 50 };

/** The default search over the largest database: the rows that one request reads per second. */
export async function defaultSearch({ url, rows }, { requests }) {
  const stores = typeormStores({ url });
  await stores.open();
  try {
    const figures = [];
    for (const [term, word] of [
      ['an absent', q.absent],
      ['a rare', q.rare],
    ]) {
      const rate = median(await coverage(stores.audit, word, requests));
      figures.push(
        figure({
          name: `q, default search for ${term} term: rows covered a second`,
          value: rate / 1e6,
          unit: 'M rows/s',
          atLeast: 1.5,
          detail: `${thousands(rate)} a second at ${sized(rows)} rows`,
        }),
      );
    }
    const [common] = await interleaved(15, [() => stores.audit.list({ q: q.common }, page)]);
    const detail = `p50 ${rounded(common)} ms at ${sized(rows)} rows`;
    return [
      ...figures,
      figure({ name: 'q, default search for a common term', value: common, unit: 'ms', detail }),
    ];
  } finally {
    await stores.close();
  }
}

/** Rows per second of each request, page after page, starting again after the last one. */
async function coverage(audit, word, requests) {
  const newest = (await audit.list({}, { limit: 1 })).entries[0].id;
  const rates = [];
  let cursor = newest + 1;
  for (let request = 0; request < requests; request++) {
    const started = performance.now();
    const { next_cursor: nextCursor } = await audit.list({ q: word }, { ...page, cursor });
    const end = nextCursor ?? 1;
    rates.push(((cursor - end) / (performance.now() - started)) * 1000);
    cursor = nextCursor ?? newest + 1;
  }
  return rates;
}

/** `search: 'trigram'`, on a database that was migrated with it. */
export async function trigramSearch({ url, rows }, { rounds }) {
  const stores = typeormStores({ url, search: 'trigram' });
  await stores.open();
  try {
    const terms = {
      'a rare term': q.rare,
      'an absent term': q.absent,
      'four characters of a rare term': 'zyzz',
    };
    const find = (word) => () => stores.audit.list({ q: word }, page);
    const times = await interleaved(rounds, [...Object.values(terms), q.common].map(find));
    const described = (time) => `p50 ${rounded(time)} ms at ${sized(rows)} rows`;
    return [
      ...Object.keys(terms).map((term, index) =>
        figure({
          name: `q, trigram search for ${term}`,
          value: times[index],
          unit: 'ms',
          atMost: 20,
          detail: described(times[index]),
        }),
      ),
      figure({
        name: 'q, trigram search for a common term',
        value: times.at(-1),
        unit: 'ms',
        detail: described(times.at(-1)),
      }),
    ];
  } finally {
    await stores.close();
  }
}
