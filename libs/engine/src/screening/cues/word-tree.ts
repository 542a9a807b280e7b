/** Letters of a longer word are not read. */
const MAX_WORD = 60;

export const OTHER = 4;
const LETTER = 1;
/** Of a script without spaces between words. */
export const IDEOGRAPH = 2;
/** Of a script that adds endings or prefixes to words. */
const JOINED = 3;

const kinds = new Uint8Array(1 << 16);
const folds = new Uint16Array(1 << 16);

export function kindOf(unit: number): number {
  const known = kinds[unit] ?? 0;
  return known === 0 ? (kinds[unit] = kindOfCharacter(String.fromCharCode(unit))) : known;
}

function kindOfCharacter(character: string): number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character)) return IDEOGRAPH;
  if (!/[\p{L}\p{N}\p{M}]/u.test(character)) return OTHER;
  return /[\p{Script=Hangul}\p{Script=Arabic}]/u.test(character) ? JOINED : LETTER;
}

const SPACE = 0x20;
/** Of marks that are optional. */
const NOTHING = 1;

/** The unit without case and diacritics. White space, hyphens and apostrophes are spaces. */
function foldOf(unit: number): number {
  const known = folds[unit] ?? 0;
  return known === 0 ? (folds[unit] = foldOfCharacter(String.fromCharCode(unit))) : known;
}

const SAME: Readonly<Record<string, string>> = { ł: 'l', ı: 'i', ة: 'ه', ى: 'ي' };

function foldOfCharacter(character: string): number {
  if (/[-'’‘\u2010-\u2013\s]/.test(character)) return SPACE;
  if (/[\u0300-\u036f\u0640\u064b-\u0652\u0670\u093c\u09bc]/.test(character)) return NOTHING;
  const small = character.toLowerCase();
  const plain = small.normalize('NFKD').replaceAll(/[\u0300-\u036f\u0653-\u0655]/g, '');
  return (SAME[plain] ?? plain).charCodeAt(0) || NOTHING;
}

/** A place in the tree of all words. Most places have one next place, and a map of each would take most of the memory. */
export class Place {
  /** After the rest of the word. */
  rest: Place | null = null;
  signs = '';
  /** Of a word in capitals. */
  capital = '';
  private unit = 0;
  private first: Place | null = null;
  private others: Map<number, Place> | null = null;

  next(unit: number): Place | undefined {
    return this.first !== null && unit === this.unit ? this.first : this.others?.get(unit);
  }

  /** The next place, which is added where there is none. */
  growing(unit: number): Place {
    const known = this.next(unit);
    if (known !== undefined) return known;
    const added = new Place();
    if (this.first === null) [this.unit, this.first] = [unit, added];
    else (this.others ??= new Map()).set(unit, added);
    return added;
  }
}

const withSign = (signs: string, sign: string): string => (signs.includes(sign) ? signs : signs + sign);

const withSigns = (signs: string, others: string): string => others.split('').reduce(withSign, signs);

export function treeOf(words: readonly (readonly [sign: string, words: string])[]): Place {
  const root = new Place();
  for (const [sign, list] of words) {
    for (const word of wordsOf(list)) add(root, word, sign);
  }
  return root;
}

/** The words of a list. `{a|b} {c|d}` stands for every phrase that has one of each. */
function wordsOf(list: string): readonly string[] {
  return list.split(',').flatMap((entry) => alternatives(entry.trim()));
}

function alternatives(entry: string): readonly string[] {
  const group = /\{([^{}]*)\}/.exec(entry);
  if (group === null) return [entry];
  const [before, after] = [entry.slice(0, group.index), entry.slice(group.index + group[0].length)];
  const rest = alternatives(after);
  return (group[1] ?? '').split('|').flatMap((word) => rest.map((end) => before + word + end));
}

function add(root: Place, word: string, sign: string): void {
  let place = root;
  let previous = 0;
  for (const character of word) {
    const unit = foldOf(character.charCodeAt(0));
    if (character === '*') place = place.rest ??= new Place();
    else if (unit !== NOTHING && !(unit === SPACE && previous === SPACE)) place = place.growing(unit);
    previous = unit;
  }
  if (/^\p{Lu}{2,4}$/u.test(word)) {
    place.capital = withSign(place.capital, sign);
    return;
  }
  place.signs = withSign(place.signs, sign);
  if (word.length < 3 || kindOf(word.charCodeAt(word.length - 1)) !== JOINED) return;
  const rest = (place.rest ??= new Place());
  rest.signs = withSign(rest.signs, sign);
}

export interface Found {
  readonly end: number;
  readonly signs: string;
}

/** The longest word or phrase that begins at `start`. */
export function longestAt(text: string, start: number, root: Place): Found {
  let found: Found = { end: start, signs: '' };
  let place: Place | undefined = root;
  let at = start;
  while (place !== undefined && at <= text.length) {
    const unit = at < text.length ? text.charCodeAt(at) : SPACE;
    if (at > start && endsBetween(text, at)) {
      const isCapital = place.capital !== '' && !/\p{Ll}/u.test(text.slice(start, at));
      const signs = isCapital ? place.signs + place.capital : place.signs;
      if (signs !== '') found = { end: at, signs };
    }
    if (place.rest !== null && at > start) {
      const end = wordEnd(text, at);
      const { signs } = place.rest;
      if (signs !== '' && end >= found.end)
        found = { end, signs: end > found.end ? signs : withSigns(found.signs, signs) };
      const after = place.rest.next(end < text.length ? foldOf(text.charCodeAt(end)) : SPACE);
      if (after !== undefined && place.next(foldOf(unit)) === undefined) {
        place = after;
        at = end + 1;
        continue;
      }
    }
    const folded = foldOf(unit);
    if (folded !== NOTHING) place = place.next(folded);
    at += 1;
  }
  return found;
}

/** Whether a word can end before this position. */
function endsBetween(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const kind = kindOf(text.charCodeAt(at));
  return kind === OTHER || kind === IDEOGRAPH || kindOf(text.charCodeAt(at - 1)) === IDEOGRAPH;
}

export function wordEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_WORD);
  let end = from;
  while (end < limit && (kindOf(text.charCodeAt(end)) & 1) === 1) end += 1;
  return end;
}

export const startsWord = (text: string, at: number): boolean => {
  const kind = kindOf(text.charCodeAt(at));
  return kind === IDEOGRAPH || (kind !== OTHER && (at === 0 || (kindOf(text.charCodeAt(at - 1)) & 1) === 0));
};

/** A number for the first letters of a word. */
export function startOf(text: string, at: number, letters: number): number {
  let start = 0;
  for (let index = at; index < at + letters; index++) {
    const unit = index < text.length ? text.charCodeAt(index) : SPACE;
    start = Math.imul(start, 31) + (kindOf(unit) === OTHER ? SPACE : foldOf(unit));
  }
  return start & (STARTS - 1);
}

const STARTS = 1 << 13;

/** Which words can begin a phrase that addresses a model. */
export function startsOf(words: readonly (readonly [sign: string, words: string])[]): Uint8Array {
  const starts = new Uint8Array(STARTS);
  for (const [, list] of words) {
    for (const word of wordsOf(list)) starts[startOf(word.replaceAll('*', ''), 0, 2)] = 1;
  }
  return starts;
}
