import type { AST } from '@eslint-community/regexpp';
import type { Utf16Span } from '#contracts/common/spans.js';

/**
 * The maximum length of a part of a match: UTF-16 units, and how many runs of words, of characters that are not blank, and
 * of characters without the end of a sentence. The longest run of each kind differs from text to text, so that
 * `\w+ \w+` is at most two words and one unit long.
 */
export type MatchLength = readonly [units: number, words: number, solids: number, sentences: number];

/** The longest run of each kind in a text, in UTF-16 units. */
export type Runs = readonly [word: number, solid: number, sentence: number];

export const NO_LENGTH: MatchLength = [0, 0, 0, 0];

export function units(count: number): MatchLength {
  return [count, 0, 0, 0];
}

export function plus(one: MatchLength, other: MatchLength): MatchLength {
  return [one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]];
}

function times(length: MatchLength, count: number): MatchLength {
  if (count === 0) return NO_LENGTH;
  return [length[0] * count, length[1] * count, length[2] * count, length[3] * count];
}

/** The maximum of each part: in every text at least as long as each of the lengths. */
export function longest(lengths: readonly MatchLength[]): MatchLength {
  return lengths.reduce<MatchLength>(
    (one, other) => [
      Math.max(one[0], other[0]),
      Math.max(one[1], other[1]),
      Math.max(one[2], other[2]),
      Math.max(one[3], other[3]),
    ],
    NO_LENGTH,
  );
}

export function unitsIn(
  [count, words, solids, sentences]: MatchLength,
  [word, solid, sentence]: Runs,
): number {
  return count + words * word + solids * solid + sentences * sentence;
}

const BLANK = /\s/u;

/** Bit `kind` of a unit below 0x3100 is set if the unit ends a run of the kind. Above, only U+FEFF is blank. */
const ENDS = new Uint8Array(0x3100).map((_, unit) => endsOf(unit));
const ALL_KINDS = 0b111;

function endsOf(unit: number) {
  const text = String.fromCharCode(unit);
  const isBlank = BLANK.test(text);
  // Beyond ASCII only blanks end a word, so that no letter, mark or pair does.
  const endsWord = unit > 0x7f ? isBlank : !/\w/.test(text);
  return (endsWord ? 0b001 : 0) | (isBlank ? 0b010 : 0) | ('.!?'.includes(text) ? 0b100 : 0);
}

function endsAt(unit: number) {
  return ENDS[unit] ?? (unit === 0xfeff ? endsOf(unit) : 0);
}

/** @param parts the parts of the text to read */
export function longestRuns(text: string, parts: readonly Utf16Span[] = [[0, text.length]]): Runs {
  let [longestWord, longestSolid, longestSentence] = [0, 0, 0];
  for (const [start, end] of parts) {
    let [word, solid, sentence] = [start, start, start];
    for (let index = start; index <= end; index++) {
      const ends = index === end ? ALL_KINDS : endsAt(text.charCodeAt(index));
      if (ends === 0) continue;
      if ((ends & 0b001) !== 0) {
        if (index - word > longestWord) longestWord = index - word;
        word = index + 1;
      }
      if ((ends & 0b010) !== 0) {
        if (index - solid > longestSolid) longestSolid = index - solid;
        solid = index + 1;
      }
      if ((ends & 0b100) !== 0) {
        if (index - sentence > longestSentence) longestSentence = index - sentence;
        sentence = index + 1;
      }
    }
  }
  return [longestWord, longestSolid, longestSentence];
}

/** All characters that end a run of each kind. */
const ENDINGS = [0, 1, 2].map((kind) =>
  [...ENDS.keys(), 0xfeff]
    .filter((unit) => endsAt(unit) & (1 << kind))
    .map((unit) => String.fromCharCode(unit)),
);

const RUN: readonly MatchLength[] = [
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
];

const ENDLESS: MatchLength = [Infinity, 0, 0, 0];

/** Any number of this element: a run of the first kind that none of its characters ends. */
function runOf(element: AST.Element) {
  const members = charactersOf(element).map(({ raw }) => oneCharacter(raw));
  const kind = ENDINGS.findIndex((endings) =>
    members.every((member) => member !== null && !endings.some((text) => member.test(text))),
  );
  return RUN[kind] ?? ENDLESS;
}

/** The characters and classes in an element, the only parts that match text. */
function charactersOf(element: AST.Element): readonly { readonly raw: string }[] {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.flatMap(({ elements }) => elements.flatMap(charactersOf));
    case 'Quantifier':
      return charactersOf(element.element);
    case 'Assertion':
      return [];
    default:
      return [element];
  }
}

/** `null` for a back reference, and for syntax that needs the mode without `u`. */
function oneCharacter(source: string) {
  try {
    return /^\\[1-9k]/.test(source) ? null : new RegExp(`^(?:${source})$`, 'isu');
  } catch {
    return null;
  }
}

/** The maximum length of a match, over all alternatives. */
export function lengthOfOne(alternatives: readonly AST.Alternative[]): MatchLength {
  return longest(alternatives.map(({ elements }) => elements.map(lengthOf).reduce(plus, NO_LENGTH)));
}

/** The maximum length of what the element matches. */
export function lengthOf(element: AST.Element): MatchLength {
  switch (element.type) {
    case 'Character':
      return units(element.value > 0xffff ? 2 : 1);
    case 'CharacterSet':
      return units(!('negate' in element) || element.negate || element.kind === 'property' ? 2 : 1);
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return units(2);
    case 'Group':
    case 'CapturingGroup':
      return lengthOfOne(element.alternatives);
    case 'Quantifier':
      if (element.max === Infinity) return runOf(element.element);
      return times(lengthOf(element.element), element.max);
    case 'Assertion':
      return NO_LENGTH;
    default:
      element satisfies AST.Backreference;
      return ENDLESS;
  }
}
