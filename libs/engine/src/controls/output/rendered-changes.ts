/** What a renderer shows differently than it is written: escapes, references, tags, links, emphasis, lookalikes. */
import type { Utf16Span } from '#contracts/common/spans.js';
import type { Placeholders } from './detectors/placeholders.js';
import { referenceAt } from './character-references.js';
import {
  isAsciiLetter,
  isAsciiLetterOrDigit,
  isAsciiPunctuation,
  isWhitespace,
} from '../../text/characters.js';
import { endOf } from '../../text/next-match.js';
import { lookalikeAt, lookalikeLength, nextDisguise, shownAs } from './lookalikes.js';

const TAG = /\/?([A-Za-z][A-Za-z0-9-]*)(?:[^<>"'&]|&(?!lt;)|"[^"<]{0,1000}"|'[^'<]{0,1000}')*>/y;
const LENIENT_TAG = /(?:[/?!]|(?=[A-Za-z]))([A-Za-z][A-Za-z0-9-]*)?(?:[^<>&]|&(?!lt;))*>/y;
/** What follows `&` in a tag whose `<` the HTML pass has escaped. */
const ESCAPED_TAG = /lt;[A-Za-z/!?]/y;
const COMMENT_END = /--!?>/g;
/** The target of a link with its title: escapes, and two levels of parentheses. */
const TARGET =
  /\]\((?:[^()\\"']|\\[^]|\((?:[^()\\]|\\[^]|\((?:[^()\\]|\\[^])*\))*\)|"[^"]{0,300}"|'[^']{0,300}')*\)/y;
/** A target with a single quote. */
const PLAIN_TARGET = /\]\([^()]*(?:\([^()]*\)[^()]*)*\)/y;
const LABEL = /\]\[[^[\]]*\]/y;
/** Tags that begin a new line. */
const BLOCK_TAG =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|t[drh]|ul)$/i;

const [BACKSLASH, AMPERSAND, LESS_THAN, GREATER_THAN] = [0x5c, 0x26, 0x3c, 0x3e];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_PARENTHESIS] = [0x5b, 0x5d, 0x28];
const [UNDERSCORE, TILDE, SLASH] = [0x5f, 0x7e, 0x2f];
const [EQUALS, PLUS, CARET, DOLLAR] = [0x3d, 0x2b, 0x5e, 0x24];
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** A part of the source that is shown as something else. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
  /** Each unit of the source is shown as one unit. */
  readonly isAligned: boolean;
  /** The kind of markup that comes in pairs, such as `**` or `</b`. */
  readonly markup: string | null;
  /** The target of a link, if it contains changes itself. */
  readonly target: Utf16Span | null;
}

/** All changes of a part of the source, in order. */
export function changesOf(
  source: string,
  placeholders: Placeholders,
  part: Utf16Span,
  inWords = false,
): readonly Change[] {
  return new Scanner(source, placeholders, inWords).changesIn(part);
}

/** The changes of separate parts of the source. The text between them is shown as `gap`. */
export function changesWithin(
  source: string,
  placeholders: Placeholders,
  parts: readonly Utf16Span[],
  gap: string,
): readonly Change[] {
  const scanner = new Scanner(source, placeholders);
  const changes: Change[] = [];
  let read = parts[0]?.[0] ?? 0;
  for (const part of parts) {
    const [start, end] = part;
    if (start > read) changes.push(changeOf(read, start, gap));
    for (const change of scanner.changesIn(part)) changes.push(change);
    read = end;
  }
  return changes;
}

/** Spaces, groups and fonts of TeX. */
const TEX = String.raw`\\[ ,;:>!]|~|\\(?:q?quad|enspace|thinspace|(?:text|math)[a-z]*|mbox)(?![A-Za-z])\s*|[{}]`;
export const TEX_UNIT = new RegExp(TEX, 'g');
const TEX_IN_WORD = new RegExp(`[A-Za-z0-9](?:${TEX})+[A-Za-z0-9]`);

/** The changes of a formula without its spaces; none if it shows no word in parts. */
export function changesOfTex(source: string): readonly Change[] {
  if (!TEX_IN_WORD.test(source)) return [];
  return Array.from(source.matchAll(TEX_UNIT), ({ index, 0: { length } }) =>
    changeOf(index, index + length, ''),
  );
}

