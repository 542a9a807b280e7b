let units = 0;

/**
 * Counts the units of text that string and regex functions read: one per call plus the range of a search. Backtracking of
 * V8 within a match is not visible here and shows only in the time.
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

/** A sticky regex that does not match reads no further. */
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

/** The number of units that `work` reads. */
export function unitsReadBy(/** @type {() => unknown} */ work) {
  const before = units;
  work();
  return units - before;
}
