// Speed of the panel in Chromium: npm run x -- bench:panel [--rounds 3] [--minutes 60] [--only heap]
//
// Every screen of the demo from a cold cache, locally and under slow 4G (150 ms, 1.6 Mbit/s) with a processor that is
// four times slower, the scrolling of 10,000 rows, every screen over a million rows in PostgreSQL, and the heap while 100
// events a second arrive. Prints medians and goals, and never fails because of a goal.
import { startBrowser } from '../panel/browser.mjs';
import { startDemo } from '../panel/demo.mjs';
import { openHost } from '../panel/hosts.mjs';
import { SCREENS } from '../panel/screens.mjs';
import { settled, Stage } from '../panel/stage.mjs';
import { median, quantile } from './measure.mjs';
import { heapUnderEvents, screensOver } from './panel-load.mjs';

const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const option = (name, otherwise) => Number(argument(name)) || otherwise;
const ROUNDS = option('--rounds', 3);
const MINUTES = option('--minutes', 60);
const MANY_ROWS = 1_000_000;
const ROWS = 10_000;
const FRAMES = 300;
const PIXELS_A_FRAME = 1400;
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

const only = process.argv.includes('--only') ? argument('--only') : undefined;
// The other parts have hosts of their own.
const needsDemo = only === undefined || only === 'screens';
const [demo, browser] = await Promise.all([needsDemo ? startDemo() : null, startBrowser({ isWhole: true })]);
try {
  const parts = { screens: benchScreens, scrolling: benchScrolling, rows: benchRows, heap: benchHeap };
  for (const [name, part] of Object.entries(parts)) if (only === undefined || only === name) await part();
} finally {
  await browser.close();
  await demo?.stop();
}

async function benchScreens() {
  const stage = new Stage(demo, browser);
  const id = await stage.park('Refund 2000 euros for order A-1197');
  const rows = [];
  for (const path of [`/approvals/${id}`, ...SCREENS]) {
    const loads = { slow: [], local: [] };
    for (let round = 0; round < ROUNDS; round++) {
      loads.slow.push(await load(path, true));
      loads.local.push(await load(path, false));
    }
    const of = (kind, figure) => median(loads[kind].map((each) => each[figure]));
    rows.push([path, of('slow', 'lcp'), of('local', 'lcp'), of('slow', 'inp'), cls(loads)]);
  }
  print('Screens, from a cold cache', [
    ['screen', 'LCP slow 4G, ms', 'LCP local, ms', 'INP slow, ms', 'CLS'],
    ['goal', '<= 1000', '<= 300', '<= 100', '<= 0.02'],
    ...rows.map(([path, ...figures]) => [
      path,
      ...figures.map((figure, at) => figure.toFixed(at === 3 ? 3 : 0)),
    ]),
  ]);
}

function cls({ slow, local }) {
  return median([...slow, ...local].map((each) => each.cls));
}

/** Loads the screen without a cache, and then performs its main action. */
async function load(path, isSlow) {
  const stage = new Stage(demo, browser);
  const page = await stage.browse('ops-1', { size: isSlow ? 'phone' : 'desktop' });
  await page.addInitScript(observe);
  if (isSlow) {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  await stage.go(page, path);
  const { lcp, cls: shift } = await afterPaint(page);
  await act(page, path);
  const { inp } = await afterPaint(page);
  await stage.close();
  return { lcp, cls: shift, inp };
}

/** Opens the confirmation of an approval; on other screens the palette, which lists screens, rules and settings. */
async function act(page, path) {
  if (/^\/approvals\/\d/.test(path)) await page.getByRole('button', { name: 'Approve…' }).click();
  else await page.keyboard.press('Control+k');
  await page.locator('dialog[open]').waitFor();
}

function observe() {
  window.figures = { lcp: 0, cls: 0, inp: 0 };
  const on = (type, note, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
      ...options,
    });
  on('largest-contentful-paint', ({ startTime }) => (window.figures.lcp = startTime));
  on('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) window.figures.cls += value;
  });
  on(
    'event',
    ({ interactionId, duration }) => {
      if (interactionId > 0) window.figures.inp = Math.max(window.figures.inp, duration);
    },
    { durationThreshold: 16 },
  );
}

/** Reads the figures after two more frames, so that the observers have run. */
function afterPaint(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() => setTimeout(() => resolve({ ...window.figures }), 100)),
        );
      }),
  );
}

async function benchScrolling() {
  await openHost({}, async ({ url, guardrails }) => {
    for (let row = 0; row < ROWS; row++) {
      await guardrails.screen(`Where is order ${row}?`, { principalId: `customer-${row % 50}` });
    }
    const stage = new Stage(demo, browser);
    const page = await stage.browse(null, { baseURL: url });
    await page.goto('/guardrails/panel/audit');
    await settled(page);
    const loaded = await page.evaluate(loadRows, ROWS);
    const frames = await page.evaluate(scrollUp, { frames: FRAMES, pixels: PIXELS_A_FRAME });
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    await stage.close();
    print(`Scrolling ${loaded.toLocaleString('en')} rows of the audit`, [
      ['', 'p95 of a frame, ms', 'heap, MB', 'DOM nodes'],
      ['goal', '<= 20', '<= 60', '<= 600'],
      ['measured', quantile(frames, 0.95).toFixed(1), (usedSize / 1e6).toFixed(1), String(nodes)],
    ]);
  });
}

async function benchRows() {
  const stage = new Stage(demo, browser);
  const times = await screensOver(MANY_ROWS, { stage, rounds: ROUNDS });
  await stage.close();
  print(`Screens over ${MANY_ROWS.toLocaleString('en')} rows`, [
    ['screen', 'usable, ms'],
    ['goal', '<= 1000'],
    ...times.map(([screen, time]) => [screen, time.toFixed(0)]),
  ]);
}

async function benchHeap() {
  const stage = new Stage(demo, browser);
  const samples = await heapUnderEvents(MINUTES, { stage });
  await stage.close();
  print(`An open audit for ${MINUTES} minutes with 100 events a second`, [
    ['minute', 'heap, MB', 'DOM nodes with detached ones'],
    ['goal', 'no growth', 'no growth'],
    ...samples.map(({ minute, heap, nodes }) => [minute.toFixed(1), (heap / 1e6).toFixed(1), String(nodes)]),
  ]);
}

/** Scrolls to the end until this many rows are loaded. */
async function loadRows(wanted) {
  const count = () => {
    const shown = [...document.querySelectorAll('tr[aria-rowindex]')];
    return Math.max(0, ...shown.map((row) => Number(row.getAttribute('aria-rowindex')) - 1));
  };
  const scroller = document.scrollingElement;
  for (let still = 0, before = 0; count() < wanted && still < 200;) {
    scroller.scrollTop = scroller.scrollHeight;
    await new Promise(requestAnimationFrame);
    still = count() === before ? still + 1 : 0;
    before = count();
  }
  return count();
}

/** The times between frames while the list scrolls. */
async function scrollUp({ frames, pixels }) {
  const times = [];
  const scroller = document.scrollingElement;
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < frames; frame++) {
    scroller.scrollTop -= pixels;
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}

function print(title, table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  ');
  console.log(`\n${title}\n${table.map(line).join('\n')}`);
}
