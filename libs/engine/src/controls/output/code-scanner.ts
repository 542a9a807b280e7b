import type { Span } from '#contracts/common/text.js';
import { AddressWords } from './address-words.js';
import {
  beginLine,
  type CodeState,
  DELIMITER_ROW,
  endParagraph,
  type Fence,
  isContainer,
  isOpenTitle,
  isOrdinaryLine,
  NO_OFFSETS,
  trimBlanks,
} from './code-state.js';
import { endOf, NextMatch } from './next-match.js';

const MAX_LINE_HEAD = 400;
const MAX_SPAN = 500;
/** Definitions in one line. Only hostile texts have more. */
const MAX_DEFINITIONS = 20;
/** What a step of the scan costs, and what a text may cost more than its length, in units of text. */
const UNITS_PER_STEP = 2.5;
const FREE_UNITS = 20_000;

/** Line ends for some renderers, ordinary characters for others. */
const ODD_CHARACTERS = String.raw`\v\f\u0000\u0085\u2028\u2029\u2424`;
const ODD_LINE_END = new RegExp(String.raw`[${ODD_CHARACTERS}]|\r(?!\n)`);

/** Text without a character that `scanInline` handles. */
const PLAIN = new RegExp(String.raw`[^\x60\\$\]<|\n\r${ODD_CHARACTERS}]+`, 'y');
/** In a paragraph that may be a table, further pipes change nothing. */
const PLAIN_OR_PIPE = new RegExp(String.raw`[^\x60\\$\]<\n\r${ODD_CHARACTERS}]+`, 'y');
const BLANK_LINE = /[ \t]*\r?(?:\n|$)/y;
const LINE_END = /\n/g;
/** `\(` and `\[`, also after an escaped backslash. */
const TEX_BRACKET = /\\{1,2}[([]/y;

const TICKS = /`+/y;
/** Runs of exactly one and of exactly two ticks. */
const SINGLE_TICK = /(?<!`)`(?!`)/g;
const DOUBLE_TICK = /(?<!`)``(?!`)/g;
/** The end of a label that begins before. */
const CLOSES_LABEL = /^(?:[^[\]\\]|\\[^[])*\]/;
/** The end of a link, `](target "title")`, without characters that renderers may read in different ways. */
const SIMPLE_LINK = /\]\([^\s()<>"'`\\$|]{0,400}(?: "[^"`\\\n$|()]{0,200}")?\)/y;
/** The end of a reference, `][label]`, without such characters. */
const SIMPLE_LABEL = /\]\[[^[\]`\\\n$|]{0,200}\]/y;
/** HTML that may continue after a blank line. */
const LONG_HTML = /<(?:pre|script|style|textarea|[!?])/iy;
/** An inline tag with text behind it, so that no renderer takes its line for a block of HTML. */
const INLINE_TAG = /<(?:\/?(?:sub|sup|kbd|mark)|br ?\/?)>[ \t]*[^ \t\r\n]/iy;
/** `:name[` or `:name{`. A directive reads its label and attributes before code. */
const DIRECTIVE = /:[\p{L}_][\p{L}\p{N}_-]*[[{]/gu;
const DIRECTIVE_WITHIN = new RegExp(DIRECTIVE.source, 'u');

/** Scans a text from left to right and collects the regions that are code. */
export class CodeScanner {
  readonly regions: Span[] = [];
  private at = 0;
  private readonly words: AddressWords;
  private readonly lineEnds: NextMatch;
  private readonly directives: NextMatch;
  private readonly ticks: readonly [single: NextMatch, double: NextMatch];

  /** @param state changes during the scan */
  constructor(
    readonly text: string,
    readonly state: CodeState,
    private readonly html: RegExp | null,
  ) {
    this.words = new AddressWords(text, state.word);
    this.lineEnds = new NextMatch(LINE_END, text);
    this.directives = new NextMatch(DIRECTIVE, text);
    this.ticks = [new NextMatch(SINGLE_TICK, text), new NextMatch(DOUBLE_TICK, text)];
  }

  scan(until: number): this {
    const { state } = this;
    if (this.words.beginsWith(DIRECTIVE_WITHIN)) this.makeParagraphContent();
    while (this.at < until && !state.isRestContent) {
      state.extraCost += UNITS_PER_STEP;
      this.scanNext(until);
      if (this.at > until) {
        this.at = until;
        this.makeParagraphContent();
      }
    }
    state.extraCost -= this.at;
    if (state.extraCost > FREE_UNITS) this.makeRestContent();
    if (!state.isRestContent) state.word = this.words.openWord(until);
    return this;
  }

  private scanNext(until: number): void {
    const { state, at } = this;
    if (state.fence !== null) {
      this.scanFenceLine(state.fence, until);
      return;
    }
    if (state.isAtLineStart) this.beginLine();
    if (this.at === at) this.scanInline(until);
  }

  private makeParagraphContent(): void {
    this.state.paragraph.isContent = true;
  }

  private makeRestContent(): void {
    this.state.isRestContent = true;
  }

  private lineEnd(at: number): number {
    return this.lineEnds.from(at);
  }

  private scanFenceLine(fence: Fence, until: number): void {
    const { state, text, at } = this;
    const end = this.lineEnd(at);
    const line = text.slice(at, end);
    const beginsText = state.isAtLineStart && line.trim() !== '';
    if (beginsText && endsFence(line, fence)) {
      state.fence = null;
      endParagraph(state);
      this.at = end;
      state.isAtLineStart = false;
      return;
    }
    if ((beginsText && this.mayEndFence(line, fence)) || ODD_LINE_END.test(line)) {
      this.makeRestContent();
      return;
    }
    const stop = Math.min(end + 1, Math.max(until, at + 1), text.length);
    if (fence.isCode) this.addRegion([at, stop]);
    state.isAtLineStart = stop > end;
    this.at = stop;
  }

  /** Whether some renderer ends the fence, or a surrounding block, at this line. */
  private mayEndFence(line: string, { marker, indent }: Fence): boolean {
    if (line.replace(/^[\s>]+/, '').startsWith(marker)) return true;
    if (this.state.seen.containers && isContainer(line)) return true;
    return indent > 0 && !line.startsWith(' '.repeat(indent));
  }

  private addRegion([start, end]: Span): void {
    const last = this.regions.at(-1);
    const continuesFence = last?.[1] === start && this.text[last[0]] !== '`';
    if (continuesFence) this.regions[this.regions.length - 1] = [last[0], end];
    else this.regions.push([start, end]);
  }

  /** Moves to the end of the line if the whole line is processed. */
  private beginLine(): void {
    const { state, text, at } = this;
    const isFirst = state.isFirstLine;
    state.isAtLineStart = false;
    state.isFirstLine = false;
    state.definitionsInLine = 0;
    if (text[at] === '\n' || endOf(BLANK_LINE, text, at) !== -1) {
      if (state.openMath !== null) this.makeRestContent();
      endParagraph(state);
      return;
    }
    const end = this.lineEnd(at);
    const headEnd = Math.min(end, at + MAX_LINE_HEAD);
    if (!isFirst && isOrdinaryLine(state, text.charCodeAt(at))) {
      state.listOffsets = NO_OFFSETS;
      state.paragraph.isEmpty = false;
      return;
    }
    const line = text.slice(at, headEnd).replace(/\r$/, '');
    const isWhole = end - at <= MAX_LINE_HEAD && end < text.length;
    state.extraCost += UNITS_PER_STEP;
    beginLine(state, line, isWhole, isFirst);
    if (state.fence === null) return;
    state.isAtLineStart = true;
    this.at = end + 1;
  }

  private scanInline(until: number): void {
    const { state, text, at } = this;
    switch (text[at]) {
      case '`':
        this.scanTicks();
        return;
      case '\\':
        this.scanBackslash();
        return;
      case '$':
        state.paragraph.hasMathMark = true;
        this.at = at + 1;
        return;
      case ']':
        this.scanBracket();
        return;
      case '<':
        this.scanAngle();
        return;
      case '|':
        state.paragraph.hasTableMark = true;
        this.scanPlain(until);
        return;
      case '\n':
        state.isAtLineStart = true;
        this.at = at + 1;
        return;
      case '\r':
        if (text[at + 1] !== '\n') this.makeRestContent();
        this.at = at + 1;
        return;
      default:
        this.scanPlain(until);
    }
  }

  private scanPlain(until: number): void {
    const { text, at } = this;
    const end = endOf(this.state.paragraph.hasTableMark ? PLAIN_OR_PIPE : PLAIN, text, at);
    if (end === -1) {
      // One of the odd characters.
      this.makeRestContent();
      this.at = at + 1;
      return;
    }
    this.at = Math.min(end, until);
    if (this.directives.from(at) < this.at) this.makeParagraphContent();
  }

  private scanBackslash(): void {
    const { state, text, at } = this;
    const next = text[at + 1];
    if (next === '`') this.makeParagraphContent();
    if (endOf(TEX_BRACKET, text, at) !== -1) state.paragraph.hasMathMark = true;
    this.at = at + (next === '\n' || next === '\r' ? 1 : 2);
  }

  private scanTicks(): void {
    const { at } = this;
    this.at = endOf(TICKS, this.text, at);
    const end = this.mayBeginSpan(at) ? this.endOfSpan(this.at - at) : -1;
    if (end === -1) {
      this.makeParagraphContent();
      return;
    }
    this.at = end;
    this.addRegion([at, end]);
  }

  private mayBeginSpan(at: number): boolean {
    const { paragraph, openMath, openFrontMatter } = this.state;
    const isWithinOther = paragraph.isContent || openMath !== null || openFrontMatter !== null;
    return !isWithinOther && !this.words.isAddressBefore(at);
  }

  /** The end of the code span that the ticks before the current place begin; -1 where renderers may disagree about it. */
  private endOfSpan(ticks: number): number {
    const closing = this.ticks[ticks - 1];
    if (closing === undefined) return -1;
    const close = closing.from(this.at);
    const isClosed = close < this.lineEnd(this.at) && close + ticks < this.at + MAX_SPAN;
    if (!isClosed) return -1;
    return this.isAgreed(this.text.slice(this.at, close), ticks) ? close + ticks : -1;
  }

  /** Whether all renderers read this text between ticks as code. */
  private isAgreed(content: string, ticks: number): boolean {
    if (ODD_LINE_END.test(content)) return false;
    // Some renderers read a label before code.
    if (CLOSES_LABEL.test(content)) return false;
    // Some renderers read TeX between two ticks.
    if ((this.state.paragraph.hasMathMark || ticks === 2) && /[$\\]/.test(content)) return false;
    return !content.includes('|') || !this.mayBeTable();
  }

  private mayBeTable(): boolean {
    const { text, at } = this;
    if (this.state.paragraph.hasTableMark) return true;
    const next = this.lineEnd(at) + 1;
    if (next > text.length) return text.length - at >= MAX_SPAN;
    const line = text.slice(next, Math.min(this.lineEnd(next), next + MAX_LINE_HEAD));
    return DELIMITER_ROW.test(line.trimEnd());
  }

  private scanBracket(): void {
    const { text, at } = this;
    this.at = at + 1;
    const next = text[at + 1];
    if (next === ':') this.scanDefinition(at);
    if (next !== '(' && next !== '[') return;
    const end = endOf(next === '(' ? SIMPLE_LINK : SIMPLE_LABEL, text, at);
    if (end === -1) this.makeParagraphContent();
    else this.at = end;
  }

  /** The target and the title of a definition may follow in the next lines. */
  private scanDefinition(at: number): void {
    const { state, text } = this;
    this.makeParagraphContent();
    if (++state.definitionsInLine > MAX_DEFINITIONS) {
      this.makeRestContent();
      return;
    }
    const line = text.slice(at + 2, Math.min(this.lineEnd(at), at + MAX_LINE_HEAD)).trim();
    const title = line.replace(/^\S+\s*/, '');
    if (title === '') state.paragraph.definitionLines = line === '' ? 2 : 1;
    if (isOpenTitle(title) || isOpenTitle(line)) this.makeRestContent();
  }

  private scanAngle(): void {
    const { text, at } = this;
    this.at = at + 1;
    if (this.html === null || endOf(this.html, text, at) < 0 || endOf(INLINE_TAG, text, at) > 0) return;
    this.makeParagraphContent();
    if (endOf(LONG_HTML, text, at) > 0) this.makeRestContent();
  }
}

function endsFence(line: string, { marker, indent }: Fence): boolean {
  return line.startsWith(' '.repeat(indent) + marker) && trimBlanks(line) === marker && !line.includes('\t');
}
