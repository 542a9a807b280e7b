import { matchesIn, type Decoded } from '../../text/decoded-parts.js';
import type { Vocabulary } from '../../text/vocabulary.js';

/**
 * What splits words and does not change their meaning: emphasis, tags, comments, string concatenation, hyphens. A hyphen comes
 * before the letter behind it is looked at, because that would be done at every place.
 */
const SEAM =
  /<!--[^>]{0,200}-->|<\/?[a-z][^<>]{0,200}>|\*+|`+|~~+|["'] {0,3}(?:[+.&,|]{1,2} {0,3})?["']|[-\u2010\u2011](?<=\p{L}.) ?(?=\p{L})/giu;

const MAY_BE_SEAM = /[-<*`~"'\u2010\u2011]/;

const HYPHEN = /^[-\u2010\u2011]/;

/** Tags between which a line ends. */
const BLOCK_TAG = /^<\/?(?:br|p|div|li|ul|ol|h[1-6]|hr|t[drh]|table)\b/i;

/** Removes what splits words in markup and code. Hyphens count only where they split a word of the patterns. */
export function* joined(text: string, vocabulary: Vocabulary): Iterable<Decoded> {
  if (!MAY_BE_SEAM.test(text)) return;
  const parts: Decoded[] = [];
  const words = new SplitWords(text, vocabulary);
  const places: number[] = [];
  for (const { 0: seam, index } of matchesIn(text, SEAM)) {
    const end = index + seam.length;
    if (isFar(places, index)) {
      const matters = HYPHEN.test(seam) ? words.isSplitAt(index, end) : words.isAmongWordsAt(index, end);
      if (matters) places.push(index);
    }
    // If two spaces would meet, only one stays.
    const isBetweenSpaces = text[index - 1] === ' ' && text[end] === ' ';
    parts.push({ start: index, end: isBetweenSpaces ? end + 1 : end, text: BLOCK_TAG.test(seam) ? ' ' : '' });
  }
  yield* near(places, parts);
}

/** Disguises within this distance of a word of the patterns are removed. */
const NEIGHBOURHOOD = 512;

/** True if the distance from the last place exceeds the window. */
function isFar(places: readonly number[], place: number) {
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

const BROKEN_WORD = /\r?\n(?<=\p{L}\r?\n)(?=\p{L})/gu;

/** Joins the lines that break between letters, near each break that splits a word of the patterns. */
export function* joinedLines(text: string, vocabulary: Vocabulary): Iterable<Decoded> {
  if (!text.includes('\n')) return;
  const words = new SplitWords(text, vocabulary);
  const parts: Decoded[] = [];
  const places: number[] = [];
  for (const { 0: lineBreak, index: start } of matchesIn(text, BROKEN_WORD)) {
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
const UNDERSCORED = /(?<!\S)_*[^\s_]+(?:_+[^\s_]+){2,}/g;

const MAY_BE_CHAIN = /[^\s\d]_[^\s\d]|[^\s\d]([.\-/|+~:;,&=])[^\s\d]+\1[^\s\d]/;

const EMOJI = /\p{Extended_Pictographic}[\uFE0F\u200D\p{Emoji_Modifier}\p{Extended_Pictographic}]*/gu;

const MAY_BE_EMOJI = /[\u00a9\u00ae\u203c-\u2bff\u3030\u303d\u3297\u3299\ud83c-\ud83e]/;

/** Reads marks and emoji between words as spaces: `ignore_all_previous`. Two spaces become one. */
export function* separated(text: string, vocabulary: Vocabulary): Iterable<Decoded> {
  const parts: Decoded[] = [];
  const places: number[] = [];
  const patterns = text.includes('_') ? [CHAIN, UNDERSCORED] : [CHAIN];
  for (const pattern of MAY_BE_CHAIN.test(text) ? patterns : []) {
    for (const { 0: chain, 1: mark = '_', index } of matchesIn(text, pattern)) {
      const matters = vocabulary.hasAny(chain.split(mark));
      for (let at = chain.indexOf(mark); at >= 0; at = chain.indexOf(mark, at + 1)) {
        parts.push({ start: index + at, end: index + at + 1, text: ' ' });
        if (matters) places.push(index + at);
      }
    }
  }
  const words = new SplitWords(text, vocabulary);
  for (const { 0: emoji, index } of MAY_BE_EMOJI.test(text) ? matchesIn(text, EMOJI) : []) {
    const start = text[index - 1] === ' ' ? index - 1 : index;
    const end = index + emoji.length + (text[index + emoji.length] === ' ' ? 1 : 0);
    if (words.isAmongWordsAt(start, end)) places.push(index);
    parts.push({ start: index, end, text: start < index ? '' : ' ' });
  }
  if (parts.length > 0)
    yield* near(
      places.toSorted((one, other) => one - other),
      parts.toSorted((one, other) => one.start - other.start),
    );
}
