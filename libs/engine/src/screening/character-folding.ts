import type { Settings } from '../../../contracts/src/settings/settings.js';
import { UNICODE_LOOK_ALIKES } from './confusables.data.js';

/** Which foldings apply. Each works alone. */
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

/** Takes no place on a page, so that a reader does not see what a model reads. White space is none of them. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]$/u;

/** U+FEFF is white space to ECMAScript, and nothing at all to a reader. */
const WHITE_SPACE = /^(?!\uFEFF)[\s\u0085]$/u;

/** Joins to what stands before it when text is composed: marks, and the vowels and finals of Hangul. */
const JOINS_BACKWARD = /^[\p{M}\u1160-\u11FF]/u;

const MARK = /^\p{M}$/u;

export const isInvisible = remembered(
  (character) => INVISIBLE.test(character) && !WHITE_SPACE.test(character),
);

export const isWhiteSpace = remembered((character) => WHITE_SPACE.test(character));

export const isMark = remembered((character) => MARK.test(character));

export const joinsBackward = remembered((character) => JOINS_BACKWARD.test(character.normalize('NFKC')));

const MAX_CACHED = 8192;

/** Asks once per character. The memory is bounded, and full of what texts really use. */
function remembered(ask: (character: string) => boolean): (character: string) => boolean {
  const answers = new Map<string, boolean>();
  return (character) => {
    const known = answers.get(character);
    if (known !== undefined) return known;
    const answer = ask(character);
    if (answers.size < MAX_CACHED) answers.set(character, answer);
    return answer;
  };
}

/**
 * Marks that one character keeps, as in the Stream-Safe Text Format: composing a tower of marks costs
 * the square of its height.
 */
export const MAX_MARKS = 30;

const composed = new Map<string, string>();

/** One cluster (a character and what joins it) in its compatibility form, and in small letters. */
export function foldCluster(cluster: string, nfkc: boolean, foldCase: boolean): string {
  const key = `${nfkc ? 'n' : ''}${foldCase ? 'c' : ''}:${cluster}`;
  const known = composed.get(key);
  if (known !== undefined) return known;
  const folded = settle(cluster, nfkc, foldCase);
  if (composed.size < MAX_CACHED) composed.set(key, folded);
  return folded;
}

/** Small letters can compose where capitals could not, so it goes round until nothing moves. */
function settle(cluster: string, nfkc: boolean, foldCase: boolean): string {
  let current = cluster;
  for (;;) {
    let next = nfkc ? withoutTower(current.normalize('NFKC')) : current;
    if (foldCase) next = smallLetters(next);
    if (next === current) return next;
    current = next;
  }
}

/** Per code point: the small sigma must not depend on where a word ends. */
function smallLetters(text: string): string {
  let small = '';
  for (const character of text) small += character.toLowerCase();
  return small;
}

function withoutTower(text: string): string {
  if (text.length <= MAX_MARKS) return text;
  let kept = '';
  let height = 0;
  for (const character of text) {
    height = isMark(character) ? height + 1 : 0;
    if (height <= MAX_MARKS) kept += character;
  }
  return kept;
}

/** What Unicode's table does not hold, since a careful eye tells them apart: those who disguise text do not care. */
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

const ASCII_OF: ReadonlyMap<string, string> = new Map(
  [UNICODE_LOOK_ALIKES, LOOSER_LOOK_ALIKES].flatMap((table) =>
    Object.entries(table).flatMap(([letter, alike]) =>
      Array.from(alike, (character): [string, string] => [character, letter]),
    ),
  ),
);

const ASCII_LETTER = /^[A-Za-z]$/;

/**
 * The ASCII letter that a reader takes this character for, if there is one: `а` and `á` are both taken for `a`.
 * Never for an ASCII character: folding `rn` to `m` would break honest words. Full-width and mathematical letters
 * are none of these, since NFKC folds them.
 */
export function asciiLookAlike(character: string): string | undefined {
  const known = ASCII_OF.get(character);
  if (known !== undefined) return known;
  const [base = '', ...marks] = Array.from(character.normalize('NFD'));
  if (marks.length === 0 || !marks.every(isMark)) return undefined;
  return ASCII_LETTER.test(base) ? base : ASCII_OF.get(base);
}

/** What a unit became, beside the unit that it became. */
export const BY_NFKC = 0x10000;
export const BY_CASE = 0x20000;
export const BY_LOOK = 0x40000;

/** The unit does not stand alone: it vanishes, joins others, becomes several, or is half of a pair. */
export const INVOLVED = 0xffffffff;

const UNKNOWN = 0xfffffffe;

const tables = new Map<string, UnitTable>();

/** What becomes of units of which one becomes one: most of any text. Learnt as texts use them. */
export class UnitTable {
  private readonly known = new Uint32Array(0x10000).fill(UNKNOWN);

  private constructor(private readonly options: NormalizationOptions) {}

  static for(options: NormalizationOptions): UnitTable {
    const { nfkc, stripInvisible, foldCase, collapseWhiteSpace, foldConfusables } = options;
    const key = [nfkc, stripInvisible, foldCase, collapseWhiteSpace, foldConfusables].join();
    const table = tables.get(key) ?? new UnitTable(options);
    tables.set(key, table);
    return table;
  }

  /** The unit that it becomes, and by what; or `INVOLVED`. */
  of(unit: number): number {
    const known = this.known[unit] ?? INVOLVED;
    if (known !== UNKNOWN) return known;
    const learnt = this.learn(unit);
    this.known[unit] = learnt;
    return learnt;
  }

  private learn(unit: number): number {
    if (unit >= 0xd800 && unit <= 0xdfff) return INVOLVED;
    const { nfkc, stripInvisible, foldCase, collapseWhiteSpace, foldConfusables } = this.options;
    const character = String.fromCharCode(unit);
    if (stripInvisible && isInvisible(character)) return INVOLVED;
    if (isMark(character) || joinsBackward(character)) return INVOLVED;
    const compatible = nfkc ? foldCluster(character, true, false) : character;
    const folded = foldCase ? foldCluster(character, nfkc, true) : compatible;
    if (folded.length !== 1 || isMark(folded)) return INVOLVED;
    if (collapseWhiteSpace && isWhiteSpace(folded) && character !== ' ') return INVOLVED;
    const letter = foldConfusables && folded > '~' ? asciiLookAlike(folded) : undefined;
    const written = (foldCase ? letter?.toLowerCase() : letter) ?? folded;
    if (written.length !== 1) return INVOLVED;
    return (
      written.charCodeAt(0) +
      (compatible === character ? 0 : BY_NFKC) +
      (folded === compatible ? 0 : BY_CASE) +
      (letter === undefined ? 0 : BY_LOOK)
    );
  }
}
