import { INVISIBLE } from './characters.js';
import type { Settings } from '#contracts/settings/settings.js';
import { UNICODE_LOOK_ALIKES } from './confusables.data.js';

/** The normalization steps to apply. They are independent of each other. */
export interface NormalizationOptions {
  readonly nfkc: boolean;
  readonly stripInvisible: boolean;
  readonly foldCase: boolean;
  readonly collapseWhiteSpace: boolean;
  readonly foldConfusables: boolean;
}

export const NO_NORMALIZATION: NormalizationOptions = {
  nfkc: false,
  stripInvisible: false,
  foldCase: false,
  collapseWhiteSpace: false,
  foldConfusables: false,
};

export function normalizationOptions(settings: Settings): NormalizationOptions {
  if (!settings.get('normalization.enabled')) return NO_NORMALIZATION;
  return {
    nfkc: settings.get('normalization.nfkc'),
    stripInvisible: settings.get('normalization.strip_zero_width'),
    foldCase: settings.get('normalization.casefold'),
    collapseWhiteSpace: true,
    foldConfusables: settings.get('normalization.fold_confusables'),
  };
}

const HIDDEN = new RegExp(`^[${INVISIBLE}\\p{Cf}]$`, 'u');

/** Without U+FEFF, which `\s` includes but which is invisible. */
const WHITE_SPACE = /^(?!\uFEFF)[\s\u0085]$/u;

/** Characters that can compose with the preceding one: marks, and Hangul vowels and finals. */
const JOINS_BACKWARD = /^[\p{M}\u1160-\u11FF]/u;

const MARK = /^\p{M}$/u;

export const isInvisible = cached((character) => HIDDEN.test(character) && !WHITE_SPACE.test(character));

export const isWhiteSpace = cached((character) => WHITE_SPACE.test(character));

export const isMark = cached((character) => MARK.test(character));

export const joinsBackward = cached((character) => JOINS_BACKWARD.test(character.normalize('NFKC')));

const MAX_CACHED = 8192;

/** Caches the answers of `test` per character, up to a limit. */
function cached(test: (character: string) => boolean): (character: string) => boolean {
  const answers = new Map<string, boolean>();
  return (character) => {
    const known = answers.get(character);
    if (known !== undefined) return known;
    const answer = test(character);
    if (answers.size < MAX_CACHED) answers.set(character, answer);
    return answer;
  };
}

/**
 * Maximum number of marks on one character, as in the Stream-Safe Text Format. Composing is quadratic in the number of
 * marks.
 */
export const MAX_MARKS = 30;

const composed = new Map<string, string>();

interface FoldedCluster {
  /** After NFKC. */
  readonly compatible: string;
  /** After NFKC and case folding. */
  readonly folded: string;
}

/** Applies the selected steps to a cluster: a character with the characters that compose with it. */
export function foldCluster(cluster: string, { nfkc, foldCase }: NormalizationOptions): FoldedCluster {
  const compatible = nfkc ? cachedFold(cluster, true, false) : cluster;
  return { compatible, folded: foldCase ? cachedFold(cluster, nfkc, true) : compatible };
}

function cachedFold(cluster: string, nfkc: boolean, foldCase: boolean) {
  const key = `${nfkc ? 'n' : ''}${foldCase ? 'c' : ''}:${cluster}`;
  const known = composed.get(key);
  if (known !== undefined) return known;
  const folded = foldUntilStable(cluster, nfkc, foldCase);
  if (composed.size < MAX_CACHED) composed.set(key, folded);
  return folded;
}

/** Repeats both steps until nothing changes, because lower case letters can compose where capitals could not. */
function foldUntilStable(cluster: string, nfkc: boolean, foldCase: boolean) {
  let current = cluster;
  for (;;) {
    let next = nfkc ? withoutExcessMarks(current.normalize('NFKC')) : current;
    if (foldCase) next = lowerCase(next);
    if (next === current) return next;
    current = next;
  }
}

/** Per code point, because `toLowerCase` of a word maps a final sigma differently. */
function lowerCase(text: string) {
  let small = '';
  for (const character of text) small += character.toLowerCase();
  return small;
}

function withoutExcessMarks(text: string) {
  if (text.length <= MAX_MARKS) return text;
  let kept = '';
  let height = 0;
  for (const character of text) {
    height = isMark(character) ? height + 1 : 0;
    if (height <= MAX_MARKS) kept += character;
  }
  return kept;
}

/** Look-alikes that are common in obfuscated text but not similar enough for the Unicode table. */
const LOOSER_LOOK_ALIKES: Readonly<Record<string, string>> = {
  D: 'ÐĐ',
  d: 'đɖ',
  e: 'єɛεҽ',
  f: 'ƒϝ',
  i: 'ɩ',
  l: 'łɭ',
  n: 'ηпɴռ',
  o: 'øə',
  r: 'гɾʀ',
  s: 'ʂ',
  u: 'цμ',
  w: 'ωɯ',
  z: 'ʐ',
};

