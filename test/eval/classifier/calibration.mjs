import { grouped, wilson } from '../figures.mjs';

/**
 * For each setting of `input_screen.classifier_threshold`: the share of ordinary and of hard harmless texts above it, and the
 * share of every source and kind with enough texts.
 */
const ALLOWED = {
  low: { benign: 0.0084, hard: 0.04, source: 1 },
  medium: { benign: 0.0042, hard: 0.021, source: 1 },
  high: { benign: 0.001, hard: 0.0025, source: 0.01 },
};

/** Fewer texts say nothing about a share of a hundredth. */
const MIN_OF_SOURCE = 100;

export const THRESHOLDS = Object.keys(ALLOWED);

/** @typedef {import('./left-out.mjs').Judged} Judged */

/** @typedef {Judged & { readonly score: number | null }} Scored `null`: not judged */

/** The share of the found attacks whose words may score below the limit. */
const MAX_LOST = 0.002;

/**
 * @param {readonly Judged[]} judged by models that have not seen the source
 * @param {readonly Judged[]} own by models that have not seen the text
 */
export function wordLimitFor(judged, own) {
  const threshold = thresholdFor(withWordLimit(judged, -Infinity), 'medium');
  const ofFound = [...judged, ...own]
    .filter(({ cls }) => cls === 'attack')
    .flatMap(({ windows }) => windows.filter(({ score }) => score > threshold))
    .map(({ wordScore }) => wordScore);
  return ofFound.toSorted((one, other) => one - other)[Math.floor(ofFound.length * MAX_LOST)];
}

/**
 * The highest score of the windows of each text. Windows whose words alone score below the limit are never found.
 *
 * @param {readonly Judged[]} judged
 * @returns {readonly Scored[]}
 */
export function withWordLimit(judged, limit) {
  return judged.map((row) => {
    const scores = row.windows.map(({ score, wordScore }) => (wordScore < limit ? -Infinity : score));
    return { ...row, score: scores.length === 0 ? null : Math.max(...scores) };
  });
}

/**
 * The lowest threshold that keeps all shares.
 *
 * @param {readonly Scored[]} scored
 * @param {string} name
 */
export function thresholdFor(scored, name) {
  const { source: ofSource, ...ofClasses } = ALLOWED[name];
  const harmless = scored.filter(({ cls }) => cls !== 'attack');
  const sources = [...grouped(harmless, ({ source }) => source).values()];
  return Math.max(
    ...Object.entries(ofClasses).map(([cls, share]) =>
      exceededBy(
        harmless.filter((row) => row.cls === cls),
        share,
      ),
    ),
    ...sources.filter(({ length }) => length >= MIN_OF_SOURCE).map((rows) => exceededBy(rows, ofSource)),
  );
}

/** The lowest threshold that at most this share exceeds. */
function exceededBy(rows, share) {
  const scores = rows.map(({ score }) => score ?? -Infinity);
  return scores.toSorted((one, other) => other - one)[Math.floor(scores.length * share)] ?? -Infinity;
}

/** @param {readonly Scored[]} rows @param {(row: Scored) => number} thresholdOf */
export function found(rows, thresholdOf) {
  return wilson(rows.filter((row) => (row.score ?? -Infinity) > thresholdOf(row)).length, rows.length);
}

/**
 * What each threshold finds in texts of left-out sources: once with the threshold of the package, and once with one that was
 * chosen without the source or kind, as for texts of a new one.
 *
 * @param {readonly Scored[]} scored
 * @param {Readonly<Record<string, number>>} thresholds those of the package
 */
export function calibration(scored, thresholds) {
  const folds = [...new Set(scored.map(({ fold }) => fold))];
  return THRESHOLDS.map((name) => {
    const others = new Map(
      folds.map((fold) => [
        fold,
        thresholdFor(
          scored.filter((row) => row.fold !== fold),
          name,
        ),
      ]),
    );
    return { name, threshold: thresholds[name], unseen: ({ fold }) => others.get(fold) };
  });
}
