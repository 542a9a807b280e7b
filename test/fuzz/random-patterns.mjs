/**
 * Patterns and texts with the same meaning in both engines. Excluded because ECMAScript and RE2 differ by design: repeated
 * empty matches; line ends other than U+000A with `m`; the long s and the Kelvin sign with `\w` and `\b` if case is
 * ignored; capturing groups; a match of the empty text.
 */

const LETTERS = ['a', 'b', 'c', 'A', 'é', 'σ', 'ς', '忽', '😀'];
const WORDS = ['ignore', 'forget', 'rules', 'Rule', '忽略', '<|'];
const CLASSES = ['[ab]', '[^a]', '[a-c]', '[^b\\s]', '\\d', '\\s', '\\S', '.', '\\p{L}', '[😀é]', '[\\s.,]'];
const WORD_CLASSES = ['\\w', '\\W', '[\\W_]'];
const EDGES = ['^', '$'];
const WORD_EDGES = ['\\b', '\\B'];

const ENDLESS = ['+', '*', '+?', '*?', '{2,}'];
const BOUNDED = ['?', '??', '{2}', '{1,2}', '{0,2}?'];

/** At most once per pattern: with two of them V8 backtracks for too long. */
const WIDE = ['{1,60}', '{0,40}?', '{3,30}'];

const UNITS = [
  'a',
  'b',
  'c',
  'A',
  'B',
  ' ',
  ' ',
  '.',
  '1',
  '_',
  '-',
  'é',
  'É',
  'σ',
  'Σ',
  '忽',
  '😀',
  '\uD83D',
  '\n',
];
const ODD = ['\u017f', '\u212a'];

/**
 * @param {import('./random.mjs').Random} random
 * @param {boolean} endless allow unbounded repetition, for which V8 needs short texts
 */
export function randomPattern(random, endless) {
  const words = random.next() < 0.6;
  let wide = endless;
  const atom = () => {
    const kind = random.next();
    if (kind < 0.35) return { source: random.one(WORDS).replace('|', '\\|'), empty: false };
    if (kind < 0.6) return { source: random.one(LETTERS), empty: false };
    if (kind < 0.9)
      return { source: random.one(words ? [...CLASSES, ...WORD_CLASSES] : CLASSES), empty: false };
    return { source: random.one(words ? [...EDGES, ...WORD_EDGES] : EDGES), empty: true };
  };
  const quantifier = (/** @type {string} */ source) => {
    if (endless) return random.one([...ENDLESS, ...BOUNDED]);
    if (wide || source.startsWith('(')) return random.one(BOUNDED);
    wide = true;
    return random.one(WIDE);
  };
  /** @returns {{ source: string, empty: boolean }} */
  const piece = (/** @type {number} */ depth) => {
    const before = wide;
    const inside = depth > 0 && random.next() < 0.35 ? group(depth - 1) : atom();
    if (inside.empty || wide !== before || random.next() < 0.55) return inside;
    const times = quantifier(inside.source);
    return { source: `(?:${inside.source})${times}`, empty: /^(?:[*?]|\{0)/.test(times) };
  };
  const branch = (/** @type {number} */ depth) => {
    const pieces = random.some(4, () => piece(depth));
    return { source: pieces.map(({ source }) => source).join(''), empty: pieces.every(({ empty }) => empty) };
  };
  /** @returns {{ source: string, empty: boolean }} */
  const group = (depth) => {
    const branches = random.some(3, () => branch(depth));
    return {
      source: `(?:${branches.map(({ source }) => source).join('|')})`,
      empty: branches.some(({ empty }) => empty),
    };
  };
  return { source: group(2).source, flags: random.one(['u', 'iu', 'mu', 'su', 'imu']), words };
}

/**
 * @param {import('./random.mjs').Random} random
 * @param {{ readonly source: string, readonly words: boolean }} pattern
 * @param {boolean} long place parts of the text in different blocks of the search
 */
export function randomText(random, { words }, long) {
  const units = words ? UNITS : [...UNITS, ...ODD];
  const part = () => {
    const kind = random.next();
    if (kind < 0.35) return random.one(WORDS);
    if (kind < 0.4) return random.one(WORDS).toUpperCase();
    return long && kind < 0.5 ? random.one(units).repeat(100 + random.below(1500)) : random.one(units);
  };
  const text = random.some(long ? 30 : 9, part).join('');
  if (!long) return text.slice(0, 14);
  // Texts are searched in blocks of 256 units. Matches across the edge of a block must be found as well.
  return random.one(units).repeat(256 * (1 + random.below(3)) - random.below(10)) + text;
}
