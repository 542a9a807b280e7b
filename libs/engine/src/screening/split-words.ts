import { UNITS_PER_PAUSE } from '../resumable.js';
import { isAsciiLetter, isWhitespace } from '../text/characters.js';
import { PAUSE, type Decoded } from './decoded-parts.js';
import type { Vocabulary } from './vocabulary.js';

/** A table of all units with 1 for these. */
function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(0x1_0000);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** What splits words and does not change their meaning: emphasis, tags, comments, string concatenation, hyphens. */
const SEAM =
  /<!--[^>]{0,200}-->|<\/?[a-z][^<>]{0,200}>|\*+|`+|~~+|["'] {0,3}(?:[+.&,|]{1,2} {0,3})?["']|(?<=\p{L})[-\u2010\u2011] ?(?=\p{L})/iuy;

const MAY_BEGIN_SEAM = tableOf('-<*`~"\'\u2010\u2011');

const HYPHEN = /^[-\u2010\u2011]/;

/** Tags between which a line ends. */
const BLOCK_TAG = /^<\/?(?:br|p|div|li|ul|ol|h[1-6]|hr|t[drh]|table)\b/i;

/** Removes what splits words in markup and code. Hyphens count only where they split a word of the patterns. */
export function* joined(text: string, vocabulary: Vocabulary): Iterable<Decoded | typeof PAUSE> {
  const parts: Decoded[] = [];
  const words = new SplitWords(text, vocabulary);
  const places: number[] = [];
  let pause = UNITS_PER_PAUSE;
  for (let index = 0; index < text.length; index++) {
    if (MAY_BEGIN_SEAM[text.charCodeAt(index)] !== 1) continue;
    if (index > pause) {
      pause = index + UNITS_PER_PAUSE;
      yield PAUSE;
    }
    SEAM.lastIndex = index;
    const [seam] = SEAM.exec(text) ?? [];
    if (seam === undefined) continue;
    const end = index + seam.length;
    if (isFar(places, index)) {
      const matters = HYPHEN.test(seam) ? words.isSplitAt(index, end) : words.isAmongWordsAt(index, end);
      if (matters) places.push(index);
    }
    // Of two spaces that would meet, one stays.
    const isBetweenSpaces = text[index - 1] === ' ' && text[end] === ' ';
    parts.push({
      start: index,
      end: isBetweenSpaces ? end + 1 : end,
      text: BLOCK_TAG.test(seam) ? ' ' : '',
    });
    index = end - 1;
  }
  yield* near(places, parts);
}

/** Disguises within this distance of a word of the patterns are removed. */
const NEIGHBOURHOOD = 512;

/** True if the distance from the last place exceeds the window. */
function isFar(places: readonly number[], place: number): boolean {
  const last = places.at(-1);
  return last === undefined || place > last + NEIGHBOURHOOD / 2;
}

/** The parts near one of the places, both ascending. */
function near(places: readonly number[], parts: readonly Decoded[]): readonly Decoded[] {
  let at = 0;
  return parts.filter(({ start }) => {
    while (at < places.length && (places[at] ?? 0) < start - NEIGHBOURHOOD) at += 1;
    const place = places[at];
    return place !== undefined && place <= start + NEIGHBOURHOOD;
  });
}

const BROKEN_WORD = /(?<=\p{L})\r?\n(?=\p{L})/gu;

/** Joins the lines that break between letters, near each break that splits a word of the patterns. */
export function* joinedLines(text: string, vocabulary: Vocabulary): Iterable<Decoded | typeof PAUSE> {
  if (!text.includes('\n')) return;
  const words = new SplitWords(text, vocabulary);
  const parts: Decoded[] = [];
  const places: number[] = [];
  let pause = UNITS_PER_PAUSE;
  for (const { 0: lineBreak, index: start } of text.matchAll(BROKEN_WORD)) {
    if (start > pause) {
      pause = start + UNITS_PER_PAUSE;
      yield PAUSE;
    }
    const end = start + lineBreak.length;
    if (words.isSplitAt(start, end)) places.push(start);
    parts.push({ start, end, text: '' });
  }
  yield* near(places, parts);
}

/** Letters of a word before a seam. Without a limit, the cost of a word with many seams would be quadratic. */
const MAX_LETTERS = 64;

const LETTERS_BEFORE = /\p{L}*$/u;
const LETTERS_AFTER = /^\p{L}*/u;

/** Reads the letters around the seams of a text, in order. */
class SplitWords {
  private end = -1;
  private before = '';

  constructor(
    private readonly text: string,
    private readonly vocabulary: Vocabulary,
  ) {}

  /** A word may be split several times, as in `in-struc-tions`. */
  isSplitAt(start: number, end: number): boolean {
    const [left, right] = this.around(start, end);
    return this.vocabulary.isSplit(left, right);
  }

  /** Whether a word of the patterns is split, or begins, or ended here. */
  isAmongWordsAt(start: number, end: number): boolean {
    const [left, right] = this.around(start, end);
    return this.vocabulary.hasAny([left, right]) || this.vocabulary.isSplit(left, right);
  }

