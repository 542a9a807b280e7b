/** Reads one stretch from left to right for `code-regions.ts`. What it remembers between two stretches is in `code-state.ts`. */
import type { Utf16Span } from '#contracts/common/spans.js';
import { AddressWords } from './address-words.js';
import {
  beginLine,
  type CodeState,
  CONTINUES,
  copyOf,
  DELIMITER_ROW,
  endParagraph,
  type Fence,
  isContainer,
  isOpenTitle,
  isOrdinaryLine,
  NO_OFFSETS,
  trimBlanks,
} from './code-state.js';
import { COMMAND } from './executed-syntax.js';
import { LOOK_AHEAD } from './pass.js';
import { endOf, NextMatch } from '../../text/next-match.js';

const MAX_LINE_HEAD = 400;
const MAX_SPAN = 500;
/** Definitions in one line. Only hostile texts have more. */
const MAX_DEFINITIONS = 20;
/** What a step of the scan costs, and what a text may cost more than its length, in units of text. */
const UNITS_PER_STEP = 2.5;
const FREE_UNITS = 20_000;
/** A stretch is mostly divided near this many units before its end. */
const NEAR_END = LOOK_AHEAD + 256;

/** Line ends for some renderers, ordinary characters for others. */
const ODD_CHARACTERS = String.raw`\v\f\u0000\u0085\u2028\u2029\u2424`;
const ODD_LINE_END = new RegExp(String.raw`[${ODD_CHARACTERS}]|\r(?!\n)`);

