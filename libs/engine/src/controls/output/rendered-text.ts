/** A text as it is shown, with the way back to its source. `rendered-view.ts` cuts out of it what detectors read. */
import type { Utf16Span } from '#contracts/common/spans.js';
import { MappedTextBuilder, type MappedText } from '../../text/mapped-text.js';
import { countWhile } from '../../text/ordered-list.js';
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

/** A number goes on after a blank: a part of it can look like a phone number. */
const WORD_END = /\s(?!\d)/g;

const NO_PLACEHOLDERS = new Placeholders([]);

/** A part of a rendered text around changes, and where the first of them begins. */
export type Surroundings = readonly [start: number, end: number, change: number];

/** A part of the source as it is rendered. */
export class RenderedText {
  private readonly shown: MappedText;
  private readonly start: number;

  constructor(
    source: string,
    private readonly changes: readonly Change[],
    [start, end]: Utf16Span,
  ) {
    this.start = start;
    const builder = new MappedTextBuilder(end - start);
    let read = start;
    for (const change of changes) {
      builder.copy(source, read, change.start);
      builder.push(change.shown, change.start, change.end, change.isAligned);
      read = change.end;
    }
    builder.copy(source, read, end);
    this.shown = builder.build();
  }

  static ofWhole(source: string): RenderedText {
    const whole: Utf16Span = [0, source.length];
    return new RenderedText(source, changesOf(source, NO_PLACEHOLDERS, whole), whole);
  }

  get text(): string {
    return this.shown.text;
  }

  /** With markup beside the span whose other half is inside. */
  sourceSpan(span: Utf16Span): Utf16Span {
    return this.balanced(this.shown.toOriginal(span));
  }

  /** Where in the source the first `length` units end. */
  sourceAfter(length: number): number {
    return length === 0 ? 0 : this.shown.toOriginal([length - 1, length])[1];
  }

  /** Where the text shows what is before a place of the source. */
  placeOf(source: number): number {
    return this.shown.placeOf([source, source])[1];
  }

  /** The parts around changes that could join or complete a finding, merged where they overlap, up to a place. */
  windows(limit: number): readonly Surroundings[] {
    if (PRIVATE_KEY.test(this.text)) return [[0, this.text.length, 0]];
    const windows: Surroundings[] = [];
    const clues = new Clues(this.text);
    let covered = 0;
    let [end, read] = [0, this.start];
    for (const { start, end: changeEnd, shown } of this.changes) {
      const at = end + start - read;
      end = at + shown.length;
      read = changeEnd;
      if (end + CONTEXT_AFTER <= covered) continue;
      if (!this.couldJoin(at, end, shown) && !clues.areNear(at, end)) continue;
      const from = this.wordStart(Math.max(covered, at - CONTEXT_BEFORE), covered);
      if (from > limit) break;
      const to = this.wordEnd(Math.max(covered, end + CONTEXT_AFTER));
      const last = windows.at(-1);
      if (last !== undefined && from <= last[1]) windows[windows.length - 1] = [last[0], to, last[2]];
      else windows.push([from, to, at]);
      covered = to;
    }
    return windows;
  }

  /** Whether a change is inside a token or is a character of a token. */
  private couldJoin(start: number, end: number, shown: string) {
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

  private wordStart(place: number, limit: number) {
    let start = place;
    while (start > limit && !isWhitespace(this.text.charCodeAt(start - 1))) start--;
    return start;
  }

  private wordEnd(place: number) {
    WORD_END.lastIndex = place;
    return WORD_END.exec(this.text)?.index ?? this.text.length;
  }

  /** Adds markup right beside the span whose other half is inside. */
  private balanced([start, end]: Utf16Span): Utf16Span {
    const first = countWhile(this.changes, (change) => change.start < start);
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

  private next() {
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

function isTokenAt(text: string, place: number) {
  return TOKEN_CODES[text.charCodeAt(place)] === 1;
}

function counterpartOf(markup: string) {
  if (markup.startsWith('</')) return `<${markup.slice(2)}`;
  if (markup.startsWith('<')) return `</${markup.slice(1)}`;
  if (markup === '[') return ']';
  return markup === ']' ? '[' : markup;
}
