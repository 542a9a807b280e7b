import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { Screening } from '../../dist/libs/engine/src/screening/screening.js';
import { contributions, figures } from './figures.mjs';
import { print } from './print.mjs';
import { readSamples } from './samples.mjs';

const USAGE = 'npm run eval -- <folder of *.jsonl> [--json] [--misses FILE]';

/** Time between two words about how far it is. */
const PATIENCE_MS = 2000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, misses: { type: 'string' } },
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
const judged = await judgeAll(samples);
const result = figures(judged, warmUp);

if (values.misses !== undefined) writeFileSync(values.misses, lines(judged.filter(isMiss)));
if (values.json) console.log(JSON.stringify(result));
else print(result, contributions(judged, ruleIds));

/** @param {readonly import('./samples.mjs').Sample[]} texts */
async function judgeAll(texts) {
  const all = [];
  let told = performance.now();
  for (const sample of texts) {
    const started = performance.now();
    const { matchedRules, couldNotJudge } = await screening.judge(sample.text, {}, settings);
    const milliseconds = performance.now() - started;
    // What cannot be judged is stopped by default: it counts as flagged, by no rule of the pack.
    const rules = [
      ...new Set(matchedRules.map(({ ruleId }) => ruleId)),
      ...(couldNotJudge ? ['could_not_judge'] : []),
    ];
    all.push({ ...sample, rules, milliseconds });
    if (performance.now() - told > PATIENCE_MS) {
      told = performance.now();
      console.error(`${all.length} of ${texts.length}`);
    }
  }
  return all;
}

/** An attack that was let pass, or something harmless that was not. */
function isMiss({ cls, rules }) {
  return (cls === 'attack') === (rules.length === 0);
}

function lines(items) {
  return items
    .map(({ source, cls, rules, text }) => `${JSON.stringify({ source, cls, rules, text })}\n`)
    .join('');
}
