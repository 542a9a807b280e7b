import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { Screening } from '../../dist/libs/engine/src/screening/screening.js';
import { contributions, figures } from './figures.mjs';
import { writeDetectionPage } from './detection-page.mjs';
import { alarmsOfViews, keptUnderDisguises, MAX_ALARMS } from './disguised.mjs';
import { print, printDisguises } from './print.mjs';
import { TRAINED } from '../../dist/libs/engine/src/screening/classifier/weights.data.js';
import { withWordLimit } from './classifier/calibration.mjs';
import { leftOutScores } from './classifier/left-out.mjs';
import { readSamples, textsDigest } from './samples.mjs';

const USAGE = 'npm run eval -- <folder of *.jsonl> [--json] [--misses FILE] [--disguises] [--page]';

/** Interval of progress messages. */
const PROGRESS_INTERVAL_MS = 2000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    misses: { type: 'string' },
    disguises: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  console.error(`Usage: ${USAGE}`);
  process.exit(2);
}

const samples = readSamples(folder);
const settings = new Settings(DEFAULT_SETTINGS);
const screening = new Screening({ screeners: [] });
const warmUpStarted = performance.now();
const ruleIds = screening.ruleset(settings).rules.map(({ id }) => id);
const warmUp = performance.now() - warmUpStarted;
const judged = classified(await judgeAll(samples));
const result = figures(judged, warmUp);

if (values.page) {
  const kept = await keptUnderDisguises(judged, judgeAll);
  await writeDetectionPage(result, kept, await alarmsOfViews(judged, judgeAll));
  process.exit();
}
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

/** @param {readonly import('./samples.mjs').Sample[]} texts */
async function judgeAll(texts, its = settings) {
  const all = [];
  let reportedAt = performance.now();
  for (const sample of texts) {
    const started = performance.now();
    const { matchedRules, couldNotJudge } = await screening.judge(sample.text, {}, its);
    const milliseconds = performance.now() - started;
    // A text that cannot be judged is blocked by default, so it counts as flagged, but by no rule.
    const found = new Set(matchedRules.map(({ ruleId }) => ruleId));
    const classifier = found.delete('classifier');
    const rules = [...found, ...(couldNotJudge ? ['could_not_judge'] : [])];
    all.push({ ...sample, rules, classifier, milliseconds });
    if (performance.now() - reportedAt > PROGRESS_INTERVAL_MS) {
      reportedAt = performance.now();
      console.error(`${all.length} of ${texts.length}`);
    }
  }
  return all;
}

/**
 * Where the classifier was trained on these texts, each is scored by a model that was trained without its source.
 *
 * @param {readonly import('./figures.mjs').Judged[]} all
 */
function classified(all) {
  if (textsDigest(samples) !== TRAINED.texts) return all;
  const leftOut = leftOutScores(samples, (fold) => console.error(`classifier without ${fold}`));
  const scores = withWordLimit(leftOut, TRAINED.words.limit);
  const threshold = TRAINED.thresholds['0.5%'];
  return all.map((item, index) => ({ ...item, classifier: (scores[index].score ?? -Infinity) > threshold }));
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
