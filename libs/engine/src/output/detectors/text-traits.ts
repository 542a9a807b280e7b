/** What the findings of a detector contain, as bits. A text without it is not searched. */
export const TRAITS = {
  none: 0,
  two_digits: 1,
  six_digits: 2,
  thirteen_digits: 4,
  dotted_number: 8,
  capitals: 16,
  value: 32,
  long_run: 64,
  word: 128,
} as const;

export type Trait = keyof typeof TRAITS;

/** Separators between two digits of one number, at most. */
const MAX_SEPARATORS = 2;
const MAX_CARD_SEPARATORS = 12;
const CAPITALS = 5;
const WORD = 6;
const VALUE = 8;
const LONG_RUN = 15;

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

/** Finds in one scan which detectors could find anything in a text. */
export function traitsOf(text: string): number {
  let traits: number = TRAITS.none;
  let [digits, cardDigits, separators, lineFeeds] = [0, 0, 0, 0];
  let [capitals, value, run] = [0, 0, 0];
  let before = BLANK;
  let last = BLANK;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    const kind = code < 128 ? (KINDS[code] ?? OTHER) : SEPARATOR;
    if (kind === DIGIT) {
      if (separators > MAX_SEPARATORS) digits = 0;
      if (separators > MAX_CARD_SEPARATORS || lineFeeds > 1) cardDigits = 0;
      separators = 0;
      lineFeeds = 0;
      if (++digits === 6) traits |= TRAITS.six_digits;
      if (++cardDigits === 13) traits |= TRAITS.thirteen_digits;
      if (last === DIGIT) traits |= TRAITS.two_digits;
      else if (last === DOT && before === DIGIT) traits |= TRAITS.dotted_number;
    } else {
      separators++;
      if (kind === LINE_FEED) lineFeeds++;
      if (kind >= LOWER) cardDigits = 0;
      if (kind >= LOWER || kind <= LINE_FEED) digits = kind === BLANK ? digits : 0;
    }
    capitals = kind === UPPER ? capitals + 1 : 0;
    if (capitals === CAPITALS) traits |= TRAITS.capitals;
    run = kind >= HYPHEN ? run + 1 : 0;
    if (run === LONG_RUN) traits |= TRAITS.long_run;
    value = kind === BLANK || kind === LINE_FEED ? 0 : value + 1;
    if (value === WORD) traits |= TRAITS.word;
    if (value === VALUE) traits |= TRAITS.value;
    before = last;
    last = kind;
  }
  return traits;
}
