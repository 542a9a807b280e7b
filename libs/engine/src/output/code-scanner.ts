import type { Span } from '#contracts/text.js';
import {
  DELIMITER_ROW,
  NO_OFFSETS,
  beginLine,
  isContainer,
  isOpenTitle,
  isOrdinaryLine,
  trimBlanks,
} from './code-lines.js';
import { endParagraph, type CodeState, type Fence } from './code-state.js';
import { NextMatch } from './next-match.js';

const MAX_LINE_HEAD = 400;
const MAX_SPAN = 500;
/** Definitions in one line. Only hostile texts have more. */
const MAX_DEFINITIONS = 20;
const MAX_WORD = 80;
/** What a step of the scan costs, and what a text may cost more than its length, in units of text. */
const UNITS_PER_STEP = 2.5;
const FREE_UNITS = 20_000;

/** Line ends for some renderers, ordinary characters for others. */
const ODD_CHARACTERS = String.raw`\v\f\u0000\u0085\u2028\u2029\u2424`;
const ODD_LINE_END = new RegExp(String.raw`[${ODD_CHARACTERS}]|\r(?!\n)`);

const PLAIN = new RegExp(String.raw`[^\x60\\$\]<|\n\r${ODD_CHARACTERS}]+`, 'y');
/** In a paragraph with pipes, further ones change nothing. */
const PLAIN_OR_PIPE = new RegExp(String.raw`[^\x60\\$\]<\n\r${ODD_CHARACTERS}]+`, 'y');
const LINE_END = /\n/g;
const BLANKS = [' ', '\t', '\n'];
const BLANK = /[ \t\n]/g;
const MATH = /\$\$|\\/g;
const TICKS = /`+/y;
const SINGLE_TICK = /(?<!`)`(?!`)/g;
const DOUBLE_TICK = /(?<!`)``(?!`)/g;
const BLANK_LINE = /[ \t]*\r?(?:\n|$)/y;
const CLOSES_LABEL = /^[^[]*\]/;
const SIMPLE_LINK = /\]\([^\s()<>"'`\\$|]{0,400}(?: "[^"`\\\n$|()]{0,200}")?\)/y;
const SIMPLE_LABEL = /\]\[[^[\]`\\\n$|]{0,200}\]/y;
const RAW_HTML = /<(?:(pre|script|style|textarea|[!?])|[A-Za-z/])/iy;
const ADDRESS = /(?:https?|ftp):\\?\/\\?\/|www\\?\./gi;
const ADDRESS_WITHIN = new RegExp(ADDRESS.source, 'i');
/** A directive reads its label and attributes before code. */
const DIRECTIVE = /:[\p{L}_][\p{L}\p{N}_-]*[[{]/gu;
const DIRECTIVE_WITHIN = new RegExp(DIRECTIVE.source, 'u');

/** Scans a text from left to right and collects the regions that are code. */
export class CodeScanner {
  readonly regions: Span[] = [];
  private at = 0;
  /** Where the current word begins. The first one may have begun in the text before. */
  private wordStart = 0;
  private isFirstWord = true;
  /** Whether the first word, with its beginning in the text before, contains an address. */
  private firstAddress: boolean | null = null;
  private readonly lineEnds: NextMatch;
  private readonly math: NextMatch;
  private readonly blanks: NextMatch;
  private readonly addresses: NextMatch;
  private readonly directives: NextMatch;
  private readonly ticks: readonly [single: NextMatch, double: NextMatch];

  constructor(
    readonly text: string,
    readonly state: CodeState,
    private readonly escapesHtml: boolean,
  ) {
    this.lineEnds = new NextMatch(LINE_END, text);
    this.math = new NextMatch(MATH, text);
    this.blanks = new NextMatch(BLANK, text);
    this.addresses = new NextMatch(ADDRESS, text);
    this.directives = new NextMatch(DIRECTIVE, text);
    this.ticks = [new NextMatch(SINGLE_TICK, text), new NextMatch(DOUBLE_TICK, text)];
  }

  scan(until: number): this {
    const { state } = this;
    // A directive that began in the text before.
    if (state.word !== '' && DIRECTIVE_WITHIN.test(state.word + this.text.slice(0, MAX_WORD)))
      state.isClear = false;
    while (this.at < until && !state.isDistrusted) {
      const start = this.at;
      state.debt += UNITS_PER_STEP;
      if (state.fence !== null) this.scanFenceLine(until);
      else {
        if (state.atLineStart) this.beginLine();
        if (this.at === start) this.scanInline(until);
      }
      if (this.at > until) {
        this.at = until;
        state.isClear = false;
      }
    }
    state.debt -= this.at;
    if (state.debt > FREE_UNITS) state.isDistrusted = true;
    this.keepWord(until);
    return this;
  }

  private lineEnd(at: number): number {
    return this.lineEnds.from(at);
  }

  private scanFenceLine(until: number): void {
    const { state, text, at } = this;
    const { fence } = state;
    if (fence === null) return;
    const end = this.lineEnd(at);
    const line = text.slice(at, end);
    if (state.atLineStart && line.trim() !== '') {
      if (
        line.startsWith(' '.repeat(fence.indent) + fence.marker) &&
        trimBlanks(line) === fence.marker &&
        !line.includes('\t')
      ) {
        state.fence = null;
        endParagraph(state);
        this.at = end;
        state.atLineStart = false;
        return;
      }
      if (this.mayEndFence(line, fence)) {
        state.isDistrusted = true;
        return;
      }
    }
    if (
      ODD_LINE_END.test(line) ||
      (state.hasDisplayMath && line.includes('$')) ||
      (state.hasBracketMath && line.includes('\\'))
    ) {
      state.isDistrusted = true;
      return;
    }
    const stop = Math.min(end + 1, Math.max(until, at + 1), text.length);
    if (fence.isCode) this.addRegion([at, stop]);
    state.atLineStart = stop > end;
    this.at = stop;
  }

  /** Whether some renderer ends the fence, or a surrounding block, at this line. */
  private mayEndFence(line: string, { marker, indent }: Fence): boolean {
    if (line.replace(/^[\s>]+/, '').startsWith(marker)) return true;
    if (this.state.hasContainers && isContainer(line)) return true;
    return indent > 0 && !line.startsWith(' '.repeat(indent));
  }

  private addRegion([start, end]: Span): void {
    const last = this.regions.at(-1);
    if (last?.[1] === start && this.text[last[0]] !== '`')
      this.regions[this.regions.length - 1] = [last[0], end];
    else this.regions.push([start, end]);
  }

  /** Moves to the end of the line if the whole line is processed. */
  private beginLine(): void {
    const { state, text, at } = this;
    state.atLineStart = false;
    state.definitionsInLine = 0;
    const isFirst = state.isFirstLine;
    state.isFirstLine = false;
    if (this.isBlankLine()) {
      endParagraph(state);
      return;
    }
    const end = this.lineEnd(at);
    const headEnd = Math.min(end, at + MAX_LINE_HEAD);
    if (!isFirst && isOrdinaryLine(state, text.charCodeAt(at)) && this.math.from(at) >= headEnd) {
      state.listOffsets = NO_OFFSETS;
      state.isParagraphEmpty = false;
      return;
    }
    const line = text.slice(at, headEnd).replace(/\r$/, '');
    const isWhole = end - at <= MAX_LINE_HEAD && end < text.length;
    state.debt += UNITS_PER_STEP;
    beginLine(state, line, isWhole, isFirst);
    if (state.fence === null) return;
    state.atLineStart = true;
    this.at = end + 1;
  }

  private isBlankLine(): boolean {
    const { text, at } = this;
    if (text[at] === '\n') return true;
    BLANK_LINE.lastIndex = at;
    return BLANK_LINE.test(text);
  }

  private scanInline(until: number): void {
    const { state, text, at } = this;
    switch (text[at]) {
      case '`':
        this.scanTicks();
        return;
      case '\\':
        if (text[at + 1] === '`') state.isClear = false;
        if (/[([]/.test(text.charAt(at + 1)) || /^\\[([]/.test(text.slice(at + 1, at + 3)))
          state.hasDollar = true;
        this.at = at + (/[\r\n]/.test(text.charAt(at + 1)) ? 1 : 2);
        return;
      case '$':
        state.hasDollar = true;
        this.at = at + 1;
        return;
      case ']':
        this.scanBracket();
        return;
      case '<':
        this.scanAngle();
        return;
      case '|':
        state.hasPipe = true;
        this.scanPlain(until);
        return;
      case '\n':
        state.atLineStart = true;
        this.at = at + 1;
        return;
      case '\r':
        if (text[at + 1] !== '\n') state.isDistrusted = true;
        this.at = at + 1;
        return;
      default:
        this.scanPlain(until);
    }
  }

  private scanPlain(until: number): void {
    const { state, text, at } = this;
    const plain = state.hasPipe ? PLAIN_OR_PIPE : PLAIN;
    plain.lastIndex = at;
    if (!plain.test(text)) {
      state.isDistrusted = true;
      this.at = at + 1;
      return;
    }
    this.at = Math.min(plain.lastIndex, until);
    if (this.directives.from(at) < this.at) state.isClear = false;
  }

  private scanTicks(): void {
    const { state, text, at } = this;
    TICKS.lastIndex = at;
    const { length } = TICKS.exec(text)?.[0] ?? '';
    this.at = at + length;
    const closing = this.ticks[length - 1];
    if (
      !state.isClear ||
      closing === undefined ||
      state.displayMath !== null ||
      state.frontMatter !== null ||
      this.isInAddress(at)
    ) {
      state.isClear = false;
      return;
    }
    const close = closing.from(this.at);
    const isClosed = close < this.lineEnd(this.at) && close + length < this.at + MAX_SPAN;
    const content = isClosed ? text.slice(this.at, close) : '';
    const isAgreed =
      isClosed &&
      !ODD_LINE_END.test(content) &&
      // Some renderers read a label before code.
      !CLOSES_LABEL.test(content) &&
      // Some renderers read TeX between two ticks.
      !((state.hasDollar || length === 2) && /[$\\]/.test(content)) &&
      !(content.includes('|') && this.mayBeTable());
    if (!isAgreed) {
      state.isClear = false;
      return;
    }
    this.at = close + length;
    this.addRegion([at, this.at]);
  }

  /** Whether the word before a place is a bare address. */
  private isInAddress(at: number): boolean {
    let blank = this.blanks.from(this.wordStart);
    for (; blank < at; blank = this.blanks.from(this.wordStart)) {
      this.wordStart = blank + 1;
      this.isFirstWord = false;
    }
    return (this.isFirstWord && this.beganInAddress()) || this.addresses.from(this.wordStart) < at;
  }

  /** True if the word at the end of the previous text is a bare address, or can become one. */
  private beganInAddress(): boolean {
    const { isInAddress, word } = this.state;
    this.firstAddress ??= word !== '' && ADDRESS_WITHIN.test(word + this.text.slice(0, MAX_WORD));
    return isInAddress || this.firstAddress;
  }

  /** The word at the end may continue in the next text. */
  private keepWord(end: number): void {
    const { state, text } = this;
    if (state.isDistrusted) return;
    const blank = Math.max(...BLANKS.map((unit) => (end > 0 ? text.lastIndexOf(unit, end - 1) : -1)));
    const word = (blank < 0 ? state.word : '') + text.slice(blank + 1, end);
    state.isInAddress = (blank < 0 && state.isInAddress) || ADDRESS_WITHIN.test(word);
    state.word = word.slice(-MAX_WORD);
  }

  private mayBeTable(): boolean {
    if (this.state.hasPipe) return true;
    const next = this.lineEnd(this.at) + 1;
    if (next > this.text.length) return this.text.length - this.at >= MAX_SPAN;
    return DELIMITER_ROW.test(
      this.text.slice(next, Math.min(this.lineEnd(next), next + MAX_LINE_HEAD)).trimEnd(),
    );
  }

  private scanBracket(): void {
    const { state, text, at } = this;
    this.at = at + 1;
    const next = text[at + 1];
    if (next === '(' || next === '[') {
      const simple = next === '(' ? SIMPLE_LINK : SIMPLE_LABEL;
      simple.lastIndex = at;
      if (simple.test(text)) this.at = simple.lastIndex;
      else state.isClear = false;
    } else if (next === ':') {
      state.isClear = false;
      if (++state.definitionsInLine > MAX_DEFINITIONS) {
        state.isDistrusted = true;
        return;
      }
      const line = text.slice(at + 2, Math.min(this.lineEnd(at), at + MAX_LINE_HEAD)).trim();
      const title = line.replace(/^\S+\s*/, '');
      if (title === '') state.titleLines = line === '' ? 2 : 1;
      if (isOpenTitle(title) || isOpenTitle(line)) state.isDistrusted = true;
    }
  }

  private scanAngle(): void {
    this.at++;
    if (this.escapesHtml) return;
    RAW_HTML.lastIndex = this.at - 1;
    const raw = RAW_HTML.exec(this.text);
    if (raw === null) return;
    this.state.isClear = false;
    if (raw[1] !== undefined) this.state.isDistrusted = true;
  }
}
