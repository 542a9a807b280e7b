import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { Settings } from '../../../dist/libs/contracts/src/settings/settings.js';
import { Screening } from '../../../dist/libs/engine/src/controls/screening/screening.js';
import { median, ratioOf, timed } from '../measure.mjs';
import { figure, rounded, sized, thousands } from './figures.mjs';

const candidate = { 'input_screen.patterns': { monday: '/on monday, and why did no one ask/i' } };
const request = { candidate, control: 'input_screen', filter: {} };

/** Backtests, compared with screening the texts of the same slice from memory. */
export async function backtest({ url, rows }, { rounds }) {
  const stores = typeormStores({ url });
  await stores.open();
  const engine = createEngine({ stores, configured: DEFAULT_SETTINGS });
  const screening = new Screening({ screeners: [] });
  const settings = new Settings({ ...DEFAULT_SETTINGS, ...candidate });
  const [slices, memory, turns] = [[], [], []];
  let scanned = 0;
  let cursor;
  try {
    await engine.start();
    for (let round = 0; round < rounds + 2; round++) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      let slice;
      const time = await timed(async () => (slice = await engine.backtest.run({ ...request, cursor })));
      delay.disable();
      const texts = await textsOf(stores.audit, cursor, slice.scanned);
      const fromMemory = await timed(async () => {
        for (const text of texts) await screening.judge(text, {}, settings);
      });
      cursor = slice.next_cursor ?? undefined;
      if (round < 2) continue;
      scanned += slice.scanned;
      slices.push(time);
      memory.push(fromMemory);
      turns.push(delay.max / 1e6);
    }
  } finally {
    await engine.stop();
    await stores.close();
  }
  const rate = (scanned / slices.reduce((sum, time) => sum + time, 0)) * 1000;
  return [
    figure({
      name: `backtest of prompts at ${sized(rows)} rows`,
      floor: 'screening the same texts from memory',
      value: ratioOf(memory, slices),
      unit: '×',
      atLeast: 0.7,
      detail: `${thousands(rate)} a second, ${rounded(median(slices))} ms a slice`,
    }),
    figure({
      name: 'backtest, longest time of a slice without a turn for other work',
      value: median(turns),
      unit: 'ms',
      atMost: 50,
    }),
  ];
}

async function textsOf(audit, from, count) {
  const texts = [];
  for (let cursor = from; texts.length < count;) {
    const page = await audit.recordedTexts({ control: 'input_screen' }, { limit: 1_000, cursor });
    texts.push(...page.entries.map(({ prompt }) => prompt));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return texts.slice(0, count);
}