/** Ranges of `A` to `Z` (or `a` to `z`) that NFKC leaves, or decomposes to `(a)`. */
const ENCLOSED: readonly (readonly [first: number, letter: 'A' | 'a'])[] = [
  [0x249c, 'a'],
  [0x1f110, 'A'],
  [0x1f150, 'A'],
  [0x1f170, 'A'],
  [0x1f1e6, 'A'],
];

const ASCII_OF: ReadonlyMap<string, string> = new Map([
  ...[UNICODE_LOOK_ALIKES, LOOSER_LOOK_ALIKES].flatMap((table) =>
    Object.entries(table).flatMap(([letter, alike]) =>
      Array.from(alike, (character): [string, string] => [character, letter]),
    ),
  ),
  ...ENCLOSED.flatMap(([first, letter]) =>
    Array.from({ length: 26 }, (_, at): [string, string] => [
      String.fromCodePoint(first + at),
      String.fromCharCode(letter.charCodeAt(0) + at),
    ]),
  ),
]);

const ASCII_LETTER = /^[A-Za-z]$/;

/**
 * The ASCII letter that looks like this character, if any: `a` for `а` and `á`. ASCII characters have none, because
 * folding `rn` to `m` would break ordinary words. NFKC folds full-width and mathematical letters.
 */
export function asciiLookAlike(character: string, { foldCase }: NormalizationOptions): string | undefined {
  const letter = character > '~' ? lookAlikeOf(character) : undefined;
  return foldCase ? letter?.toLowerCase() : letter;
}

/** NFKC and case folding change what a letter looks like: `В` looks like `B`, and `в` does not. */
function lookAlikeOfAny(forms: readonly string[], options: NormalizationOptions) {
  for (const form of forms) {
    const letter = asciiLookAlike(form, options);
    if (letter !== undefined) return letter;
  }
  return undefined;
}

function lookAlikeOf(character: string) {
  const known = ASCII_OF.get(character);
  if (known !== undefined) return known;
  const [base = '', ...marks] = Array.from(character.normalize('NFD'));
  if (marks.length === 0 || !marks.every(isMark)) return undefined;
  return ASCII_LETTER.test(base) ? base : ASCII_OF.get(base);
}

/** Flags of a table entry: the steps that changed the unit. The low 16 bits are the resulting unit. */
export const BY_NFKC = 0x10000;
export const BY_CASE = 0x20000;
export const BY_LOOK = 0x40000;
export const BY_SPACE = 0x80000;

/** The unit needs its context: it is removed, composes with others, becomes several units or is a surrogate. */
export const NEEDS_CONTEXT = -1;

/** Added to what is stored, so that 0 is unknown and memory that no text needs is not touched. */
const STORED = 2;

const tables = new Map<string, UnitTable>();

/** Results for units that map to exactly one unit, which is most of any text. Filled on first use of a unit. */
export class UnitTable {
  private readonly known = new Int32Array(0x10000);

  private constructor(private readonly options: NormalizationOptions) {}

  static for(options: NormalizationOptions): UnitTable {
    const { nfkc, stripInvisible, foldCase, collapseWhiteSpace, foldConfusables } = options;
    const key = [nfkc, stripInvisible, foldCase, collapseWhiteSpace, foldConfusables].join();
    const table = tables.get(key) ?? new UnitTable(options);
    tables.set(key, table);
    return table;
  }

  /** The resulting unit with its flags, or `NEEDS_CONTEXT`. */
  of(unit: number): number {
    const known = this.known[unit] ?? 0;
    if (known !== 0) return known - STORED;
    const entry = this.compute(unit);
    this.known[unit] = entry + STORED;
    return entry;
  }

  private compute(unit: number): number {
    if (unit >= 0xd800 && unit <= 0xdfff) return NEEDS_CONTEXT;
    const { stripInvisible, collapseWhiteSpace, foldConfusables } = this.options;
    const character = String.fromCharCode(unit);
    if (stripInvisible && isInvisible(character)) return NEEDS_CONTEXT;
    if (isMark(character) || joinsBackward(character)) return NEEDS_CONTEXT;
    const { compatible, folded } = foldCluster(character, this.options);
    if (folded.length !== 1 || isMark(folded)) return NEEDS_CONTEXT;
    if (collapseWhiteSpace && isWhiteSpace(folded))
      return folded === character ? spaceFor(character) : NEEDS_CONTEXT;
    const letter = foldConfusables
      ? lookAlikeOfAny([character, compatible, folded], this.options)
      : undefined;
    const written = letter ?? folded;
    if (written.length !== 1) return NEEDS_CONTEXT;
    return (
      written.charCodeAt(0) +
      (compatible === character ? 0 : BY_NFKC) +
      (folded === compatible ? 0 : BY_CASE) +
      (letter === undefined ? 0 : BY_LOOK)
    );
  }
}

function spaceFor(character: string) {
  return 0x20 + (character === ' ' ? 0 : BY_SPACE);
}
