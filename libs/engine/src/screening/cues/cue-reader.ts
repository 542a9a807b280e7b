import { type Resumable, UNITS_PER_PAUSE } from '../../resumable.js';
import { type MappedText, MappedTextBuilder } from '../mapped-text.js';
import { CUE_WORDS } from './cue-words.data.js';

/** Signs of cues that are no words. */
const ADDRESS_SIGN = 'l';
const TOOL_SIGN = 'f';
const SECRET_SIGN = 'z';
const HIDDEN = '<5>';

/** Cues that address a model, without which nothing is read. */
const ANCHORS = /[maw]/;

/** Units that are read before and after a word that addresses a model. */
const BEFORE = 240;
const AFTER = 400;

/** Letters of a longer word are not read. */
const MAX_WORD = 60;

/** Lines of a paragraph are at least this long. The end of a shorter one ends a sentence. */
const MIN_LINE = 50;

const OTHER = 4;
const LETTER = 1;
/** Of a script without spaces between words. */
const IDEOGRAPH = 2;
/** Of a script that adds endings or prefixes to words. */
const JOINED = 3;

const kinds = new Uint8Array(1 << 16);
const folds = new Uint16Array(1 << 16);

function kindOf(unit: number): number {
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

/** A place in the tree of all words. */
interface Place {
  readonly next: Map<number, Place>;
  /** After the rest of the word. */
  rest: Place | null;
  signs: string;
  /** Of a word in capitals. */
  capital: string;
}

const newPlace = (): Place => ({ next: new Map(), rest: null, signs: '', capital: '' });

const withSign = (signs: string, sign: string): string => (signs.includes(sign) ? signs : signs + sign);

const withSigns = (signs: string, others: string): string => others.split('').reduce(withSign, signs);

function treeOf(words: readonly (readonly [sign: string, words: string])[]): Place {
  const root = newPlace();
  for (const [sign, list] of words) {
    for (const entry of list.split(',')) add(root, entry.trim(), sign);
  }
  return root;
}

function add(root: Place, word: string, sign: string): void {
  let place = root;
  let previous = 0;
  for (const character of word) {
    const unit = foldOf(character.charCodeAt(0));
    if (character === '*') place = place.rest ??= newPlace();
    else if (unit !== NOTHING && !(unit === SPACE && previous === SPACE)) place = nextPlace(place, unit);
    previous = unit;
  }
  if (/^\p{Lu}{2,4}$/u.test(word)) {
    place.capital = withSign(place.capital, sign);
    return;
  }
  place.signs = withSign(place.signs, sign);
  if (word.length < 3 || kindOf(word.charCodeAt(word.length - 1)) !== JOINED) return;
  const rest = (place.rest ??= newPlace());
  rest.signs = withSign(rest.signs, sign);
}

function nextPlace(place: Place, unit: number): Place {
  const known = place.next.get(unit);
  if (known !== undefined) return known;
  const added = newPlace();
  place.next.set(unit, added);
  return added;
}

interface Found {
  readonly end: number;
  readonly signs: string;
}

/** The longest word or phrase that begins at `start`. */
function longestAt(text: string, start: number, root: Place): Found {
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
      const after = place.rest.next.get(end < text.length ? foldOf(text.charCodeAt(end)) : SPACE);
      if (after !== undefined && !place.next.has(foldOf(unit))) {
        place = after;
        at = end + 1;
        continue;
      }
    }
    const folded = foldOf(unit);
    if (folded !== NOTHING) place = place.next.get(folded);
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

function wordEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_WORD);
  let end = from;
  while (end < limit && (kindOf(text.charCodeAt(end)) & 1) === 1) end += 1;
  return end;
}

const startsWord = (text: string, at: number): boolean => {
  const kind = kindOf(text.charCodeAt(at));
  return kind === IDEOGRAPH || (kind !== OTHER && (at === 0 || (kindOf(text.charCodeAt(at - 1)) & 1) === 0));
};

/** A number for the first letters of a word. */
function startOf(text: string, at: number, letters: number): number {
  let start = 0;
  for (let index = at; index < at + letters; index++) {
    const unit = index < text.length ? text.charCodeAt(index) : SPACE;
    start = Math.imul(start, 31) + (kindOf(unit) === OTHER ? SPACE : foldOf(unit));
  }
  return start & (STARTS - 1);
}