  private around(start: number, end: number): readonly [left: string, right: string] {
    const [own = ''] = LETTERS_BEFORE.exec(this.text.slice(Math.max(0, start - 20), start)) ?? [];
    const left = start - own.length === this.end ? (this.before + own).slice(-MAX_LETTERS) : own;
    const [right = ''] = LETTERS_AFTER.exec(this.text.slice(end, end + 20)) ?? [];
    this.end = end;
    this.before = left;
    return [left, right];
  }
}

/** Three and more words with the same mark between them. */
const CHAIN = /(?<![\p{L}\p{N}])\p{L}+([.\-/|+~:;,&=])\p{L}+(?:\1\p{L}+)+/gu;

/** Underscores also stand beside punctuation: `Stop,_ignore_all`. */
const UNDERSCORED = /[^\s_]+(?:_+[^\s_]+){2,}/y;

const EMOJI = /\p{Extended_Pictographic}[\uFE0F\u200D\p{Emoji_Modifier}\p{Extended_Pictographic}]*/uy;

const CHAIN_MARK = 1;
const UNDERSCORE = 2;
/** A unit with which an emoji can begin. */
const PICTURE = 3;

const KINDS = tableOf('.-/|+~:;,&=');
KINDS[0x5f] = UNDERSCORE;
KINDS.fill(PICTURE, 0xa9, 0xaf).fill(PICTURE, 0x203c, 0x329a).fill(PICTURE, 0xd83c, 0xd83f);

/** Reads marks and emoji between words as spaces: `ignore_all_previous`. Two spaces become one. */
export function* separated(text: string, vocabulary: Vocabulary): Iterable<Decoded | typeof PAUSE> {
  const parts: Decoded[] = [];
  const places: number[] = [];
  const words = new SplitWords(text, vocabulary);
  const takeChain = (start: number, chain: string, mark: string): void => {
    const matters = vocabulary.hasAny(chain.split(mark));
    for (let at = chain.indexOf(mark); at >= 0; at = chain.indexOf(mark, at + 1)) {
      parts.push({ start: start + at, end: start + at + 1, text: ' ' });
      if (matters) places.push(start + at);
    }
  };
  let pause = UNITS_PER_PAUSE;
  let lastEmoji = Number.NEGATIVE_INFINITY;
  /** The end of the last chain, emoji and word with underscores: the next one starts behind it. */
  let [chainEnd, emojiEnd, wordEnd] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const kind = KINDS[text.charCodeAt(at)];
    if (kind === undefined || kind === 0) continue;
    if (at > pause) {
      pause = at + UNITS_PER_PAUSE;
      yield PAUSE;
    }
    if (kind === CHAIN_MARK) {
      if (at < chainEnd || !isInChain(text, at)) continue;
      CHAIN.lastIndex = startOfLetters(text, at, chainEnd);
      const match = CHAIN.exec(text);
      chainEnd = match === null ? text.length : CHAIN.lastIndex;
      if (match !== null) takeChain(match.index, match[0], match[1] ?? '');
    } else if (kind === UNDERSCORE) {
      if (at < wordEnd) continue;
      UNDERSCORED.lastIndex = startOfToken(text, at, wordEnd);
      const [word = ''] = UNDERSCORED.exec(text) ?? [];
      if (word !== '') takeChain(UNDERSCORED.lastIndex - word.length, word, '_');
      wordEnd = endOfToken(text, at);
    } else if (at >= emojiEnd) {
      EMOJI.lastIndex = at;
      const [emoji = ''] = EMOJI.exec(text) ?? [];
      if (emoji === '') continue;
      emojiEnd = at + emoji.length;
      const left = text[at - 1] === ' ' ? at - 1 : at;
      const right = text[emojiEnd] === ' ' ? emojiEnd + 1 : emojiEnd;
      if (at > lastEmoji + NEIGHBOURHOOD / 2 && words.isAmongWordsAt(left, right)) {
        places.push(at);
        lastEmoji = at;
      }
      parts.push({ start: at, end: right, text: left < at ? '' : ' ' });
    }
  }
  const ascending = places.toSorted((one, other) => one - other);
  yield* near(
    ascending,
    parts.toSorted((one, other) => one.start - other.start),
  );
}

/** Whether the mark at `at` can be the first of a chain: letters follow, then the same mark and a letter. */
function isInChain(text: string, at: number): boolean {
  if (!mayBeLetter(text.charCodeAt(at - 1))) return false;
  let next = at + 1;
  while (mayBeLetter(text.charCodeAt(next))) next += 1;
  return (
    next > at + 1 && text.charCodeAt(next) === text.charCodeAt(at) && mayBeLetter(text.charCodeAt(next + 1))
  );
}

/** Characters beyond ASCII may be letters. */
function mayBeLetter(unit: number): boolean {
  return unit >= 0x80 || isAsciiLetter(unit);
}

function startOfLetters(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && mayBeLetter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function startOfToken(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && !isWhitespace(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function endOfToken(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isWhitespace(text.charCodeAt(end))) end += 1;
  return end;
}
