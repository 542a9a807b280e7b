import type { Span } from '#contracts/common/text.js';
import { Placeholders } from './detectors/placeholders.js';
import { isAsciiLetterOrDigit, isWhitespace } from '../../text/characters.js';
import { changesOf, type Change } from './rendered-changes.js';

/** Units on both sides of a change that are part of the view, and more up to the border of a word. */
const CONTEXT_BEFORE = 72;
const CONTEXT_AFTER = 48;

/** What makes a change at the border of a word relevant, if it is this close. */
const NEAR_FINDING =
  /@|\d(?:[^\dA-Za-z]{0,3}\d){5}|pass|pwd|\bpw\b|\bpan\b|secret|token|key|credential|wort\b|contraseña|clave|senha|пароль|密|パスワード|bearer|basic/gi;
const NEAR = 32;

/** A private key consists of many lines. */
const PRIVATE_KEY = /BEGIN|PRIVATE|LS0tLS1CRUdJTi/;

const NO_PLACEHOLDERS = new Placeholders([]);

/** A part of the source as it is rendered. */
export class RenderedText {
  readonly text: string;
  /** Where the text shows each change. */
  private readonly places: number[] = [];
  private readonly start: number;

  constructor(
    source: string,
    private readonly changes: readonly Change[],
    [start, end]: Span,
  ) {
    this.start = start;
    // One write per unit is faster than one string per change where changes are dense.
    const units = new Uint16Array(lengthOf(changes, start, end));
    let length = 0;
    let read = start;
    for (const { start: changeStart, end: changeEnd, shown } of changes) {
      while (read < changeStart) units[length++] = source.charCodeAt(read++);
      this.places.push(length);
      for (let place = 0; place < shown.length; place++) units[length++] = shown.charCodeAt(place);
      read = changeEnd;
    }
    while (read < end) units[length++] = source.charCodeAt(read++);
    this.text = textOf(units);
  }

  static ofWhole(source: string): RenderedText {
    const whole: Span = [0, source.length];
    return new RenderedText(source, changesOf(source, NO_PLACEHOLDERS, whole), whole);
  }

  sourceSpan([start, end]: Span): Span {
    const index = this.changeAt(start);
    const change = this.changes[index];
    if (change === undefined) return this.balanced([this.start + start, this.sourceAfter(end)]);
    const offset = start - this.placeAt(index);
    const isCopied = offset >= change.shown.length;
    const copied = isCopied ? change.end + offset - change.shown.length : change.start;
    return this.balanced([change.isAligned && !isCopied ? copied + offset : copied, this.sourceAfter(end)]);
  }

  /** Where in the source the first `length` units end. */
  sourceAfter(length: number): number {
    const index = this.changeAt(length - 1);
    const change = this.changes[index];
    if (change === undefined) return this.start + length;
    const offset = length - this.placeAt(index);
    if (offset > change.shown.length) return change.end + offset - change.shown.length;
    return change.isAligned ? change.start + offset : change.end;
  }

  /** Where the text shows a place of the source. */
  placeOf(source: number): number {
    const index = lastIndexWhere(this.changes, (change) => change.start < source);
    const change = this.changes[index];
    if (change === undefined) return source - this.start;
    return this.placeAt(index) + change.shown.length + Math.max(0, source - change.end);
  }

  /** The parts around changes that could join or complete a finding, merged where they overlap, up to a place. */
  windows(limit: number): readonly Span[] {
    if (PRIVATE_KEY.test(this.text)) return [[0, this.text.length]];
    const windows: Span[] = [];
    const clues = new Clues(this.text);
    let covered = 0;
    for (let index = 0; index < this.changes.length; index++) {
      const shown = this.changes[index]?.shown ?? '';
      const at = this.placeAt(index);
      const end = at + shown.length;
      if (end + CONTEXT_AFTER <= covered) continue;
      if (!this.couldJoin(at, end, shown) && !clues.areNear(at, end)) continue;
      const from = this.wordStart(Math.max(covered, at - CONTEXT_BEFORE), covered);
      if (from > limit) break;
      const to = this.wordEnd(Math.max(covered, end + CONTEXT_AFTER));
      const last = windows.at(-1);
      if (last !== undefined && from <= last[1]) windows[windows.length - 1] = [last[0], to];
      else windows.push([from, to]);
      covered = to;
    }
    return windows;
  }

