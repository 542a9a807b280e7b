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
function foldOf(unit: number) {
  const known = folds[unit] ?? 0;
  return known === 0 ? (folds[unit] = foldOfCharacter(String.fromCharCode(unit))) : known;
}

const SAME: Readonly<Record<string, string>> = { ł: 'l', ı: 'i', ة: 'ه', ى: 'ي' };

function foldOfCharacter(character: string) {
  if (/[-'’‘\u2010-\u2013\s]/.test(character)) return SPACE;
  if (/[\u0300-\u036f\u0640\u064b-\u0652\u0670\u093c\u09bc]/.test(character)) return NOTHING;
  const small = character.toLowerCase();
  const plain = small.normalize('NFKD').replaceAll(/[\u0300-\u036f\u0653-\u0655]/g, '');
  return (SAME[plain] ?? plain).charCodeAt(0) || NOTHING;
}

const withSign = (signs: string, sign: string) => (signs.includes(sign) ? signs : signs + sign);

const withSigns = (signs: string, others: string) => others.split('').reduce(withSign, signs);

export interface Found {
  readonly end: number;
  readonly signs: string;
}

const CAPITALS = /^\p{Lu}{2,4}$/u;

const MOST_PLACES = 1 << 16;

const NOWHERE = 0;
const ROOT = 1;

/** In place of a unit: the rest of the word. */
const REST = 0;
/** Stands for it in a lexicon. */
const MORE_LETTERS = 0x2a;

/** Words as one tree. Its places are numbers: an object for each would take most of the memory of screening. */
export class WordTree {
  private size = ROOT + 1;
  /** A hash table of the next places, by place and unit. */
  private readonly keys = new Int32Array(MOST_PLACES);
  private readonly places = new Uint16Array(MOST_PLACES);
  /** By place. The signs of many words are the same, so each is a number in `combinations`. */
  private readonly signs = new Uint16Array(MOST_PLACES);
  /** The signs of words in capitals. */
  private readonly capitals = new Uint16Array(MOST_PLACES);
  private readonly combinations = [''];

  /** The longest word or phrase that begins at `start`. */
  longestAt(text: string, start: number): Found {
    let found: Found = { end: start, signs: '' };
    let place = ROOT;
    let at = start;
    while (place !== NOWHERE && at <= text.length) {
      const unit = at < text.length ? text.charCodeAt(at) : SPACE;
      if (at > start && endsBetween(text, at)) {
        const capital = this.signsIn(this.capitals, place);
        const isCapital = capital !== '' && !/\p{Ll}/u.test(text.slice(start, at));
        const signs = this.signsIn(this.signs, place) + (isCapital ? capital : '');
        if (signs !== '') found = { end: at, signs };
      }
      const rest = at > start ? this.next(place, REST) : NOWHERE;
      if (rest !== NOWHERE) {
        const end = wordEnd(text, at);
        const signs = this.signsIn(this.signs, rest);
        if (signs !== '' && end >= found.end)
          found = { end, signs: end > found.end ? signs : withSigns(found.signs, signs) };
        const after = this.next(rest, end < text.length ? foldOf(text.charCodeAt(end)) : SPACE);
        if (after !== NOWHERE && this.next(place, foldOf(unit)) === NOWHERE) {
          place = after;
          at = end + 1;
          continue;
        }
      }
      const folded = foldOf(unit);
      if (folded !== NOTHING) place = this.next(place, folded);
      at += 1;
    }
    return found;
  }

  private next(place: number, unit: number) {
    return this.places[this.slotOf(keyOf(place, unit))] ?? NOWHERE;
  }

  /** The next place, which is added where there is none. */
  private growing(place: number, unit: number) {
    if (this.size === MOST_PLACES) throw new RangeError('The words of cues need too many places.');
    const key = keyOf(place, unit);
    const slot = this.slotOf(key);
    this.keys[slot] = key;
    return (this.places[slot] ||= this.size++);
  }

  /** The slot of the place with this key, or the empty slot for it. */
  private slotOf(key: number) {
    let slot = Math.imul(key, 0x9e3779b1) >>> 16;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) % MOST_PLACES;
    return slot;
  }

  add(word: string, sign: string): void {
    let place = ROOT;
    let previous = 0;
    for (let at = 0; at < word.length; at++) {
      const unit = foldOf(word.charCodeAt(at));
      if (unit === MORE_LETTERS) place = this.growing(place, REST);
      else if (unit !== NOTHING && !(unit === SPACE && previous === SPACE)) place = this.growing(place, unit);
      previous = unit;
    }
    const isCapital = CAPITALS.test(word);
    this.addSign(isCapital ? this.capitals : this.signs, place, sign);
    if (isCapital || word.length < 3 || kindOf(word.charCodeAt(word.length - 1)) !== JOINED) return;
    this.addSign(this.signs, this.growing(place, REST), sign);
  }

  private signsIn(table: Uint16Array, place: number) {
    return this.combinations[table[place] ?? 0] ?? '';
  }

  private addSign(table: Uint16Array, place: number, sign: string) {
    const signs = withSign(this.signsIn(table, place), sign);
    const known = this.combinations.indexOf(signs);
    table[place] = known >= 0 ? known : this.combinations.push(signs) - 1;
  }
}

const keyOf = (place: number, unit: number) => (place << 16) | unit;

/** Whether a word can end before this position. */
function endsBetween(text: string, at: number) {
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
