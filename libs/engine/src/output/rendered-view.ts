import type { Span } from '../../../contracts/src/span.js';
import { decodeReference } from './character-references.js';

/**
 * Characters that can begin markup, an escape, a character reference, or that look like another character or like
 * nothing. `\uD835` begins mathematical digits, `\uDB40` begins invisible tags.
 */
const DISGUISE =
  /[\\&<*`~_[\]\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uff04-\uff06\uff0b-\uff20\uff21-\uff3a\uff3f\uff41-\uff5a\uffa0]|\ud835[\udfce-\udfff]|\udb40[\udc00-\udfff]/g;

const REFERENCE = /&(?:#[xX]0*[0-9a-fA-F]{1,6}|#0*\d{1,7}|[A-Za-z][A-Za-z0-9]{1,31});?/y;
const TAG = /\/?([A-Za-z][A-Za-z0-9-]*)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/y;
const LENIENT_TAG = /(?:[/?!]|(?=[A-Za-z]))([A-Za-z][A-Za-z0-9-]*)?[^<>]*>/y;
/** A tag whose `<` the HTML pass has escaped. */
const ESCAPED_TAG = /^&lt;[A-Za-z/!?]/;
const COMMENT_END = /--!?>/g;
/** The target of a link: one level of parentheses. */
const TARGET = /\]\([^()]*(?:\([^()]*\)[^()]*)*\)/y;
const LABEL = /\]\[[^[\]]*\]/y;
/** Tags that begin a new line. */
const BLOCK_TAG =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|t[drh]|ul)$/i;

/** Units on both sides of a change that are part of the view. */
const CONTEXT_BEFORE = 72;
const CONTEXT_AFTER = 48;
/** What makes a change at the border of a word relevant, if it is this close. */
const NEAR_FINDING =
  /@|\d(?:\D{0,6}\d){3}|pass|pwd|\bpw\b|secret|token|key|credential|wort\b|contraseña|clave|senha|пароль|密|パスワード|bearer|basic/i;
const NEAR = 32;
/** Separates parts of the text that are not adjacent. It is longer than the distance between a label and a number. */
const GAP = `\n${'·'.repeat(26)}\n`;

/** A part of the source that is shown as something else. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
  /** For markup in pairs: what it is, such as `**` or `</b`. */
  readonly markup: string | null;
  /** The target of a link, if it contains changes itself. */
  readonly target: Span | null;
}

/** A part of the view and its place in the source; `source[0] === source[1]` for a gap. */
interface Piece {
  readonly at: number;
  readonly source: Span;
  readonly isCopied: boolean;
}

/**
 * The text as a reader of the rendered text sees it: escapes and character references decoded, markup and invisible
 * characters removed. It holds only the parts of the text that differ and could contain a finding, separated by gaps.
 */
export class RenderedView {
  constructor(
    readonly text: string,
    private readonly pieces: readonly Piece[],
    private readonly changes: readonly Change[],
  ) {}

  /** `null` if no detector could find anything else in it. `placeholder` is sticky. */
  static of(source: string, placeholder: RegExp): RenderedView | null {
    DISGUISE.lastIndex = 0;
    if (!DISGUISE.test(source)) return null;
    const changes = changesOf(source, placeholder, [0, source.length]);
    // A private key consists of many lines.
    const isWhole = changes.length > 0 && /BEGIN|PRIVATE|LS0tLS1CRUdJTi/.test(source);
    const windows = isWhole ? [[0, source.length] as const] : windowsOf(source, changes);
    const builder = new Builder(source);
    let index = 0;
    for (const window of windows) index = builder.append(window, changes, index);
    // The target of a link is not part of the text around it.
    for (const { target } of changes) {
      if (target !== null) builder.append(target, changesOf(source, placeholder, target), 0);
    }
    return builder.build(changes);
  }

  /** A whole text, also where no detector could find anything. */
  static ofWhole(source: string): RenderedView {
    const changes = changesOf(source, /(?!)/y, [0, source.length]);
    const builder = new Builder(source);
    builder.append([0, source.length], changes, 0, false);
    return builder.build(changes) ?? new RenderedView('', [], changes);
  }

  /** The span in the source, with markup that would lose its other half; `null` if it crosses a gap. */
  sourceSpan([start, end]: Span): Span | null {
    const first = this.pieceIndex(start);
    const last = this.pieceIndex(end - 1);
    for (let index = first; index <= last; index++) {
      const piece = this.pieces[index];
      if (piece === undefined || piece.source[0] === piece.source[1]) return null;
    }
    return this.balanced([this.sourceAt(start), this.sourceAfter(end)]);
  }

  /** Where in the source the first `length` units of the view end. */
  sourceAfter(length: number): number {
    if (length === 0) return 0;
    const piece = this.pieces[this.pieceIndex(length - 1)];
    if (piece === undefined) return 0;
    return piece.isCopied ? piece.source[0] + length - piece.at : piece.source[1];
  }

  private sourceAt(position: number): number {
    const piece = this.pieces[this.pieceIndex(position)];
    if (piece === undefined) return 0;
    return piece.isCopied ? piece.source[0] + position - piece.at : piece.source[0];
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

function changesOf(source: string, placeholder: RegExp, [start, end]: Span): readonly Change[] {
  const scanner = new Scanner(source, placeholder);
  const changes: Change[] = [];
  const openBrackets: number[] = [];
  const pairedBrackets = new Set<number>();
  DISGUISE.lastIndex = start;
  for (let match = DISGUISE.exec(source); match !== null; match = DISGUISE.exec(source)) {
    if (match.index >= end) break;
    const { change, next } = scanner.at(match.index, match[0]);
    DISGUISE.lastIndex = next;
    if (change === null) continue;
    if (change.markup === '[') openBrackets.push(change.start);
    if (change.markup === ']') {
      const open = openBrackets.pop();
      if (open === undefined) continue;
      pairedBrackets.add(open);
    }
    changes.push(change);
  }
  return openBrackets.length === 0
    ? changes
    : changes.filter((change) => change.markup !== '[' || pairedBrackets.has(change.start));
}

interface Scanned {
  readonly change: Change | null;
  /** Where the search continues. */
  readonly next: number;
}

/** Recognizes one change at a time, from left to right. */
class Scanner {
  private isWithoutCommentEnd = false;
  private openUnderscores = 0;

  constructor(
    private readonly source: string,
    private readonly placeholder: RegExp,
  ) {}

  at(start: number, found: string): Scanned {
    switch (found) {
      case '\\':
        return this.escape(start);
      case '&':
        return this.reference(start);
      case '<':
        return this.tag(start, 1);
      case '*':
      case '`':
      case '~':
      case '_':
        return this.emphasis(start, found);
      case '[':
        return this.openBracket(start);
      case ']':
        return this.closeBracket(start);
      default:
        return changed(start, start + found.length, lookalikeOf(found));
    }
  }

  private escape(start: number): Scanned {
    const next = this.source.charAt(start + 1);
    if (next === '\n' || next === '\r') return changed(start, start + 1, '');
    if (!/[!-/:-@[-`{-~]/.test(next)) return { change: null, next: start + 1 };
    return changed(start, start + 2, next);
  }

  private reference(start: number): Scanned {
    if (ESCAPED_TAG.test(this.source.slice(start, start + 6))) return this.tag(start, 4);
    REFERENCE.lastIndex = start;
    const [reference = ''] = REFERENCE.exec(this.source) ?? [];
    const decoded = decodeReference(reference);
    if (decoded === null) return { change: null, next: start + Math.max(1, reference.length) };
    return changed(start, start + decoded.length, lookalikeOf(decoded.character));
  }

  /** `opener` is the length of `<` or `&lt;`. */
  private tag(start: number, opener: number): Scanned {
    const nameStart = start + opener;
    if (this.source.startsWith('!--', nameStart)) return this.comment(start, nameStart + 3);
    TAG.lastIndex = nameStart;
    LENIENT_TAG.lastIndex = nameStart;
    const match = TAG.exec(this.source) ?? LENIENT_TAG.exec(this.source);
    if (match === null) {
      return opener === 1 ? { change: null, next: nameStart } : changed(start, nameStart, '<');
    }
    const [tag, name = ''] = match;
    const end = nameStart + tag.length;
    if (BLOCK_TAG.test(name)) return changed(start, end, '\n');
    return changed(start, end, '', `${tag.startsWith('/') ? '</' : '<'}${name.toLowerCase()}`);
  }

  private comment(start: number, contentStart: number): Scanned {
    if (this.isWithoutCommentEnd) return { change: null, next: contentStart };
    COMMENT_END.lastIndex = contentStart;
    if (COMMENT_END.test(this.source)) return changed(start, COMMENT_END.lastIndex, '');
    this.isWithoutCommentEnd = true;
    return { change: null, next: contentStart };
  }

  /** A run of one character. An underscore after a letter is part of a name, unless it ends emphasis. */
  private emphasis(start: number, marker: string): Scanned {
    let end = start + 1;
    while (this.source.charAt(end) === marker) end++;
    if (marker === '_' && isWordAt(this.source, start - 1)) {
      if (this.openUnderscores === 0 || isWordAt(this.source, end)) return { change: null, next: end };
      this.openUnderscores--;
    } else if (marker === '_') {
      this.openUnderscores++;
    }
    if (marker === '~' && end - start > 2) return { change: null, next: end };
    // A bullet, or an operator between spaces.
    if (/\s/.test(this.source.charAt(end)) && /^\s?$/.test(this.source.charAt(start - 1))) {
      return { change: null, next: end };
    }
    return changed(start, end, '', this.source.slice(start, end));
  }

  private openBracket(start: number): Scanned {
    this.placeholder.lastIndex = start;
    const [placeholder] = this.placeholder.exec(this.source) ?? [];
    if (placeholder !== undefined && placeholder !== '')
      return { change: null, next: start + placeholder.length };
    return changed(start, start + 1, '', '[');
  }

  private closeBracket(start: number): Scanned {
    TARGET.lastIndex = start;
    LABEL.lastIndex = start;
    const [link = ']'] = TARGET.exec(this.source) ?? LABEL.exec(this.source) ?? [];
    const scanned = changed(start, start + link.length, '', ']');
    if (scanned.change === null || !/[&\\]/.test(link)) return scanned;
    return { ...scanned, change: { ...scanned.change, target: [start + 2, start + link.length - 1] } };
  }
}

function changed(start: number, end: number, shown: string, markup: string | null = null): Scanned {
  return { change: { start, end, shown, markup, target: null }, next: end };
}

/** The ASCII character that a character looks like, or nothing if it is invisible. */
function lookalikeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0xa0) return character;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (code >= 0x1d7ce && code <= 0x1d7ff) return String((code - 0x1d7ce) % 10);
  if (/[\u2010-\u2015\u2212]/.test(character)) return '-';
  if (/[\u200b-\u200f\u2060-\u206f\ufeff]/.test(character)) return '';
  return /[\s\u2028-\u2029\u2800\u3164]/.test(character)
    ? ' '
    : /\p{L}|\p{N}|\p{P}|\p{S}/u.test(character)
      ? character
      : '';
}

/** The parts of the source around relevant changes, merged where they overlap. */
function windowsOf(source: string, changes: readonly Change[]): readonly Span[] {
  const windows: Span[] = [];
  let covered = 0;
  for (const [index, change] of changes.entries()) {
    if (!isRelevant(source, changes, index)) continue;
    const start = wordStart(source, Math.max(covered, change.start - CONTEXT_BEFORE), covered);
    const end = wordEnd(source, Math.max(covered, change.end + CONTEXT_AFTER));
    const last = windows.at(-1);
    if (last !== undefined && start <= last[1])
      windows[windows.length - 1] = [last[0], Math.max(last[1], end)];
    else windows.push([start, end]);
    covered = Math.max(covered, end);
  }
  return windows;
}

/** Whether a change could join or complete a finding: it is inside a word, or a number or an address is near. */
function isRelevant(source: string, changes: readonly Change[], index: number): boolean {
  const { start, end, shown } = changes[index] as Change;
  const isAfterToken = isTokenAt(source, start - 1) || changes[index - 1]?.end === start;
  const isBeforeToken = isTokenAt(source, end) || changes[index + 1]?.start === end;
  if (isAfterToken && isBeforeToken) return true;
  if (/[A-Za-z0-9@]/.test(shown) || (/[_.:/+=~$-]/.test(shown) && (isAfterToken || isBeforeToken)))
    return true;
  return NEAR_FINDING.test(source.slice(Math.max(0, start - NEAR), end + NEAR));
}

function isWordAt(source: string, place: number): boolean {
  return /[A-Za-z0-9]/.test(source.charAt(place));
}

/** Characters of tokens and addresses. */
function isTokenAt(source: string, place: number): boolean {
  return /[A-Za-z0-9_\-.@:/+=]/.test(source.charAt(place));
}

function wordStart(source: string, place: number, limit: number): number {
  let start = place;
  while (start > limit && !/\s/.test(source.charAt(start - 1))) start--;
  return start;
}

function wordEnd(source: string, place: number): number {
  let end = Math.min(place, source.length);
  while (end < source.length && !/\s/.test(source.charAt(end))) end++;
  return end;
}

/** Whether a detector could find something: an address, many digits, a long word, or a value after a label. */
const COULD_CONTAIN =
  /@|:\/\/|\d(?:\D{0,3}\d){6}|[A-Za-z0-9_-]{12}|[\da-f]:[\da-f]{0,4}:|\d\.\d{1,3}\.|pass|pwd|\bpw\b|\bpan\b|secret|token|key|credential|kennwort|contraseña|clave|senha|пароль|密|パスワード|bearer|basic| -u| -p/i;

class Builder {
  private readonly parts: string[] = [];
  private readonly pieces: Piece[] = [];
  private length = 0;

  constructor(private readonly source: string) {}

  /** Appends a part of the source with its changes, unless no detector could find something in it. */
  append([start, end]: Span, changes: readonly Change[], firstIndex: number, isFiltered = true): number {
    const [partCount, pieceCount, { length }] = [this.parts.length, this.pieces.length, this];
    if (length > 0) this.add(GAP, [start, start], false);
    const contentStart = this.parts.length;
    let index = firstIndex;
    let read = start;
    for (; (changes[index]?.start ?? Infinity) < end; index++) {
      const change = changes[index] as Change;
      if (change.end <= start) continue;
      this.add(this.source.slice(read, change.start), [read, change.start], true);
      this.add(change.shown, [change.start, change.end], false);
      read = Math.max(read, change.end);
    }
    this.add(this.source.slice(read, end), [read, end], true);
    if (isFiltered && !COULD_CONTAIN.test(this.parts.slice(contentStart).join(''))) {
      this.parts.length = partCount;
      this.pieces.length = pieceCount;
      this.length = length;
    }
    return index;
  }

  build(changes: readonly Change[]): RenderedView | null {
    return this.length === 0 ? null : new RenderedView(this.parts.join(''), this.pieces, changes);
  }

  private add(part: string, source: Span, isCopied: boolean): void {
    if (part === '') return;
    this.parts.push(part);
    this.pieces.push({ at: this.length, source, isCopied });
    this.length += part.length;
  }
}
