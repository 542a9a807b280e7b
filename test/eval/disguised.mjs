import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { DISGUISES } from './disguises.mjs';

/** Longer texts are not hidden, so that the run is short. */
const MAX_LENGTH = 500;
const MAX_ATTACKS = 200;
const MAX_HARMLESS = 400;

/** Of harmless texts, the share that may be found only because of the views. */
export const MAX_ALARMS = 0.002;

const WITHOUT_VIEWS = new Settings({ ...DEFAULT_SETTINGS, 'normalization.decode_views': [] });

/**
 * @typedef {{ cls: string, text: string, rules: readonly string[] }} Judged
 * @typedef {(samples: readonly Judged[], settings?: Settings) => Promise<readonly Judged[]>} Judge
 */

const isFound = ({ rules }) => rules.length > 0;

/**
 * Hides found attacks in every way, and returns the share that is still found.
 *
 * @param {readonly Judged[]} all
 * @param {Judge} judge
 */
export async function keptUnderDisguises(all, judge) {
  const chosen = evenly(
    all.filter((item) => item.cls === 'attack' && isFound(item) && item.text.length <= MAX_LENGTH),
    MAX_ATTACKS,
  );
  const rows = [];
  for (const [name, { hide, kept: bar }] of DISGUISES) {
    const kept = (await judge(hidden(chosen, hide))).filter(isFound).length;
    rows.push({ name, n: chosen.length, kept, rate: kept / chosen.length, bar });
  }
  return rows;
}

/**
 * Harmless texts that are found only with the views of `normalization.decode_views`, and those that are found only when
 * they are hidden: in total, and under the disguise with the most.
 *
 * @param {readonly Judged[]} all
 * @param {Judge} judge
 */
export async function alarmsOfViews(all, judge) {
  const harmless = all.filter(({ cls }) => cls !== 'attack');
  const plain = await judge(harmless, WITHOUT_VIEWS);
  const added = harmless.filter((item, at) => isFound(item) && !isFound(plain[at])).length;
  const chosen = evenly(
    harmless.filter((item) => !isFound(item) && item.text.length <= MAX_LENGTH),
    MAX_HARMLESS,
  );
  let found = 0;
  let worst = { name: '', found: 0 };
  for (const [name, { hide }] of DISGUISES) {
    const its = (await judge(hidden(chosen, hide))).filter(isFound).length;
    found += its;
    if (its > worst.found) worst = { name, found: its };
  }
  return {
    texts: harmless.length,
    added,
    rate: added / harmless.length,
    hidden: { texts: chosen.length, total: chosen.length * DISGUISES.size, found, worst },
  };
}

const hidden = (samples, hide) => samples.map((sample) => ({ ...sample, text: hide(sample.text) }));

/** At most twice as many as `most`. */
function evenly(items, most) {
  const step = Math.max(1, Math.floor(items.length / most));
  return items.filter((_, index) => index % step === 0);
}