function changeOf(start: number, end: number, shown: string): Change {
  return { start, end, shown, isAligned: false, markup: null, target: null };
}

/** Recognizes one change at a time, from left to right. */
class Scanner {
  private changes: Change[] = [];
  private openBrackets: Change[] = [];
  private openUnderscores = 0;
  private isWithoutCommentEnd = false;
  private lastTagEnd: number | null = null;
  private lastParenthesis: number | null = null;

  constructor(
    private readonly source: string,
    private readonly placeholders: Placeholders,
    /** Underscores inside words are markup, as in some renderers. */
    private readonly inWords = false,
  ) {}

  /** A pair of markup does not extend over two parts. */
  changesIn([start, end]: Utf16Span): readonly Change[] {
    this.changes = [];
    this.openBrackets = [];
    this.openUnderscores = 0;
    let place = nextDisguise(this.source, start, end);
    while (place < end) place = nextDisguise(this.source, this.read(place), end);
    if (this.openBrackets.length === 0) return this.changes;
    const unpaired = new Set(this.openBrackets);
    return this.changes.filter((change) => !unpaired.has(change));
  }

  /** Returns where the search continues. */
  private read(start: number): number {
    const code = this.source.charCodeAt(start);
    switch (code) {
      case BACKSLASH:
        return this.escape(start);
      case AMPERSAND:
        return this.reference(start);
      case LESS_THAN:
        return this.tag(start, 1);
      case OPEN_BRACKET:
        return this.openBracket(start);
      case CLOSE_BRACKET:
        return this.closeBracket(start);
      default:
        return code < 128 ? this.emphasis(start, code) : this.lookalikes(start);
    }
  }

  /** More than one backslash is an escape inside an escaped string, such as JSON. */
  private escape(start: number) {
    let end = start + 1;
    while (this.source.charCodeAt(end) === BACKSLASH) end++;
    const next = this.source.charCodeAt(end);
    if (next === LINE_FEED || next === CARRIAGE_RETURN) return this.add(end - 1, end, '');
    if (!isAsciiPunctuation(next)) return end;
    return this.add(start, end + 1, this.source.charAt(end));
  }

  private reference(start: number) {
    if (endOf(ESCAPED_TAG, this.source, start + 1) > 0) return this.tag(start, '&lt;'.length);
    const { character, length } = referenceAt(this.source, start);
    if (character === null) return start + length;
    return this.add(start, start + length, shownAs(character));
  }

  /** `opener` is the length of `<` or `&lt;`. */
  private tag(start: number, opener: number) {
    const nameStart = start + opener;
    if (this.source.startsWith('!--', nameStart)) return this.comment(start, nameStart + 3);
    const isClosing = this.source.charCodeAt(nameStart) === SLASH;
    const name = this.tagName(
      isClosing || !isAsciiLetter(this.source.charCodeAt(nameStart)) ? nameStart + 1 : nameStart,
    );
    const end = this.endOfTag(nameStart, nameStart + Number(isClosing) + name.length);
    if (end < 0) return opener === 1 ? nameStart : this.add(start, nameStart, '<');
    if (BLOCK_TAG.test(name)) return this.add(start, end, '\n');
    return this.add(start, end, '', `${isClosing ? '</' : '<'}${name.toLowerCase()}`);
  }

  private endOfTag(start: number, nameEnd: number) {
    if (nameEnd > start + 1 && this.source.charCodeAt(nameEnd) === GREATER_THAN) return nameEnd + 1;
    this.lastTagEnd ??= this.source.lastIndexOf('>');
    if (start >= this.lastTagEnd) return -1;
    const end = endOf(TAG, this.source, start);
    return end > 0 ? end : endOf(LENIENT_TAG, this.source, start);
  }

  private tagName(start: number) {
    if (!isAsciiLetter(this.source.charCodeAt(start))) return '';
    let end = start + 1;
    while (isAsciiLetterOrDigit(this.source.charCodeAt(end)) || this.source.charAt(end) === '-') end++;
    return this.source.slice(start, end);
  }

  private comment(start: number, contentStart: number) {
    if (this.isWithoutCommentEnd) return contentStart;
    COMMENT_END.lastIndex = contentStart;
    if (COMMENT_END.test(this.source)) return this.add(start, COMMENT_END.lastIndex, '');
    this.isWithoutCommentEnd = true;
    return contentStart;
  }

