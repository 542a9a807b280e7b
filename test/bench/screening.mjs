import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { runToEnd } from '../../dist/libs/engine/src/shared/resumable.js';
import { normalize } from '../../dist/libs/engine/src/text/normalization.js';
import { Screening } from '../../dist/libs/engine/src/controls/screening/screening.js';
import { chatTexts, honestTexts, longText } from './engine-texts.mjs';
import { interleaved, median, quantile, ratioOf, timed, timesInTurn } from './measure.mjs';

const MEGABYTE = 1_000_000;
const settings = new Settings({ ...DEFAULT_SETTINGS, 'normalization.max_prompt_length': 2 * MEGABYTE });
const screening = new Screening({ screeners: [] });
const ruleset = screening.ruleset(settings);
const patterns = ruleset.patternsFor('prompt');
const active = ruleset.placesFor('prompt').map((place) => ruleset.active[place]);
const peers = active.map(({ pattern }) => v8Regex(pattern));

/**
 * Screening, compared with a loop of V8 regexes and on its own.
 *
 * @param {string | undefined} before a built clone of commit bbbb067d, whose default installation is then also measured
 */
export async function screeningFigures(before) {
  const figures = [];
  for (const [name, length, goal] of [
    ['200 B', 200, 0.5],
    ['2 KB', 2000, 0.5],
    ['50 KB', 50_000, 0.9],
    ['1 MB', MEGABYTE, 1.3],
  ]) {
    figures.push(await scan(name, length, goal));
  }
  const beside = before === undefined ? [] : [await chatBeside(resolve(before))];
  return [...figures, ...(await wholeScreen()), ...beside, await withClassifier(), ...(await slices())];
}

async function chatBeside(folder) {
  const load = (path) => import(pathToFileURL(join(folder, 'dist/libs', path)).href);
  const { DEFAULT_SETTINGS: defaults, Settings: Theirs } = await load('contracts/src/settings/settings.js');
  const { Screening: TheirScreening } = await load('engine/src/screening/screening.js');
  const texts = chatTexts(3000);
  const judging = (judge, its) => async () => {
    for (const text of texts) await judge.judge(text, {}, its);
  };
  const [ours, theirs] = await timesInTurn(15, [
    judging(screening, new Settings(DEFAULT_SETTINGS)),
    judging(new TheirScreening({ screeners: [] }), new Theirs(defaults)),
  ]);
  const perSecond = (times) => (texts.length / median(times)) * 1000;
  const ratio = ratioOf(theirs, ours);
  return {
    name: 'whole screen beside bbbb067d, prompts per second',
    value: perSecond(ours),
    peers: { bbbb067d: perSecond(theirs) },
    goal: '>= 1.3 of it',
    met: ratio >= 1.3,
  };
}

/** The pattern of a rule as a V8 regex for case-folded text. */
function v8Regex(pattern) {
  const { source, flags } = /^\/(?<source>.*)\/(?<flags>[a-z]*)$/su.exec(pattern).groups;
  return new RegExp(source, [...new Set(`${flags.replaceAll(/[gy]/g, '')}i`)].join(''));
}

/** All rules on normalized text: ours returns spans, the V8 loop only tests. */
async function scan(name, length, goal) {
  const whole = runToEnd(normalize(longText(MEGABYTE), settings)).text;
  const count = Math.max(1, Math.min(100, Math.floor(whole.length / length)));
  const texts = Array.from({ length: count }, (_, index) =>
    whole.slice(index * length, (index + 1) * length),
  );
  const repeats = length >= MEGABYTE ? 5 : length >= 50_000 ? 7 : 21;
  const used = length === 50_000 ? texts.slice(0, 8) : texts;
  const [ours, peer] = await interleaved(repeats, [
    () => used.forEach((text) => runToEnd(patterns.search(text))),
    () => used.forEach((text) => peers.forEach((regex) => regex.test(text))),
  ]);
  return {
    name: `scan of ${name} by ${active.length} rules, ms`,
    value: ours / used.length,
    peers: { 'a loop of V8 regexes': peer / used.length },
    goal: `<= ${goal} of V8`,
    met: ours <= goal * peer,
  };
}

async function wholeScreen() {
  const texts = chatTexts(3000);
  const rounds = [];
  for (let round = 0; round < 9; round++) {
    const times = [];
    for (const text of texts) times.push(await timed(() => screening.judge(text, {}, settings)));
    if (round > 1) rounds.push(times);
  }
  const perSecond = median(
    rounds.map((times) => (times.length / times.reduce((sum, time) => sum + time, 0)) * 1000),
  );
  const p99 = median(rounds.map((times) => quantile(times, 0.99)));
  return [
    {
      name: 'whole screen, prompts per second',
      value: perSecond,
      peers: {},
      goal: '>= 15000',
      met: perSecond >= 15_000,
    },
    { name: 'whole screen, p99 in ms', value: p99, peers: {}, goal: '<= 0.5', met: p99 <= 0.5 },
  ];
}

/** Honest texts that the classifier was not trained on. */
async function withClassifier() {
  const texts = honestTexts();
  const without = settings.with(new Map([['input_screen.rule_modes', { classifier: 'off' }]]));
  const judging = (its) => async () => {
    for (const text of texts) await screening.judge(text, {}, its);
  };
  const [ours, others] = await timesInTurn(15, [judging(settings), judging(without)]);
  const ratio = ratioOf(ours, others);
  return {
    name: `whole screen of ${texts.length} honest texts, ms`,
    value: median(ours),
    peers: { 'without the classifier': median(others) },
    goal: '<= 1.2 of without',
    met: ratio <= 1.2,
  };
}

/** The longest slice is the longest time for which the event loop was blocked. */
async function slices() {
  const text = longText(MEGABYTE);
  const limit = DEFAULT_SETTINGS['normalization.max_prompt_length'];
  const whole = await sliced(text, 7);
  const atLimit = await sliced(text.slice(0, limit), 21);
  return [
    {
      name: '1 MB, whole screen in ms',
      value: whole.total,
      peers: {},
      goal: '<= 400',
      met: whole.total <= 400,
    },
    {
      name: '1 MB, longest slice in ms',
      value: whole.slice,
      peers: {},
      goal: '<= 20',
      met: whole.slice <= 20,
    },
    {
      name: `${limit} characters, longest slice in ms`,
      value: atLimit.slice,
      peers: {},
      goal: '<= 10',
      met: atLimit.slice <= 10,
    },
  ];
}

async function sliced(text, rounds) {
  const totals = [];
  const longest = [];
  for (let round = 0; round < rounds; round++) {
    const watch = watchSlices();
    totals.push(await timed(() => screening.judge(text, {}, settings)));
    longest.push(watch.longest());
  }
  return { total: median(totals), slice: median(longest) };
}

function watchSlices() {
  let last = performance.now();
  let longest = 0;
  let watching = true;
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (watching) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    longest() {
      watching = false;
      return longest;
    },
  };
}
