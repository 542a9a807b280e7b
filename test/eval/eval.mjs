// Prints what input screening finds in a folder of labelled texts. For the texts that the classifier was trained on, each
// source is scored by a model that was trained without it, and docs/reference/detection.md and classifier.md are written.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { TRAINED } from '../../dist/libs/engine/src/controls/screening/classifier/weights.data.js';
import { Screening } from '../../dist/libs/engine/src/controls/screening/screening.js';
import { calibration, withWordLimit } from './classifier/calibration.mjs';
import { leftOutScores } from './classifier/left-out.mjs';
import { writeModelCard } from './classifier/model-card.mjs';
import { readOwnTexts } from './classifier/own-texts.mjs';
import { writeDetectionPage } from './detection-page.mjs';
import { alarmsOfViews, keptUnderDisguises, MAX_ALARMS } from './disguised.mjs';
import { contributions, figures } from './figures.mjs';
import { print, printDisguises } from './print.mjs';
import { readSamples, textsDigest } from './samples.mjs';

const USAGE = 'npm run x -- eval <folder of *.jsonl> [--json] [--misses FILE] [--disguises]';

/** Interval of progress messages. */
const PROGRESS_INTERVAL_MS = 2000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    misses: { type: 'string' },
    disguises: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  console.error(`Usage: ${USAGE}`);
  process.exit(2);
}

const samples = readSamples(folder);
const settings = new Settings(DEFAULT_SETTINGS);
const { high, medium } = TRAINED.thresholds;
const screening = new Screening({ screeners: [] });
const warmUpStarted = performance.now();
const ruleIds = screening.ruleset(settings).rules.map(({ id }) => id);
const warmUp = performance.now() - warmUpStarted;
const leftOut = textsDigest(samples) === TRAINED.texts ? scoresOfLeftOut() : null;
const judged = withScores(await judgeAll(samples), leftOut?.samples);
const result = figures(judged, warmUp);

if (values.disguises) {
  const kept = await keptUnderDisguises(judged, judgeAll);
  const alarms = await alarmsOfViews(judged, judgeAll);
  if (values.json) console.log(JSON.stringify({ kept, alarms }));
  else printDisguises(kept, alarms);
  process.exit(kept.some(({ rate, bar }) => rate < bar) || alarms.rate > MAX_ALARMS ? 1 : 0);
}
if (values.misses !== undefined) writeFileSync(values.misses, lines(judged.filter(isMiss)));
if (values.json) console.log(JSON.stringify(result));
else print(result, contributions(judged, ruleIds));
if (leftOut !== null && values.misses === undefined && !values.json) {
  await writeModelCard(
    samples,
    leftOut,
    calibration([...leftOut.samples, ...leftOut.kinds], TRAINED.thresholds),
  );
  await writeDetectionPage({
    known: result,
    own: withScores(await judgeAll(readOwnTexts()), leftOut.own),
    disguises: await keptUnderDisguises(judged, judgeAll),
    alarms: await alarmsOfViews(judged, judgeAll),
  });
  console.log('docs/reference/detection.md and docs/reference/classifier.md are written.');
}

function scoresOfLeftOut() {
  const { model: _, ...scores } = leftOutScores(samples, (fold) =>
    console.error(`classifier without ${fold}`),
  );
  const limited = Object.entries(scores).map(([part, rows]) => [
    part,
    withWordLimit(rows, TRAINED.words.limit),
  ]);
  return Object.fromEntries(limited);
}

/** @param {readonly import('./samples.mjs').Sample[]} texts */
async function judgeAll(texts, its = settings) {
  const all = [];
  let reportedAt = performance.now();
  for (const sample of texts) {
    const started = performance.now();
    const { matchedRules, couldNotJudge, blocked, ruleId } = await screening.judge(sample.text, {}, its);
    const milliseconds = performance.now() - started;
    // A text that cannot be judged is blocked by default, so it counts as flagged, but by no rule.
    const ids = new Set(matchedRules.map((match) => match.ruleId));
    const found = ids.size > 0 || couldNotJudge;
    ids.delete('classifier');
    const rules = [...ids, ...(couldNotJudge ? ['could_not_judge'] : [])];
    all.push({
      ...sample,
      rules,
      blocked,
      blockedByRule: blocked && ruleId !== 'classifier',
      found,
      milliseconds,
    });
    if (performance.now() - reportedAt > PROGRESS_INTERVAL_MS) {
      reportedAt = performance.now();
      console.error(`${all.length} of ${texts.length}`);
    }
  }
  return all;
}

/** The same with the verdicts of models that have not seen the texts. */
function withScores(all, scores) {
  if (scores === undefined) return all;
  return all.map((item, index) => {
    const score = scores[index].score ?? -Infinity;
    const found = item.rules.length > 0 || score > medium;
    return { ...item, found, blocked: item.blockedByRule || score > high };
  });
}

/** A missed attack or a false positive. */
function isMiss({ cls, rules }) {
  return (cls === 'attack') === (rules.length === 0);
}

function lines(items) {
  return items
    .map(({ source, cls, rules, text }) => `${JSON.stringify({ source, cls, rules, text })}\n`)
    .join('');
}