  /** A run of one character. An underscore after a letter is part of a name, unless it ends emphasis. */
  private emphasis(start: number, marker: number): number {
    let end = start + 1;
    while (this.source.charCodeAt(end) === marker) end++;
    if (marker === UNDERSCORE && isEnclosed(this.source.charAt(start - 1), this.source.charAt(end)))
      return end;
    if (marker === UNDERSCORE && !this.inWords && isAsciiLetterOrDigit(this.source.charCodeAt(start - 1))) {
      if (this.openUnderscores === 0 || isAsciiLetterOrDigit(this.source.charCodeAt(end))) return end;
      this.openUnderscores--;
    } else if (marker === UNDERSCORE) {
      this.openUnderscores++;
    }
    if (!isMarker(marker, end - start)) return end;
    // A bullet, or an operator between spaces.
    const isBeforeBlank = isWhitespace(this.source.charCodeAt(end));
    if (isBeforeBlank && (start === 0 || isWhitespace(this.source.charCodeAt(start - 1)))) return end;
    return this.add(start, end, '', this.source.slice(start, end));
  }

  private openBracket(start: number) {
    const length = this.placeholders.lengthAt(this.source, start);
    if (length > 0) return start + length;
    const isImage = this.source.charAt(start - 1) === '!' && (this.changes.at(-1)?.end ?? 0) < start;
    const next = this.add(isImage ? start - 1 : start, start + 1, '', '[');
    this.openBrackets.push(this.changes[this.changes.length - 1] as Change);
    return next;
  }

  private closeBracket(start: number) {
    const end = this.endOfLink(start);
    if (this.openBrackets.pop() === undefined) return end;
    const target: Utf16Span = [start + 2, end - 1];
    return this.add(start, end, '', ']', containsEscape(this.source, target) ? target : null);
  }

  /** The end of the link whose text ends at a place. */
  private endOfLink(start: number) {
    const next = this.source.charCodeAt(start + 1);
    if (next !== OPEN_PARENTHESIS && next !== OPEN_BRACKET) return start + 1;
    this.lastParenthesis ??= this.source.lastIndexOf(')');
    if (next === OPEN_PARENTHESIS && start > this.lastParenthesis) return start + 1;
    for (const link of next === OPEN_PARENTHESIS ? [TARGET, PLAIN_TARGET] : [LABEL]) {
      const end = endOf(link, this.source, start);
      if (end > 0) return end;
    }
    return start + 1;
  }

  /** Adjacent characters that look like one other character each, or that are invisible, are one change. */
  private lookalikes(start: number): number {
    const first = lookalikeLength(this.source, start);
    let shown = lookalikeAt(this.source, start, first);
    let end = start + first;
    const isAligned = shown.length === first;
    if (!isAligned && shown !== '') return this.add(start, end, shown);
    for (let length = lookalikeLength(this.source, end); length > 0;) {
      const next = lookalikeAt(this.source, end, length);
      if (isAligned ? next.length !== length : next !== '') break;
      shown += next;
      end += length;
      length = lookalikeLength(this.source, end);
    }
    return this.add(start, end, shown, null, null, isAligned);
  }

  private add(
    start: number,
    end: number,
    shown: string,
    markup: string | null = null,
    target: Utf16Span | null = null,
    isAligned = false,
  ) {
    this.changes.push({ start, end, shown, isAligned, markup, target });
    return end;
  }
}

/** Whether a run of a character can be markup: `==` marks a text, and `=` is only a sign. */
function isMarker(marker: number, length: number) {
  if (marker === EQUALS || marker === PLUS) return length === 2;
  if (marker === CARET) return length === 1;
  return (marker !== TILDE && marker !== DOLLAR) || length <= 2;
}

/** Whether markup on both sides has only an underscore for its text. */
function isEnclosed(before: string, after: string) {
  return before === '>' ? after === '<' : before === after && /[*~=+^$`]/.test(before);
}

function containsEscape(source: string, [start, end]: Utf16Span) {
  for (let place = start; place < end; place++) {
    const code = source.charCodeAt(place);
    if (code === AMPERSAND || code === BACKSLASH) return true;
  }
  return false;
}
