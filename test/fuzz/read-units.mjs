let units = 0;

/**
 * Counts the units of a text that anything reads: one for each call, and those between where a search began and where
 * it ended. How often V8 goes back within one match it does not tell: that shows in the time alone.
 */
export function countReadUnits() {
  count(RegExp.prototype, 'exec', readBySearch);
  count(String.prototype, 'charCodeAt', () => 0);
  count(String.prototype, 'codePointAt', () => 0);
  count(String.prototype, 'charAt', () => 0);
  count(String.prototype, 'startsWith', (_, [wanted]) => wanted.length);
  count(String.prototype, 'endsWith', (_, [wanted]) => wanted.length);
  count(String.prototype, 'slice', (part) => part.length);
  count(String.prototype, 'includes', (_, __, text) => text.length);
  count(
    String.prototype,
    'indexOf',
    (found, [, start = 0], text) => (found < 0 ? text.length : found) - start,
  );
}

/** A sticky one that does not match gives up where it stands. */
function readBySearch(match, [text], { global, sticky, lastIndex }) {
  const start = global || sticky ? lastIndex : 0;
  if (match !== null) return match.index + match[0].length - start;
  return sticky ? 0 : Math.max(0, text.length - start);
}

function count(prototype, name, read) {
  const original = prototype[name];
  prototype[name] = function (...given) {
    const { global, sticky, lastIndex, length } = this;
    const result = original.apply(this, given);
    units += 1 + read(result, given, { global, sticky, lastIndex, length });
    return result;
  };
}

/** Those that `work` reads. */
export function unitsReadBy(/** @type {() => unknown} */ work) {
  const before = units;
  work();
  return units - before;
}
