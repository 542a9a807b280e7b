/** One scan that tells which detectors are worth running: it is why an ordinary text costs little. */
import { PAIRS, TRAITS, type Trait } from './text-traits.data.js';
import { AT_WORD, couldBegin, IN_WORD, pairOf, TOKEN_PAIRS } from './vendor-tokens.js';

/** Separators between two digits of one number, at most. */
const MAX_SEPARATORS = 2;
const MAX_CARD_SEPARATORS = 12;
const CAPITALS = 5;
const WORD = 6;
const VALUE = 8;
/** Units before the first digit that can belong to a number. */
const MAX_PREFIX = 3;
/** Units before the second of two digits that can begin an account number. */
const MAX_COUNTRY = 3;
/** Units before a digit after a dot that can begin an address. */
const MAX_OCTET = 4;
const DOT_CODE = 0x2e;

const OTHER = 0;
const BLANK = 1;
const LINE_FEED = 2;
const DOT = 3;
/** Other characters in a number, such as `(`. */
const SEPARATOR = 4;
/** `-` separates the digits of a number, and is a character of tokens as all that follow. */
const HYPHEN = 5;
const UNDERSCORE = 6;
const DIGIT = 7;
const LOWER = 8;
const UPPER = 9;

/** The kinds of the ASCII characters. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === '\n') return LINE_FEED;
  if (/\s/.test(character)) return BLANK;
  if (/\d/.test(character)) return DIGIT;
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  const kinds: Readonly<Record<string, number>> = { '-': HYPHEN, _: UNDERSCORE, '.': DOT };
  return kinds[character] ?? (/[/()]/.test(character) ? SEPARATOR : OTHER);
});

/** The traits of each pair of characters, and which pairs have any. */
const BITS = new Int32Array(128 * 128);
const HAS_BITS = new Uint8Array(128 * 128);
for (const [trait, pairs] of Object.entries(PAIRS))
  for (const [first = '', second] of pairs.split(' '))
    for (let code = 0; code < 128; code++) {
      const pair = pairOf(first + (second ?? String.fromCharCode(code)));
      BITS[pair] = (BITS[pair] ?? 0) | TRAITS[trait as Trait];
      HAS_BITS[pair] = 1;
    }

/** What a text contains. */
export interface TextContents {
  readonly traits: number;
  /** Where tokens of vendors could begin. */
  readonly tokens: readonly number[];
}

/** Finds in one scan which detectors could find anything in a text; of numbers, only what begins before `until`. */
export function contentsOf(text: string, until = text.length): TextContents {
  let traits: number = TRAITS.none;
  const tokens: number[] = [];
  let previous = 0;
  let word = 0;
  let value = 0;
  let capitals = 0;
  let number = 0;
  let card = 0;
  let digit = -1;
  let letter = -1;
  let border = -1;
  let digits = 0;
  let cardDigits = 0;
  let lineFeeds = 0;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    const unit = code < 128 ? code : 0;
    const pair = (previous << 7) | unit;
    previous = unit;
    if (HAS_BITS[pair] === 1) traits |= BITS[pair] ?? 0;
    const least = word === place - 1 ? AT_WORD : IN_WORD;
    if ((TOKEN_PAIRS[pair] ?? 0) >= least && couldBegin(text, place - 1, pair)) tokens.push(place - 1);
    const kind = code < 128 ? (KINDS[code] ?? OTHER) : SEPARATOR;
    if (kind >= LOWER) {
      letter = place;
      if (kind === LOWER) capitals = place + 1;
      else if (place - capitals === CAPITALS - 1 && capitals < until) traits |= TRAITS.capitals;
      continue;
    }
    capitals = place + 1;
    if (kind < DIGIT) word = place + 1;
    if (kind === DIGIT) {
      const separators = place - digit - 1;
      if (separators > MAX_SEPARATORS || letter > digit || border > digit) {
        digits = 0;
        number = place;
      }
      if (separators > MAX_CARD_SEPARATORS || letter > digit || lineFeeds > 1) {
        cardDigits = 0;
        card = place;
      }
      lineFeeds = 0;
      if (++digits === 6 && number - MAX_PREFIX < until) traits |= TRAITS.six_digits;
      if (++cardDigits === 13 && card < until) traits |= TRAITS.thirteen_digits;
      if (separators === 0 && place - MAX_COUNTRY < until) traits |= TRAITS.two_digits;
      const isDotted = separators === 1 && text.charCodeAt(place - 1) === DOT_CODE;
      if (isDotted && place - MAX_OCTET < until) traits |= TRAITS.dotted_number;
      digit = place;
    } else if (kind < HYPHEN) {
      if (kind > LINE_FEED) continue;
      if (kind !== BLANK) border = place;
      if (kind === OTHER) continue;
      if (kind === LINE_FEED) lineFeeds++;
      traits |= traitsOfRun(place - value);
      value = place + 1;
    }
  }
  return { traits: traits | traitsOfRun(text.length - value), tokens };
}

function traitsOfRun(length: number) {
  if (length < WORD) return TRAITS.none;
  return length < VALUE ? TRAITS.word : TRAITS.word | TRAITS.value;
}
