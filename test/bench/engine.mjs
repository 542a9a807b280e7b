import { parseArgs } from 'node:util';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { finished } from '../../dist/libs/engine/src/resumable.js';
import { normalise } from '../../dist/libs/engine/src/screening/normalisation.js';
import { Screening } from '../../dist/libs/engine/src/screening/screening.js';
import { chatTexts, longText } from './engine-texts.mjs';
import { interleaved, median, quantile, timed } from './measure.mjs';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

const MEGABYTE = 1_000_000;
const settings = new Settings({ ...DEFAULT_SETTINGS, 'normalization.max_prompt_length': 2 * MEGABYTE });
const screening = new Screening({ screeners: [] });
const { asked, patterns } = screening.ruleset(settings);
const peers = asked.map(({ pattern }) => v8Regex(pattern));

const figures = [];
for (const [name, length, goal] of [
  ['200 B', 200, 0.5],
  ['2 KB', 2000, 0.5],
  ['50 KB', 50_000, 0.9],
  ['1 MB', MEGABYTE, 1.3],
]) {
  figures.push(await scan(name, length, goal));
}
figures.push(...(await wholeScreen()), ...(await oneMegabyte()));

if (values.json) console.log(JSON.stringify(figures));
else print();

/** The bare text of a rule, as V8 reads it on text whose case was folded away. */
function v8Regex(pattern) {
  const { source, flags } = /^\/(?<source>.*)\/(?<flags>[a-z]*)$/su.exec(pattern).groups;
  return new RegExp(source, [...new Set(`${flags.replaceAll(/[gy]/g, '')}i`)].join(''));
}

/** All rules over normalised text: ours, which tells where, against a loop that asks whether. */
async function scan(name, length, goal) {
  const whole = finished(normalise(longText(MEGABYTE), settings)).text;
  const count = Math.max(1, Math.min(100, Math.floor(whole.length / length)));
  const texts = Array.from({ length: count }, (_, index) =>
    whole.slice(index * length, (index + 1) * length),
  );
  const repeats = length >= MEGABYTE ? 5 : length >= 50_000 ? 7 : 21;
  const used = length === 50_000 ? texts.slice(0, 8) : texts;
  const [ours, peer] = await interleaved(repeats, [
    () => used.forEach((text) => finished(patterns.search(text))),
    () => used.forEach((text) => peers.forEach((regex) => regex.test(text))),
  ]);
  const ratio = ours / peer;
  return {
    name: `scan of ${name} against a loop of V8 regexes`,
    value: ratio,
    peer: { ours_ms: ours / used.length, v8_ms: peer / used.length, rules: asked.length },
    goal: `<= ${goal}`,
    met: ratio <= goal,
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
      name: 'whole screen, prompts a second',
      value: perSecond,
      peer: null,
      goal: '>= 15000',
      met: perSecond >= 15_000,
    },
    { name: 'whole screen, p99 in ms', value: p99, peer: null, goal: '<= 0.5', met: p99 <= 0.5 },
  ];
}

/** The longest slice is the longest time that another turn of the event loop had to wait. */
async function oneMegabyte() {
  const text = longText(MEGABYTE);
  const totals = [];
  const slices = [];
  for (let round = 0; round < 7; round++) {
    const watch = watchSlices();
    totals.push(await timed(() => screening.judge(text, {}, settings)));
    slices.push(watch.longest());
  }
  const total = median(totals);
  const slice = median(slices);
  return [
    { name: '1 MB, whole screen in ms', value: total, peer: null, goal: '<= 400', met: total <= 400 },
    { name: '1 MB, longest slice in ms', value: slice, peer: null, goal: '<= 50', met: slice <= 50 },
  ];
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

function print() {
  console.log('Ratios hold on a busy machine; times do not.\n');
  for (const { name, value, peer, goal, met } of figures) {
    const against = peer === null ? '' : `  (${peer.ours_ms.toFixed(3)} against ${peer.v8_ms.toFixed(3)} ms)`;
    console.log(
      `${name.padEnd(48)} ${value.toFixed(value < 100 ? 2 : 0).padStart(8)}  goal ${goal.padEnd(8)} ${met ? 'met' : 'NOT MET'}${against}`,
    );
  }
}