/** Text without a character that `scanInline` handles. */
const PLAIN = new RegExp(String.raw`[^\x60\\$\]<|\n\r${ODD_CHARACTERS}]+`, 'y');
/** In a paragraph that may be a table, further pipes change nothing. */
const PLAIN_OR_PIPE = new RegExp(String.raw`[^\x60\\$\]<\n\r${ODD_CHARACTERS}]+`, 'y');
const BLANK_LINE = /[ \t]*\r?(?:\n|$)/y;
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
/** A line of indented code with which no other block begins. */
const INDENTED = /(?: {4}|\t)[ \t]*(?:(?!\d+[.)])\w|[<"'{}()/.@#;,])/y;
/** What begins with the line before: a table, a list of definitions. */
const TAKES_LINE_BEFORE = /[\s>]*(?:[|:~]|-+[ \t]*(?:[|:-]|\r?$))/my;
/** A line of which the next character decides whether it does. */
const OPEN_LINE = /[\s>-]*$/y;
/** What ends a formula, and with it what some renderer takes for code. */
const ENDS_FORMULA = /\$|\\(?:[()[\]]|begin|end)/;
/** `:name[` or `:name{`. A directive reads its label and attributes before code. */
const DIRECTIVE = /:[\p{L}_][\p{L}\p{N}_-]*[[{]/gu;
const DIRECTIVE_WITHIN = new RegExp(DIRECTIVE.source, 'u');

/** Scans a text from left to right and collects the regions that are code. */
export class CodeScanner {
  readonly regions: Utf16Span[] = [];
  /** What follows the text can make code of its last line. */
  isOpen = false;
  readonly state: CodeState;
  /** A place near the end of the text, and the state there: from it the state at a place behind it costs less. */
  private nearEnd: readonly [at: number, state: Readonly<CodeState>] | null = null;
  private readonly words: AddressWords;
  private readonly lineEnds: NextMatch;
  private readonly directives: NextMatch;
  private readonly ticks: readonly [single: NextMatch, double: NextMatch];

  /** @param before the state at `at` */
  constructor(
    readonly text: string,
    private readonly before: Readonly<CodeState>,
    private readonly html: RegExp | null,
    private at = 0,
  ) {
    const state = copyOf(before);
    this.state = state;
    this.words = new AddressWords(text, state.word);
    this.lineEnds = new NextMatch('\n', text);
    this.directives = new NextMatch(DIRECTIVE, text);
    this.ticks = [new NextMatch(SINGLE_TICK, text), new NextMatch(DOUBLE_TICK, text)];
  }

  scan(until: number): this {
    const { state } = this;
    if (this.at === 0 && this.words.beginsWith(DIRECTIVE_WITHIN)) this.makeParagraphContent();
    while (this.at < until && !state.isRestContent) {
      if (this.at >= this.text.length - NEAR_END) this.nearEnd ??= [this.at, copyOf(state)];
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

  /** The state at a place, after the scan of the whole text. */
  stateAt(end: number): Readonly<CodeState> {
    if (end === this.text.length) return this.state;
    const [at, state] = this.nearEnd !== null && this.nearEnd[0] <= end ? this.nearEnd : [0, this.before];
    return new CodeScanner(this.text, state, this.html, at).scan(end).state;
  }

  private scanNext(until: number) {
    const { state, at } = this;
    if (state.fence !== null) {
      this.scanFenceLine(state.fence, until);
      return;
    }
    if (state.isAtLineStart) this.beginLine();
    if (this.at > at) return;
    if (state.isIndented) this.addCode(until);
    else this.scanInline(until);
  }

  private makeParagraphContent() {
    this.state.paragraph.isContent = true;
  }

  private makeRestContent() {
    this.state.isRestContent = true;
  }

  private lineEnd(at: number) {
    return this.lineEnds.from(at);
  }

  private scanFenceLine(fence: Fence, until: number) {
    const { state, text, at } = this;
    const end = this.lineEnd(at);
    const line = text.slice(at, end);
    if (state.isAtLineStart && endsFence(line, fence)) {
      state.fence = null;
      endParagraph(state);
      this.at = end;
      state.isAtLineStart = false;
    } else if (state.isAtLineStart && this.mayEndFence(line, fence)) this.makeRestContent();
    else this.addCode(until, fence.isCode);
  }

  /** Whether some renderer ends the fence, or a surrounding block, at this line. */
  private mayEndFence(line: string, { marker, prefix }: Fence) {
    if (/^[ \t\r]*$/.test(line)) return prefix.includes('>');
    if (line.replace(/^[\s>]+/, '').startsWith(marker)) return true;
    if (this.state.hasContainers && isContainer(line)) return true;
    return !line.startsWith(prefix) && line.replace(/[ \t\r]+$/, '') !== prefix.trimEnd();
  }

  /** Goes to the end of a line of code, or to `until`. */
  private addCode(until: number, isCode = true) {
    const { at } = this;
    const end = this.lineEnd(at);
    if (ODD_LINE_END.test(this.text.slice(at, end + 1))) {
      this.makeRestContent();
      return;
    }
    this.at = Math.min(end + 1, Math.max(until, at + 1), this.text.length);
    if (isCode) this.addRegion([at, this.at]);
    this.state.isAtLineStart = this.at > end;
  }

  private addRegion([start, end]: Utf16Span) {
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
      state.isIndented ||= state.paragraph.isPlain && !state.paragraph.isEmpty;
      // Some renderers end a table at an empty line only, and a list at the second one.
      if (state.paragraph.hasTableMark && text[at] !== '\n' && text[at] !== '\r') this.makeRestContent();
      if (state.paragraph.isEmpty) state.listOffsets = NO_OFFSETS;
      endParagraph(state);
      return;
    }
    const end = this.lineEnd(at);
    const headEnd = Math.min(end, at + MAX_LINE_HEAD);
    const isOpen = state.openFrontMatter !== null || state.openMath !== null || state.hasContainers;
    state.isIndented &&= !isOpen && endOf(INDENTED, text, at) > 0;
    if (state.isIndented) return;
    if (!isFirst && isOrdinaryLine(state, text.charCodeAt(at))) {
      state.listOffsets = NO_OFFSETS;
      state.paragraph.isEmpty = false;
      state.paragraph.goesOn = state.paragraph.isPlain && text[at] !== '#';
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

  private scanPlain(until: number) {
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

  private scanBackslash() {
    const { state, text, at } = this;
    const next = text[at + 1];
    if (next === '`') this.makeParagraphContent();
    if (endOf(TEX_BRACKET, text, at) !== -1) state.paragraph.hasMathMark = true;
    this.at = at + (next === '\n' || next === '\r' ? 1 : 2);
  }

  private scanTicks() {
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

  private mayBeginSpan(at: number) {
    const { paragraph, openMath, openFrontMatter } = this.state;
    const isWithinOther = paragraph.isContent || openMath !== null || openFrontMatter !== null;
    return !isWithinOther && !this.words.isAddressBefore(at);
  }

  /** The end of the code span that the ticks before the current place begin; -1 where renderers may disagree about it. */
  private endOfSpan(ticks: number) {
    const closing = this.ticks[ticks - 1];
    if (closing === undefined) return -1;
    const { at, text } = this;
    const close = closing.from(at);
    if (Math.min(close, text.length - 1) + ticks >= at + MAX_SPAN) return -1;
    const content = text.slice(at, close);
    if (close > this.lineEnd(at) && !this.isOneParagraph(content)) return -1;
    return close < text.length && this.isAgreed(content, ticks) ? close + ticks : -1;
  }

  /** Whether every renderer reads the lines of this text behind ticks as parts of one paragraph. */
  private isOneParagraph(content: string) {
    const { text, at, state } = this;
    const lines = content.split('\n').slice(1);
    const close = at + content.length;
    const isClosed = close < text.length;
    if (!state.paragraph.goesOn || state.paragraph.hasTableMark || content.includes('|')) return false;
    if (!lines.slice(0, isClosed ? undefined : -1).every((line) => CONTINUES.test(line))) return false;
    const next = this.lineEnd(close) + 1;
    if (next >= text.length || endOf(OPEN_LINE, text, next) > 0) this.isOpen = true;
    return next - at < MAX_SPAN + MAX_LINE_HEAD && endOf(TAKES_LINE_BEFORE, text, next) < 0;
  }

  /** Whether all renderers read this text between ticks as code. */
  private isAgreed(content: string, ticks: number) {
    if (ODD_LINE_END.test(content)) return false;
    // Some renderers read a label before code.
    if (CLOSES_LABEL.test(content)) return false;
    // Some renderers read TeX between two ticks.
    const { hasMathMark } = this.state.paragraph;
    if (hasMathMark && ENDS_FORMULA.test(content)) return false;
    if ((hasMathMark || ticks === 2) && COMMAND.test(content)) return false;
    return !/(?<!(?<!\\)\\)\|/.test(content) || !this.mayBeTable();
  }

  private mayBeTable() {
    const { text, at } = this;
    if (this.state.paragraph.hasTableMark) return true;
    const next = this.lineEnd(at) + 1;
    if (next > text.length) return text.length - at >= MAX_SPAN;
    const line = text.slice(next, Math.min(this.lineEnd(next), next + MAX_LINE_HEAD));
    return DELIMITER_ROW.test(line.trimEnd());
  }

  private scanBracket() {
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
  private scanDefinition(at: number) {
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

  private scanAngle() {
    const { text, at } = this;
    this.at = at + 1;
    if (this.html === null || endOf(this.html, text, at) < 0 || endOf(INLINE_TAG, text, at) > 0) return;
    this.makeParagraphContent();
    if (endOf(LONG_HTML, text, at) > 0) this.makeRestContent();
  }
}

function endsFence(line: string, { marker, prefix }: Fence) {
  return (
    line.startsWith(prefix + marker) &&
    trimBlanks(line.slice(prefix.length)) === marker &&
    !line.includes('\t')
  );
}
