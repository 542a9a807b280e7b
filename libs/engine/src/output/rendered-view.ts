import type { Span } from '#contracts/text.js';
import { changesOf, couldChange, type Change } from './rendered-changes.js';

/** Units on both sides of a change that are part of the view, and more up to the border of a word. */
const CONTEXT_BEFORE = 72;
const CONTEXT_AFTER = 48;

/** What makes a change at the border of a word relevant, if it is this close. */
const NEAR_FINDING =
  /@|\d(?:[^\dA-Za-z]{0,3}\d){5}|pass|pwd|\bpw\b|\bpan\b|secret|token|key|credential|wort\b|contraseña|clave|senha|пароль|密|パスワード|bearer|basic/gi;
const NEAR = 32;

/** What every finding contains, or the label before it. */
const COULD_CONTAIN =
  /@|\d(?:\D{0,3}\d){6}|[A-Za-z0-9_-]{15}|\d\.\d{1,3}\.\d|[\da-f]:[\da-f]{0,4}:|pass|pwd|\bpw\b|\bpan\b|secret|token|key|credential|wort\b|contraseña|clave|senha|пароль|密|パスワード|bearer|basic| -u| -p/i;

/** Every finding contains one, and so does a reference that is shown as one. */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Separates parts of the text that are not adjacent. It is longer than the distance between a label and a number. */
const GAP = `\n${'·'.repeat(26)}\n`;

/** A part of the rendered text and its place in the source. */
interface Piece {
  readonly at: number;
  readonly source: Span;
  readonly isCopied: boolean;
}

/** A part of the view and where it begins in the rendered text. */
interface Window {
  readonly at: number;
  readonly text: string;
  readonly rendered: RenderedText;
  readonly renderedStart: number;
}

/**
 * The text as a reader of the rendered text sees it: escapes and character references decoded, markup and invisible
 * characters removed. It holds only the parts that differ and could contain a finding, separated by gaps.
 */
export class RenderedView {
  private constructor(
    readonly text: string,
    private readonly windows: readonly Window[],
  ) {}

  /** `null` if no detector could find anything else in it. `placeholder` is sticky. */
  static of(source: string, placeholder: RegExp): RenderedView | null {
    if (!couldChange(source) || !LETTER_OR_DIGIT.test(source)) return null;
    const changes = changesOf(source, placeholder, [0, source.length]);
    if (changes.length === 0) return null;
    const texts = [new RenderedText(source, changes, [0, source.length])];
    // The target of a link is not part of the text around it.
    for (const { target } of changes) {
      if (target !== null)
        texts.push(new RenderedText(source, changesOf(source, placeholder, target), target));
    }
    let length = 0;
    const windows: Window[] = [];
    for (const rendered of texts) {
      for (const [start, end] of rendered.windows()) {
        const text = rendered.text.slice(start, end);
        if (!COULD_CONTAIN.test(text)) continue;
        windows.push({ at: length, text, rendered, renderedStart: start });
        length += text.length + GAP.length;
      }
    }
    return windows.length === 0 ? null : new RenderedView(windows.map(({ text }) => text).join(GAP), windows);
  }

  /** The span in the source, with markup that would lose its other half; `null` if it crosses a gap. */
  sourceSpan([start, end]: Span): Span | null {
    const window = this.windows[lastIndexWhere(this.windows, ({ at }) => at <= start)];
    if (window === undefined || end > window.at + window.text.length) return null;
    const offset = window.renderedStart - window.at;
    return window.rendered.sourceSpan([start + offset, end + offset]);
  }
}

/** A part of the source as it is rendered. */
export class RenderedText {
  readonly text: string;
  private readonly pieces: Piece[] = [];
  private readonly start: number;

  constructor(
    source: string,
    private readonly changes: readonly Change[],
    [start, end]: Span,
  ) {
    this.start = start;
    const parts: string[] = [];
    let length = 0;
    const add = (part: string, span: Span, isCopied: boolean): void => {
      if (part === '') return;
      parts.push(part);
      this.pieces.push({ at: length, source: span, isCopied });
      length += part.length;
    };
    let read = start;
    for (const change of changes) {
      add(source.slice(read, change.start), [read, change.start], true);
      add(change.shown, [change.start, change.end], false);
      read = change.end;
    }
    add(source.slice(read, end), [read, end], true);
    this.text = parts.join('');
  }

