import type { Span } from '#contracts/text.js';
import { decodeReference } from './character-references.js';

/**
 * Characters that can begin markup, an escape, a character reference, or that look like another character or like
 * nothing. `\uD835` begins mathematical digits, `\uDB40` begins invisible tags.
 */
const DISGUISE =
  /[\\&<*`~_[\]\u00a0\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uff04-\uff06\uff0b-\uff20\uff21-\uff3a\uff3f\uff41-\uff5a\uffa0]|\u034f|[\ufe00-\ufe0f]|\ud835[\udfce-\udfff]|\udb40[\udc00-\udfff]/g;

const REFERENCE = /&(?:#[xX]0*[0-9a-fA-F]{1,6}|#0*\d{1,7}|[A-Za-z][A-Za-z0-9]{1,31});?/y;
const TAG = /\/?([A-Za-z][A-Za-z0-9-]*)(?:[^<>"'&]|&(?!lt;)|"[^"<]{0,1000}"|'[^'<]{0,1000}')*>/y;
const LENIENT_TAG = /(?:[/?!]|(?=[A-Za-z]))([A-Za-z][A-Za-z0-9-]*)?(?:[^<>&]|&(?!lt;))*>/y;
/** A tag whose `<` the HTML pass has escaped. */
const ESCAPED_TAG = /^&lt;[A-Za-z/!?]/;
const COMMENT_END = /--!?>/g;
/** The target of a link: one level of parentheses. */
const TARGET = /\]\([^()]*(?:\([^()]*\)[^()]*)*\)/y;
const LABEL = /\]\[[^[\]]*\]/y;
/** Tags that begin a new line. */
const BLOCK_TAG =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|t[drh]|ul)$/i;

/** A part of the source that is shown as something else. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
  /** The kind of markup that comes in pairs, such as `**` or `</b`. */
  readonly markup: string | null;
  /** The target of a link, if it contains changes itself. */
  readonly target: Span | null;
}

export function couldChange(source: string): boolean {
  DISGUISE.lastIndex = 0;
  return DISGUISE.test(source);
}

/** All changes of a part of the source, in order. `placeholder` is sticky. */
export function changesOf(source: string, placeholder: RegExp, [start, end]: Span): readonly Change[] {
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
  private readonly lastTagEnd: number;

  constructor(
    private readonly source: string,
    private readonly placeholder: RegExp,
  ) {
    this.lastTagEnd = source.lastIndexOf('>');
  }

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

  /** More than one backslash is an escape inside an escaped string, such as JSON. */
  private escape(start: number): Scanned {
    let end = start + 1;
    while (this.source.charAt(end) === '\\') end++;
    const next = this.source.charAt(end);
    if (next === '\n' || next === '\r') return changed(end - 1, end, '');
    if (!/[!-/:-@[-`{-~]/.test(next)) return { change: null, next: end };
    return changed(start, end + 1, next);
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
    const match =
      nameStart < this.lastTagEnd ? (TAG.exec(this.source) ?? LENIENT_TAG.exec(this.source)) : null;
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

function isWordAt(source: string, place: number): boolean {
  return /[A-Za-z0-9]/.test(source.charAt(place));
}
