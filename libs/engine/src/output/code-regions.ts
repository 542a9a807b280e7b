import type { Span } from '#contracts/text.js';
import { Pass, type PassResult, type Stretch } from './pass.js';

/*
 * Defines what is code under `rendering: markdown`. Text is code only where every supported renderer agrees:
 * a fence at the margin of its list item or of the page, and a code span within one line. Wherever a renderer may
 * read a construct differently, the rest of the paragraph or of the text is content. Treating code as content only
 * spoils an example; treating content as code lets an attack through.
 */

/** Languages of fences that renderers execute. */
const EXECUTED = /^(?:mermaid|math|katex|latex|tex|asciimath|mathjax)$/i;

const MAX_LINE_HEAD = 400;
const MAX_SPAN = 500;
/** Definitions in one line. No honest text has more. */
const MAX_DEFINITIONS = 20;

const MARKS = String.raw`[\s>*+\-\d.)]*`;
const FENCE = /^( *)(`{3,}|~{3,})[ \t]*([A-Za-z0-9+#._-]*)(?:[ \t]+[A-Za-z0-9+#._:=,/" \t-]*)?$/;
const FENCE_LIKE = new RegExp(`^${MARKS}(?:\`{3}|~{3})`);
const CONTAINER = new RegExp(`^${MARKS}:::`);
const OPEN_LABEL = new RegExp(String.raw`^${MARKS}\[(?:[^[\]\\]|\\.)*\\?$`);
const LIST_ITEM = /^ *(?:([-*+])|(\d{1,9})[.)]) {1,4}(?=\S)/;
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*$/;
const BALANCED_MATH = /^[^$]*(?:\$[^$]+\$[^$]*)*(?:\$\$[^$]+\$\$[^$]*(?:\$[^$]+\$[^$]*)*)+$/;
const DELIMITER_ROW = /^[ \t>]*[|:-][|: \t-]*$/;
const TITLE_STARTS = /^["'(]/;

/** Line ends for some renderers, ordinary characters for others. */
const ODD_CHARACTERS = String.raw`\v\f\u0000\u0085\u2028\u2029`;
const ODD_LINE_END = new RegExp(String.raw`[${ODD_CHARACTERS}]|\r(?!\n)`);

const PLAIN = new RegExp(String.raw`[^\x60\\$\]<|\n\r${ODD_CHARACTERS}]+`, 'y');
const TICKS = /`+/y;
const SIMPLE_LINK = /\]\([^\s()<>"'`\\$|]{0,400}(?: "[^"`\\\n$|()]{0,200}")?\)/y;
const SIMPLE_LABEL = /\]\[[^[\]`\\\n$|]{0,200}\]/y;
const RAW_HTML = /<(?:(pre|script|style|textarea|[!?])|[A-Za-z/])/iy;
const ADDRESS = /(?:https?|ftp):\/\/|www\./i;
/** A directive reads its label and attributes before code. */
const DIRECTIVE = /:[\p{L}_][\p{L}\p{N}_-]*[[{]/u;

const MAX_WORD = 80;

interface Fence {
  readonly marker: string;
  readonly indent: number;
  readonly isCode: boolean;
}

interface CodeState {
  atLineStart: boolean;
  isFirstLine: boolean;
  fence: Fence | null;
  /** From here on nothing is code. */
  isDistrusted: boolean;
  /** All renderers read this paragraph in the same way so far. */
  isClear: boolean;
  isParagraphEmpty: boolean;
  hasDollar: boolean;
  hasPipe: boolean;
  /** A title of a definition may begin in this line. */
  mayContinueTitle: boolean;
  definitionsInLine: number;
  word: string;
  isInAddress: boolean;
  listOffsets: readonly number[];
  frontMatter: string | null;
  displayMath: '$$' | '\\]' | null;
  hasDisplayMath: boolean;
  hasBracketMath: boolean;
  hasContainers: boolean;
}

const BEGINNING: CodeState = {
  atLineStart: true,
  isFirstLine: true,
  fence: null,
  isDistrusted: false,
  isClear: true,
  isParagraphEmpty: true,
  hasDollar: false,
  hasPipe: false,
  mayContinueTitle: false,
  definitionsInLine: 0,
  word: '',
  isInAddress: false,
  listOffsets: [],
  frontMatter: null,
  displayMath: null,
  hasDisplayMath: false,
  hasBracketMath: false,
  hasContainers: false,
};

/** Finds the code of a text. It makes no edits; other passes skip the regions. */
export class CodeRegions extends Pass {
  private state = BEGINNING;
  private last: { readonly text: string; readonly regions: readonly Span[] } | null = null;

  /** @param escapesHtml no raw HTML is left, so none can swallow code */
  constructor(private readonly escapesHtml: boolean) {
    super();
  }

  /** Ascending, without overlap. */
  of(text: string): readonly Span[] {
    if (this.last?.text !== text) {
      const scanner = new CodeScanner(text, { ...this.state }, this.escapesHtml);
      scanner.scan(text.length);
      this.last = { text, regions: scanner.regions };
    }
    return this.last.regions;
  }

  override judge(_stretch: Stretch): PassResult {
    return { edits: [], findings: [] };
  }

  /** Not inside a code span, because a prefix that ends there would show the content as text. */
  override partBefore(text: string, limit: number): number {
    const cut = this.of(text).find(([start, end]) => start < limit && limit < end && text[start] === '`');
    if (cut !== undefined) return cut[0];
    let place = limit;
    while (place > 0 && /[`~\\$\]\r]/.test(text.charAt(place - 1)) && limit - place < MAX_SPAN) place--;
    return place;
  }

  override settle(text: string, end: number): void {
    const scanner = new CodeScanner(text, { ...this.state }, this.escapesHtml);
    scanner.scan(end);
    this.state = scanner.state;
    this.last = null;
  }
}

class CodeScanner {
  readonly regions: Span[] = [];
  private at = 0;

  constructor(
    private readonly text: string,
    readonly state: CodeState,
    private readonly escapesHtml: boolean,
  ) {}

  scan(until: number): void {
    while (this.at < until) {
      const start = this.at;
      if (this.state.isDistrusted) {
        this.at = until;
        return;
      }
      if (this.state.fence !== null) this.scanFenceLine(until);
      else {
        if (this.state.atLineStart) this.beginLine();
        if (this.at === start) this.scanInline(until);
      }
      if (this.at > until) {
        this.at = until;
        this.state.isClear = false;
      }
    }
  }

  private lineEnd(at: number): number {
    const end = this.text.indexOf('\n', at);
    return end === -1 ? this.text.length : end;
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
        this.endParagraph();
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
    if (this.state.hasContainers && CONTAINER.test(line)) return true;
    return indent > 0 && !line.startsWith(' '.repeat(indent));
  }

  private addRegion([start, end]: Span): void {
    const last = this.regions.at(-1);
    if (last?.[1] === start && this.text[last[0]] !== '`')
      this.regions[this.regions.length - 1] = [last[0], end];
    else this.regions.push([start, end]);
  }

  private endParagraph(): void {
    const { state } = this;
    state.isClear = true;
    state.isParagraphEmpty = true;
    state.hasDollar = false;
    state.hasPipe = false;
    state.mayContinueTitle = false;
  }

  /** Moves to the end of the line if the whole line is processed. */
  private beginLine(): void {
    const { state, text, at } = this;
    state.atLineStart = false;
    state.definitionsInLine = 0;
    state.word = '';
    state.isInAddress = false;
    const isFirst = state.isFirstLine;
    state.isFirstLine = false;
    const end = this.lineEnd(at);
    const isWhole = end - at <= MAX_LINE_HEAD;
    const line = text.slice(at, Math.min(end, at + MAX_LINE_HEAD)).replace(/\r$/, '');
    if (isFirst && line.startsWith('\uFEFF')) state.isDistrusted = true;
    const trimmed = trimBlanks(line);
    if (trimmed === '' && isWhole && /^[ \t]*$/.test(line)) {
      this.endParagraph();
      return;
    }
    if (this.passesFrontMatter(line, isFirst)) return;
    this.followTitle(trimmed);
    this.followMath(line, trimmed);
    if (CONTAINER.test(line)) state.hasContainers = true;
    if (OPEN_LABEL.test(line)) state.isDistrusted = true;
    if (DELIMITER_ROW.test(line)) state.hasPipe = true;
    const indent = line.length - line.trimStart().length;
    if (line.slice(0, indent).includes('\t')) state.isClear = false;
    const offsets = state.listOffsets.filter((offset) => offset <= indent);
    const item = LIST_ITEM.exec(line);
    const opensList =
      item !== null &&
      (item[1] !== undefined ||
        item[2] === '1' ||
        offsets.length > 0 ||
        state.listOffsets.length > 0 ||
        state.isParagraphEmpty);
    state.listOffsets = opensList ? [...offsets, item[0].length].slice(-8) : offsets;
    if (FENCE_LIKE.test(line)) this.openFence(line, isWhole, end);
    state.isParagraphEmpty = false;
  }

  private openFence(line: string, isWhole: boolean, end: number): void {
    const { state } = this;
    const [, indent = '', marker = '', language = ''] = FENCE.exec(line) ?? [];
    const isAgreed =
      marker !== '' &&
      isWhole &&
      end < this.text.length &&
      state.isClear &&
      !state.hasPipe &&
      state.frontMatter === null &&
      state.displayMath === null &&
      indent.length === (state.listOffsets.at(-1) ?? 0) &&
      !(marker[0] === '`' && line.slice(indent.length + marker.length).includes('`'));
    if (!isAgreed) {
      state.isDistrusted = true;
      return;
    }
    state.fence = { marker, indent: indent.length, isCode: !EXECUTED.test(language) };
    state.atLineStart = true;
    this.at = end + 1;
  }

  private passesFrontMatter(line: string, isFirst: boolean): boolean {
    const { state } = this;
    const [, marker] = FRONT_MATTER.exec(line) ?? [];
    if (isFirst && marker !== undefined) {
      state.frontMatter = marker;
      return true;
    }
    if (state.frontMatter === null || marker !== state.frontMatter) return false;
    state.frontMatter = null;
    this.endParagraph();
    return true;
  }

  /** A title that is not closed in its line may reach over blank lines. */
  private followTitle(trimmed: string): void {
    const { state } = this;
    if (state.mayContinueTitle && isOpenTitle(trimmed)) state.isDistrusted = true;
    state.mayContinueTitle = false;
  }

  private followMath(line: string, trimmed: string): void {
    const { state } = this;
    if (line.includes('$$')) {
      state.hasDisplayMath = true;
      if (
        trimmed === '$$' &&
        state.displayMath !== '\\]' &&
        /^ {0,3}\$/.test(line) &&
        state.listOffsets.length === 0
      ) {
        state.displayMath = state.displayMath === null ? '$$' : null;
        this.endParagraph();
      } else if (state.displayMath !== null || !BALANCED_MATH.test(line)) state.isDistrusted = true;
    }
    if (/\\[[\]]/.test(line)) {
      state.hasBracketMath = true;
      if (trimmed === '\\[' && state.displayMath === null) state.displayMath = '\\]';
      else if (trimmed === '\\]' && state.displayMath === '\\]') {
        state.displayMath = null;
        this.endParagraph();
      } else if (line.split('\\[').length !== line.split('\\]').length) state.isDistrusted = true;
    }
    if (state.displayMath === null && line.includes('\\begin{') && !line.includes('\\end{'))
      state.isDistrusted = true;
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
        this.at = at + 1;
        return;
      case '\n':
        state.atLineStart = true;
        this.at = at + 1;
        return;
      default:
        this.scanPlain(until);
    }
  }

  private scanPlain(until: number): void {
    const { state, text, at } = this;
    PLAIN.lastIndex = at;
    if (!PLAIN.test(text)) {
      if (text[at] !== '\r' || text[at + 1] !== '\n') state.isDistrusted = true;
      this.at = at + 1;
      return;
    }
    const end = Math.min(PLAIN.lastIndex, until);
    const run = text.slice(at, end);
    const blank = Math.max(run.lastIndexOf(' '), run.lastIndexOf('\t'));
    if (blank >= 0) {
      state.isInAddress = false;
      state.word = '';
    }
    const word = state.word + run.slice(blank + 1);
    state.isInAddress ||= ADDRESS.test(word);
    if (DIRECTIVE.test(state.word + run)) state.isClear = false;
    state.word = word.slice(-MAX_WORD);
    this.at = end;
  }

  private scanTicks(): void {
    const { state, text, at } = this;
    TICKS.lastIndex = at;
    const { length } = TICKS.exec(text)?.[0] ?? '';
    this.at = at + length;
    if (
      !state.isClear ||
      state.isInAddress ||
      length > 2 ||
      state.displayMath !== null ||
      state.frontMatter !== null
    ) {
      state.isClear = false;
      return;
    }
    const line = text.slice(this.at, Math.min(this.lineEnd(this.at), this.at + MAX_SPAN));
    const close = closingTicks(line, length);
    const content = line.slice(0, close);
    const isAgreed =
      close > 0 &&
      !ODD_LINE_END.test(content) &&
      // Some renderers read TeX between two ticks.
      !((state.hasDollar || length === 2) && /[$\\]/.test(content)) &&
      !(content.includes('|') && this.mayBeTable());
    if (!isAgreed) {
      state.isClear = false;
      return;
    }
    this.at += close + length;
    this.addRegion([at, this.at]);
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
      state.mayContinueTitle = title === '';
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

/** The place of the run of exactly this many ticks that closes a span; -1 if there is none. */
function closingTicks(line: string, length: number): number {
  for (const run of line.matchAll(/`+/g)) {
    if (run[0].length === length && run.index + length < MAX_SPAN) return run.index;
  }
  return -1;
}

function isOpenTitle(text: string): boolean {
  if (!TITLE_STARTS.test(text)) return false;
  const closing = text[0] === '(' ? ')' : text.charAt(0);
  return !text.slice(1).includes(closing);
}

/** Without spaces, tabs and a carriage return at the ends. Other white space is text to CommonMark. */
function trimBlanks(line: string): string {
  return line.replace(/^[ \t]+|[ \t\r]+$/g, '');
}
