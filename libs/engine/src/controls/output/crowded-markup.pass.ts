import type { Span } from '#contracts/common/text.js';
import type { CodeRegions } from './code-regions.js';
import { isAsciiLetter } from '../../text/characters.js';
import { Pass, UNCHANGED, type PassResult, type Stretch } from './pass.js';
import type { Edit } from './traced-text.js';

/** What a construct costs more than ordinary text, in units of text. */
const UNITS_PER_CONSTRUCT = 10;
/** Tags and colons are denser in harmless tables, style sheets and code. */
const UNITS_PER_DENSE_CONSTRUCT = 5;
/** Where tags are kept, one with attributes is parsed. */
const UNITS_PER_PARSED_TAG = 20;
/** A construct that the Markdown pass had to change. */
const UNITS_PER_FINDING = 15;
/** What a text may cost in any case, in units. */
const FREE_UNITS = 20_000;

/** Constructs this close are replaced in one edit, because every edit has a cost. */
const MAX_EDIT = 256;

const DETACHED_TARGET = /[ \t]+\(|[ \t]{64}/y;
const NAMED_REFERENCE = /(?:bsol|colon|sol|period|Tab|NewLine);/y;
const FULL_TAG = /[A-Za-z][A-Za-z0-9]{0,15}[^A-Za-z0-9>]/y;
const COMMAND = /(?:href|html|includeg|bbox|mmlT|cssId|requ|unicode|data|url|style|class)/y;
const REST_OF_FENCE = /[`~]{2}[^`~\n]{0,200}["']/y;

/**
 * Bounds the cost of a text that consists of little else than markup. Where the constructs exceed the limit for the text so
 * far, it breaks all of them in one step. The passes after it judge the result like any other text, so only the cost depends
 * on this pass.
 */
export class CrowdedMarkupPass extends Pass {
  /** The cost of the text so far, without its length, in units. */
  private debt = 0;
  /** The end of the held text in which constructs were counted. Edits before it move it. */
  private counted = 0;
  /** The length of the held text when it was last judged; `null` after a release. */
  private lastLength: number | null = null;
  private crowded = false;

  /**
   * @param code no text is code once the markup is crowded
   * @param keepsTags tags of harmless elements are kept
   */
  constructor(
    private readonly code: CodeRegions,
    private readonly keepsTags: boolean,
  ) {
    super();
  }

  override get isCrowded(): boolean {
    return this.crowded;
  }

  /** Counts constructs that another pass changed. */
  addFindings(count: number): void {
    this.debt += count * UNITS_PER_FINDING;
  }

  override judge({ text, judged, isPreview }: Stretch): PassResult {
    if (isPreview === true) return UNCHANGED;
    this.count(text, judged);
    if (!this.crowded) return UNCHANGED;
    this.code.makeRestContent();
    const edits = editsOf(text, judged);
    const last = edits.at(-1);
    if (edits[0] === undefined || last === undefined) return UNCHANGED;
    const span: Span = [edits[0].span[0], last.span[1]];
    return { edits, findings: [{ kind: 'markdown_sanitized', detector: 'markdown', span }] };
  }

  override settle(text: string, end: number): void {
    this.counted = Math.max(0, this.countedIn(text) - end);
    this.lastLength = null;
    // Not within a stretch, of which a part may be shown.
    this.crowded = this.debt > FREE_UNITS;
  }

  /** Counts the units that were not counted yet. */
  private count(text: string, end: number): void {
    const start = this.countedIn(text);
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code >= 128 || BEGINS_CONSTRUCT[code] !== 1 || brokenAt(text, at, code) === null) continue;
      const isDense = code === LESS_THAN || code === COLON;
      if (code === LESS_THAN && this.keepsTags && matches(FULL_TAG, text, at + 1))
        this.debt += UNITS_PER_PARSED_TAG;
      else this.debt += isDense ? UNITS_PER_DENSE_CONSTRUCT : UNITS_PER_CONSTRUCT;
    }
    this.debt -= Math.max(0, end - start);
    this.counted = Math.max(start, end);
    this.lastLength = text.length;
  }

  private countedIn({ length }: string): number {
    return Math.max(0, this.counted + length - (this.lastLength ?? length));
  }
}

function editsOf(text: string, end: number): readonly Edit[] {
  const edits: Edit[] = [];
  let start = -1;
  let read = 0;
  let replacement = '';
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128 || BEGINS_CONSTRUCT[code] !== 1) continue;
    const broken = brokenAt(text, at, code);
    if (broken === null) continue;
    if (start >= 0 && at - start > MAX_EDIT) {
      edits.push({ span: [start, read], replacement });
      start = -1;
    }
    if (start < 0) {
      start = at;
      replacement = broken;
    } else replacement += text.slice(read, at) + broken;
    read = at + 1;
  }
  if (start >= 0) edits.push({ span: [start, read], replacement });
  return edits;
}

const [AMPERSAND, OPEN_PARENTHESIS, HASH, SLASH, COLON, LESS_THAN] = [0x26, 0x28, 0x23, 0x2f, 0x3a, 0x3c];
const [TAB, SPACE] = [0x09, 0x20];
const [EXCLAMATION, QUESTION, OPEN_BRACKET, BACKSLASH, CLOSE_BRACKET] = [0x21, 0x3f, 0x5b, 0x5c, 0x5d];

const BEGINS_CONSTRUCT = Uint8Array.from({ length: 128 }, (_, code) =>
  Number('!]<&:\\`~'.includes(String.fromCharCode(code))),
);

/** What replaces the first character of the construct at a place; `null` if none begins there. */
function brokenAt(text: string, at: number, code: number): string | null {
  const next = text.charCodeAt(at + 1);
  switch (code) {
    case EXCLAMATION:
      return next === OPEN_BRACKET ? '! ' : null;
    case CLOSE_BRACKET: {
      const isTarget = next === OPEN_PARENTHESIS || next === OPEN_BRACKET || next === COLON;
      const isDetached = (next === SPACE || next === TAB) && matches(DETACHED_TARGET, text, at + 1);
      return isTarget || isDetached ? ']-' : null;
    }
    case LESS_THAN: {
      const isTag = isAsciiLetter(next) || next === SLASH || next === EXCLAMATION || next === QUESTION;
      return isTag ? '&lt;' : null;
    }
    case AMPERSAND:
      return next === HASH || (isAsciiLetter(next) && matches(NAMED_REFERENCE, text, at + 1))
        ? '&amp;'
        : null;
    case COLON: {
      const isWord = isAsciiLetter(next) || next >= 0x80;
      return isWord || (next === SLASH && text.charCodeAt(at + 2) === SLASH) ? ': ' : null;
    }
    case BACKSLASH:
      return matches(COMMAND, text, at + 1) ? '\\ ' : null;
    default:
      return matches(REST_OF_FENCE, text, at + 1) ? `${text.charAt(at)} ` : null;
  }
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
