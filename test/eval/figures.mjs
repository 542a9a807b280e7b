import { CLASSES } from './samples.mjs';

/** @typedef {import('./samples.mjs').Sample & { rules: readonly string[], milliseconds: number }} Judged */

/**
 * @param {readonly Judged[]} judged
 * @param {(item: Judged) => string} nameOf
 * @returns {Map<string, Judged[]>}
 */
function grouped(judged, nameOf) {
  const groups = new Map();
  for (const item of judged) {
    const group = groups.get(nameOf(item));
    if (group === undefined) groups.set(nameOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** @param {readonly Judged[]} judged */
function share(judged) {
  const flagged = judged.filter(({ rules }) => rules.length > 0).length;
  return { n: judged.length, flagged, rate: judged.length === 0 ? 0 : flagged / judged.length };
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
