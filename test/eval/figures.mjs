import { CLASSES } from './samples.mjs';

/**
 * @typedef {import('./samples.mjs').Sample & {
 *   rules: readonly string[], blocked: boolean, found: boolean, milliseconds: number,
 * }} Judged `rules`: without the classifier; `found`: blocked or observed
 */

/**
 * @template Item
 * @param {readonly Item[]} judged
 * @param {(item: Item) => string} nameOf
 * @returns {Map<string, Item[]>}
 */
export function grouped(judged, nameOf) {
  const groups = new Map();
  for (const item of judged) {
    const group = groups.get(nameOf(item));
    if (group === undefined) groups.set(nameOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** `flagged` and `rate` are those of the rules. @param {readonly Judged[]} judged */
export function share(judged) {
  const of = (isFlagged) => {
    const flagged = judged.filter(isFlagged).length;
    return { flagged, rate: judged.length === 0 ? 0 : flagged / judged.length };
  };
  return {
    n: judged.length,
    ...of(({ rules }) => rules.length > 0),
    blocked: of(({ blocked }) => blocked),
    found: of(({ found }) => found),
  };
}

const Z = 1.96;

/**
 * A share with its 95 % interval (Wilson).
 *
 * @param {number} hits
 * @param {number} total
 */
export function wilson(hits, total) {
  if (total === 0) return { rate: 0, low: 0, high: 0, hits, total };
  const rate = hits / total;
  const middle = (rate + Z ** 2 / (2 * total)) / (1 + Z ** 2 / total);
  const half =
    (Z * Math.sqrt((rate * (1 - rate)) / total + Z ** 2 / (4 * total ** 2))) / (1 + Z ** 2 / total);
  return { rate, low: Math.max(0, middle - half), high: middle + half, hits, total };
}

/**
 * The rates and times per source and class.
 *
 * @param {readonly Judged[]} judged
 * @param {number} warmUpMilliseconds
 */
export function figures(judged, warmUpMilliseconds) {
  const classesOf = new Map(
    [...grouped(judged, ({ source }) => source)].map(([source, items]) => [
      source,
      new Set(items.map(({ cls }) => cls)),
    ]),
  );
  const nameOf = ({ source, cls }) => (classesOf.get(source).size > 1 ? `${source} (${cls})` : source);
  const sources = [...grouped(judged, nameOf)].map(([name, items]) => [
    name,
    { cls: items[0].cls, ...share(items) },
  ]);
  return {
    sources: Object.fromEntries(sources.toSorted(([a], [b]) => a.localeCompare(b))),
    totals: Object.fromEntries(CLASSES.map((cls) => [cls, share(judged.filter((item) => item.cls === cls))])),
    speed: speed(judged, warmUpMilliseconds),
  };
}

/**
 * @param {readonly Judged[]} judged
 * @param {number} warmUpMilliseconds
 */
function speed(judged, warmUpMilliseconds) {
  const times = judged.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const seconds = times.reduce((sum, time) => sum + time, 0) / 1000;
  const characters = judged.reduce((sum, { text }) => sum + text.length, 0);
  const quantile = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return {
    texts_per_second: seconds === 0 ? 0 : judged.length / seconds,
    characters_per_second: seconds === 0 ? 0 : characters / seconds,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    warm_up_ms: warmUpMilliseconds,
  };
}

/**
 * Per rule: attacks found, attacks that no other rule found, and false positives.
 *
 * @param {readonly Judged[]} judged
 * @param {readonly string[]} ruleIds
 */
export function contributions(judged, ruleIds) {
  const table = new Map(ruleIds.map((id) => [id, { hits: 0, unique: 0, benign: 0, hard: 0 }]));
  for (const { rules, cls } of judged) {
    for (const id of rules) {
      const row = table.get(id);
      if (row === undefined) continue;
      if (cls !== 'attack') row[cls] += 1;
      else {
        row.hits += 1;
        if (rules.length === 1) row.unique += 1;
      }
    }
  }
  return table;
}