const STARTS = 1 << 13;

/** Which words can begin a phrase that addresses a model. */
function startsOf(words: readonly (readonly [sign: string, words: string])[]): Uint8Array {
  const starts = new Uint8Array(STARTS);
  for (const [, list] of words) {
    for (const entry of list.split(',')) starts[startOf(entry.trim().replaceAll('*', ''), 0, 2)] = 1;
  }
  return starts;
}

interface Words {
  readonly all: Place;
  /** Those that address a model. */
  readonly anchors: Place;
  readonly starts: Uint8Array;
}

let known: Words | null = null;

function knownWords(): Words {
  const anchors = CUE_WORDS.filter(([sign]) => ANCHORS.test(sign));
  known ??= { all: treeOf(CUE_WORDS), anchors: treeOf(anchors), starts: startsOf(anchors) };
  return known;
}

/**
 * A text with the cues around each word that addresses a model, `null` without one. A word of cues is `<` with their signs
 * and `>`, another word is `_`; also `.` `:` `,` `(` `)`, each followed by a space. `<5>` begins hidden text.
 */
export function* readCues(text: string): Resumable<MappedText | null> {
  const { anchors, all, starts } = knownWords();
  let reader: CueReader | null = null;
  let pause = UNITS_PER_PAUSE;
  let previous = OTHER;
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at));
    const isInWord = kind === OTHER || (kind !== IDEOGRAPH && (previous & 1) === 1);
    previous = kind;
    if (isInWord || starts[startOf(text, at, 2)] === 0) continue;
    if (at >= pause) {
      pause = at + UNITS_PER_PAUSE;
      yield;
    }
    const { end, signs } = longestAt(text, at, anchors);
    if (signs === '') continue;
    reader ??= new CueReader(text, all);
    reader.read(at - BEFORE, end + AFTER);
    at = end - 1;
    previous = kindOf(text.charCodeAt(at));
  }
  return reader?.cues() ?? null;
}