  /** Whether a change is inside a token or is a character of a token. */
  private couldJoin(start: number, end: number, shown: string): boolean {
    const isAfterToken = isTokenAt(this.text, start - 1);
    const isBeforeToken = isTokenAt(this.text, end);
    if (shown === '') return isAfterToken && isBeforeToken;
    for (let place = 0; place < shown.length; place++) {
      const code = shown.charCodeAt(place);
      if (code === AT_SIGN || isAsciiLetterOrDigit(code)) return true;
      if ((isAfterToken || isBeforeToken) && TOKEN_PUNCTUATION[code] === 1) return true;
    }
    return false;
  }

  private wordStart(place: number, limit: number): number {
    let start = place;
    while (start > limit && !isWhitespace(this.text.charCodeAt(start - 1))) start--;
    return start;
  }

  private wordEnd(place: number): number {
    let end = Math.min(place, this.text.length);
    while (end < this.text.length && !isWhitespace(this.text.charCodeAt(end))) end++;
    return end;
  }

  /** The last change that is shown at a place or before it; -1 if there is none. */
  private changeAt(place: number): number {
    return lastIndexWhere(this.places, (at) => at <= place);
  }

  private placeAt(index: number): number {
    return this.places[index] ?? 0;
  }

  /** Adds markup right beside the span whose other half is inside. */
  private balanced([start, end]: Span): Span {
    const first = lastIndexWhere(this.changes, (change) => change.start < start) + 1;
    let next = first;
    const open: string[] = [];
    for (; (this.changes[next]?.end ?? Infinity) <= end; next++) {
      const markup = this.changes[next]?.markup ?? null;
      if (markup === null) continue;
      if (open.at(-1) === counterpartOf(markup)) open.pop();
      else open.push(markup);
    }
    let [from, to] = [start, end];
    for (let index = next; this.changes[index]?.start === to && open.length > 0; index++) {
      const { end: changeEnd, markup } = this.changes[index] as Change;
      if (markup === null || open.at(-1) !== counterpartOf(markup)) break;
      open.pop();
      to = changeEnd;
    }
    for (let index = first - 1; this.changes[index]?.end === from && open.length > 0; index--) {
      const { start: changeStart, markup } = this.changes[index] as Change;
      if (markup === null || counterpartOf(open[0] ?? '') !== markup) break;
      open.shift();
      from = changeStart;
    }
    return [from, to];
  }
}

function lengthOf(changes: readonly Change[], start: number, end: number): number {
  let length = 0;
  let read = start;
  for (const change of changes) {
    length += Math.max(0, change.start - read) + change.shown.length;
    read = change.end;
  }
  return length + Math.max(0, end - read);
}

const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

function textOf(units: Uint16Array): string {
  const bytes = Buffer.from(units.buffer);
  return (IS_BIG_ENDIAN ? bytes.swap16() : bytes).toString('utf16le');
}

/** Finds clues from left to right. */
class Clues {
  private start = -1;
  private end = -Infinity;

  constructor(private readonly text: string) {}

  /** Places must be ascending. */
  areNear(start: number, end: number): boolean {
    while (this.end < start - NEAR) this.next();
    return this.start <= end + NEAR;
  }

  private next(): void {
    NEAR_FINDING.lastIndex = Math.max(0, this.end);
    const clue = NEAR_FINDING.exec(this.text);
    this.start = clue?.index ?? Infinity;
    this.end = clue === null ? Infinity : NEAR_FINDING.lastIndex;
  }
}

const AT_SIGN = 0x40;

/** Characters of tokens and addresses. */
const TOKEN_CODES = kindsOf(/[A-Za-z0-9_\-.@:/+=]/);
const TOKEN_PUNCTUATION = kindsOf(/[_.:/+=~$-]/);

function kindsOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => Number(characters.test(String.fromCharCode(code))));
}

function isTokenAt(text: string, place: number): boolean {
  return TOKEN_CODES[text.charCodeAt(place)] === 1;
}

function counterpartOf(markup: string): string {
  if (markup.startsWith('</')) return `<${markup.slice(2)}`;
  if (markup.startsWith('<')) return `</${markup.slice(1)}`;
  if (markup === '[') return ']';
  return markup === ']' ? '[' : markup;
}

/** The index of the last item that passes the test, where all items before it pass too; -1 if there is none. */
export function lastIndexWhere<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  let low = -1;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const item = items[middle];
    if (item !== undefined && test(item)) low = middle;
    else high = middle - 1;
  }
  return low;
}