  static ofWhole(source: string): RenderedText {
    const whole: Span = [0, source.length];
    return new RenderedText(source, changesOf(source, /(?!)/y, whole), whole);
  }

  sourceSpan([start, end]: Span): Span {
    const piece = this.pieces[this.pieceIndex(start)];
    const copied = piece?.isCopied === true ? start - piece.at : 0;
    return this.balanced([(piece?.source[0] ?? 0) + copied, this.sourceAfter(end)]);
  }

  /** Where in the source the first `length` units end. */
  sourceAfter(length: number): number {
    const piece = this.pieces[this.pieceIndex(length - 1)];
    if (piece === undefined) return 0;
    return piece.isCopied ? piece.source[0] + length - piece.at : piece.source[1];
  }

  /** The parts around changes that could join or complete a finding, merged where they overlap. */
  windows(): readonly Span[] {
    // A private key consists of many lines.
    if (/BEGIN|PRIVATE|LS0tLS1CRUdJTi/.test(this.text)) return [[0, this.text.length]];
    const windows: Span[] = [];
    const clues = Array.from(this.text.matchAll(NEAR_FINDING), ({ index, 0: clue }) => [
      index,
      index + clue.length,
    ]);
    let covered = 0;
    let removed = 0;
    let nextClue = 0;
    for (const { start, end, shown } of this.changes) {
      const at = start - this.start - removed;
      removed += end - start - shown.length;
      const shownEnd = at + shown.length;
      while ((clues[nextClue]?.[1] ?? Infinity) < at - NEAR) nextClue++;
      const isNearClue = (clues[nextClue]?.[0] ?? Infinity) <= shownEnd + NEAR;
      if (!isNearClue && !this.couldJoin(at, shownEnd, shown)) continue;
      const from = this.wordStart(Math.max(covered, at - CONTEXT_BEFORE), covered);
      const to = this.wordEnd(Math.max(covered, shownEnd + CONTEXT_AFTER));
      const last = windows.at(-1);
      if (last !== undefined && from <= last[1])
        windows[windows.length - 1] = [last[0], Math.max(last[1], to)];
      else windows.push([from, to]);
      covered = Math.max(covered, to);
    }
    return windows;
  }

  /** Whether a change is inside a token or is a character of a token. */
  private couldJoin(start: number, end: number, shown: string): boolean {
    const isAfterToken = isTokenAt(this.text, start - 1);
    const isBeforeToken = isTokenAt(this.text, end);
    if (shown === '') return isAfterToken && isBeforeToken;
    return /[A-Za-z0-9@]/.test(shown) || (/[_.:/+=~$-]/.test(shown) && (isAfterToken || isBeforeToken));
  }

  private wordStart(place: number, limit: number): number {
    let start = place;
    while (start > limit && !/\s/.test(this.text.charAt(start - 1))) start--;
    return start;
  }

  private wordEnd(place: number): number {
    let end = Math.min(place, this.text.length);
    while (end < this.text.length && !/\s/.test(this.text.charAt(end))) end++;
    return end;
  }

  private pieceIndex(position: number): number {
    return lastIndexWhere(this.pieces, ({ at }) => at <= position);
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

/** Characters of tokens and addresses. */
const TOKEN_CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_\-.@:/+=]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function isTokenAt(text: string, place: number): boolean {
  return place >= 0 && place < text.length && TOKEN_CODES[text.charCodeAt(place)] === 1;
}

function counterpartOf(markup: string): string {
  if (markup.startsWith('</')) return `<${markup.slice(2)}`;
  if (markup.startsWith('<')) return `</${markup.slice(1)}`;
  if (markup === '[') return ']';
  return markup === ']' ? '[' : markup;
}

function lastIndexWhere<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
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