const SPECIAL: readonly (readonly [sign: string, pattern: RegExp])[] = [
  [
    ADDRESS_SIGN,
    /(?:https?:\/\/|www\.)[^\s"'<>()，。]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+|\b(?:[a-z0-9-]{1,64}\.){1,4}(?:example|test|com|org|net|io|dev)\b[^\s"'<>()，。]{0,100}/iy,
  ],
  [
    TOOL_SIGN,
    /[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,6}(?:\(\))?|[a-z]{1,40}(?:[A-Z][a-z]{1,40}){1,4}\(\)?/iy,
  ],
];

const PATH =
  /~\/[\w./-]+|\/(?:etc|home|var|root)\/[\w./-]+|\.(?:env|ssh|aws|npmrc|git-credentials)\b[\w./-]*/y;

const TAG = /<!--|-->|<\/?[a-z][^<>]{0,600}>?/iy;

const INLINE = /^<\/?(?:b|i|em|strong|a|code|span|u|small)\b/i;

const SHOWN_NOWHERE =
  /display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0(?![.\d])|font-size\s?:\s?[01](?![.\d])|color\s?:\s?(?:#fff|white|transparent)|left\s?:\s?-\d{3}|\shidden\b|aria-hidden\s?=\s?"?true/i;

const ATTRIBUTE = /\s(?:alt|title|content|aria-label|data-[\w-]+|summary|value|placeholder)\s?=\s?["']/i;

/** The rest of a line that begins a part of its own. */
const NEW_PART = /^\s*(?:[-*•#>|[\d(*{}]|\/\/|\/\*|$|\n)/;

/** Collects the cues of parts of a text, in order. */
class CueReader {
  private readonly out: MappedTextBuilder;
  private readonly isJson: boolean;
  private position = 0;
  private lineStart = 0;

  constructor(
    private readonly text: string,
    private readonly words: Place,
  ) {
    this.out = new MappedTextBuilder(0);
    this.isJson = /^\s*[[{]/.test(text);
  }

  cues(): MappedText {
    return this.out.build();
  }

  read(from: number, to: number): void {
    if (from > this.position) this.skipTo(from);
    const end = Math.min(this.text.length, to);
    while (this.position < end) this.position = this.readAt(this.position);
  }

  /** Begins where a word does. */
  private skipTo(from: number): void {
    this.position = from;
    while (this.position < this.text.length && !startsWord(this.text, this.position)) this.position += 1;
    if (from > 0) this.push('.', from, from + 1);
  }

  private push(token: string, start: number, end: number): number {
    this.out.push(`${token} `, start, end);
    return end;
  }

  private readAt(at: number): number {
    return kindOf(this.text.charCodeAt(at)) === OTHER ? this.readMark(at) : this.readWord(at);
  }

  private readWord(at: number): number {
    const special = this.specialAt(at);
    if (special !== null) return this.push(`<${special.signs}>`, at, special.end);
    let found = longestAt(this.text, at, this.words);
    // Arabic writes "and", "so", "by" and "for" as a part of the next word.
    if (found.signs === '' && /[وفبلك]/.test(this.text.charAt(at)))
      found = longestAt(this.text, at + 1, this.words);
    if (found.signs !== '') return this.push(`<${found.signs}>`, at, found.end);
    return this.push('_', at, Math.max(at + 1, wordEnd(this.text, at)));
  }

  private specialAt(at: number): Found | null {
    const { text } = this;
    if (text.charCodeAt(at) > 0x7f || (at > 0 && /[\w@.]/.test(text.charAt(at - 1)))) return null;
    for (const [signs, pattern] of SPECIAL) {
      pattern.lastIndex = at;
      if (pattern.test(text)) return { end: pattern.lastIndex, signs };
    }
    return null;
  }

  private readMark(at: number): number {
    const { text } = this;
    const mark = text.charAt(at);
    const next = text.charAt(at + 1);
    if (mark === ' ') return at + 1;
    if (mark === '<') return this.readTag(at);
    if (mark === '\n') return this.readLineEnd(at);
    if (mark === '\\' && next === 'n') return this.push('.', at, at + 2);
    if (/[~/.]/.test(mark)) {
      PATH.lastIndex = at;
      if (PATH.test(text)) return this.push(`<${SECRET_SIGN}>`, at, PATH.lastIndex);
    }
    if (/[.!?]/.test(mark)) {
      return next === '' || /[\s"'<”»)\]*_]/.test(next) ? this.push('.', at, at + 1) : at + 1;
    }
    if (/[。！？।؟|]/.test(mark)) return this.push('.', at, at + 1);
    if (/[:：]/.test(mark) && !/\d/.test(next)) return this.push(':', at, at + 1);
    if (/[,，、;；—–،؛]/.test(mark)) return this.push(',', at, at + 1);
    if (/[([（【《{]/.test(mark)) return this.push('(', at, at + 1);
    if (/[)\]）】》}]/.test(mark)) return this.push(')', at, at + 1);
    if (mark === '"' && (this.isJson || /[,;]/.test(text.charAt(at - 1)))) return this.push('.', at, at + 1);
    return at + 1;
  }

  private readTag(at: number): number {
    TAG.lastIndex = at;
    const tag = TAG.exec(this.text)?.[0];
    if (tag === undefined) return at + 1;
    const isHidden = tag === '<!--' || SHOWN_NOWHERE.test(tag);
    const attribute = ATTRIBUTE.exec(tag);
    if (isHidden || attribute !== null || !INLINE.test(tag)) this.push('.', at, at + 1);
    if (isHidden || attribute !== null) this.push(HIDDEN, at, at + 1);
    return at + (attribute === null ? tag.length : attribute.index + attribute[0].length);
  }

  /** A line of a paragraph goes on in the next line. */
  private readLineEnd(at: number): number {
    const isShort = at - this.lineStart < MIN_LINE;
    this.lineStart = at + 1;
    const goesOn =
      !isShort &&
      !NEW_PART.test(this.text.slice(at + 1, at + 12)) &&
      !/[.!?:;。]\s*$/.test(this.text.slice(Math.max(0, at - 3), at));
    return goesOn ? at + 1 : this.push('.', at, at + 1);
  }
}
