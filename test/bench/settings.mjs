import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { typeormStores } from 'nest-guardrails/typeorm';
import { startEngine } from '../../dist/libs/standalone/src/index.js';
import { startPostgres } from '../postgres/postgres-server.mjs';
import { chatTexts } from './engine-texts.mjs';
import { median, timed } from './measure.mjs';

const PATTERNS = 1000;
const LENGTH = 2000;
const CALLERS = 8;
const REPLACEMENTS = 30;
/** A class of many letters is long, and cheap to compile. */
const LETTERS = String.fromCharCode(...Array.from({ length: LENGTH }, (_, index) => 0x4e00 + 2 * index));
const author = { actorId: 'ops-1', requestId: 'bench', ifMatch: '*' };

/** Settings with many patterns: the longest stall of other work, the memory, and the cost of one changed pattern. */
export async function settingsFigures() {
  if (globalThis.gc === undefined)
    throw new Error('Start node with --expose-gc, as npm run x -- bench:engine does.');
  // The memory stores keep the history of the settings in the heap.
  const server = await startPostgres();
  const running = await startEngine({ stores: typeormStores({ url: server.url, migrate: true }) });
  const { engine, guardrails } = running;
  const texts = chatTexts(200);
  try {
    const put = (round, changed = PATTERNS) => engine.settings.update(patterns(round, changed), author);
    const stalls = { idle: [], put: [] };
    for (let round = 0; round < 3; round++) {
      stalls.idle.push(await longestStall(guardrails, texts, () => delay(1000)));
      stalls.put.push(await longestStall(guardrails, texts, () => put(round)));
    }
    const whole = [];
    const one = [];
    for (let round = 3; round < 6; round++) whole.push(await timed(() => put(round)));
    // After the first, only one pattern differs.
    await put(6, 1);
    for (let round = 7; round < 10; round++) one.push(await timed(() => put(round, 1)));
    // Until the cache of compiled patterns is full.
    for (let round = 10; round < 10 + REPLACEMENTS; round++) await put(round);
    const heapBefore = heap();
    for (let round = 10 + REPLACEMENTS; round < 10 + 2 * REPLACEMENTS; round++) await put(round);
    const heapAfter = heap();
    return [
      {
        name: `longest stall during a PUT of ${PATTERNS} patterns, ms`,
        value: median(stalls.put),
        peers: { 'the same load without a PUT': median(stalls.idle) },
        goal: '<= 20 ms or 2 × without',
        met: median(stalls.put) <= Math.max(20, 2 * median(stalls.idle)),
      },
      {
        name: 'one changed pattern, ms',
        value: median(one),
        peers: { 'all of them': median(whole) },
        goal: '<= 1/50 of all',
        met: median(one) <= median(whole) / 50,
      },
      {
        name: `heap after ${REPLACEMENTS} further PUTs, MB`,
        value: heapAfter,
        peers: { before: heapBefore },
        goal: '<= 1.2 of before',
        met: heapAfter <= 1.2 * heapBefore,
      },
    ];
  } finally {
    await running.stop();
    await server.stop();
  }
}

/** As many and as long as allowed. The first `changed` patterns differ in each round. */
function patterns(round, changed) {
  const entries = Array.from({ length: PATTERNS }, (_, index) => {
    const words = `project ${index < changed ? round : 0} ${index} `;
    return [`custom.rule_${index}`, `/${words}[${LETTERS.slice(0, LENGTH - words.length - 4)}]/`];
  });
  return { 'input_screen.patterns': Object.fromEntries(entries) };
}

/** The longest delay of the event loop while callers screen prompts and `work` runs. */
async function longestStall(guardrails, texts, work) {
  const load = { isOver: false };
  const caller = async (offset) => {
    for (let index = offset; !load.isOver; index++) {
      await guardrails.screen(texts[index % texts.length], { application: 'bench' });
      if (index % 20 === 0) await delay(1);
    }
  };
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const callers = Array.from({ length: CALLERS }, (_, index) => caller(index * 7));
  delays.enable();
  await work();
  delays.disable();
  load.isOver = true;
  await Promise.all(callers);
  return delays.max / 1e6;
}

function heap() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
