import type { Span } from '#contracts/text.js';
import { CodeScanner } from './code-scanner.js';
import { BEGINNING, copyOf, type CodeState } from './code-state.js';
import { Pass, UNCHANGED, type PassResult, type Stretch } from './pass.js';

/** The longest code span, and the longest run of marks that is kept together. */
const MAX_SPAN = 500;

/** Marks without content, a fence, a container, front matter, a label, or a block of math: the line decides what it is. */
const OPEN_LINE =
  /^[\s>*+\-\d.)]*(?:[^\p{L}\p{N}]*$|`{3}|~{3}|:::|\[[^\]]*$)|^\+{3}|^-{3}|\$\$|\\(?:[[\]]|begin\{)/u;
/** A pipe after ticks: the next line decides whether it is in a table. */
const PIPE_AFTER_TICKS = /^[^|`\n]*`[^|\n]*\|/m;
const TICKS = /`+/g;

/**
 * Finds the code of a text under `rendering: markdown`. Text is code only where every supported renderer agrees: a
 * fence at the margin of its list item or of the page, and a code span within one line. Where a renderer may read a
 * construct differently, the rest of the paragraph or of the text is content. If code is treated as content, at most an
 * example is changed. If content is treated as code, an attack can pass.
 *
 * It makes no edits; other passes skip the regions.
 */
export class CodeRegions extends Pass {
  private state: Readonly<CodeState> = BEGINNING;
  private last: CodeScanner | null = null;
  /** The start of a line of the held text, its state, and where the lines of code before it begin. */
  private line = { at: 0, state: this.state, codeFrom: 0 };

  /** @param html the beginnings of HTML that stay and could enclose code; `null`: none stays */
  constructor(private readonly html: RegExp | null) {
    super();
  }

  /** Ascending, without overlap. */
  of(text: string): readonly Span[] {
    if (this.last?.text !== text) this.last = this.scan(text, text.length);
    return this.last.regions;
  }

  /** Nothing is code from here on. */
  makeRestContent(): void {
    if (this.state.isRestContent) return;
    this.state = { ...this.state, isRestContent: true };
    this.last = null;
  }

  /**
   * Whether a text from a place on has a sign outside of code, which then can change; `null`: what follows decides.
   * Texts must grow between two releases.
   */
  leaves(text: string, from: number, sign: RegExp): boolean | null {
    const start = text.lastIndexOf('\n') + 1;
    const { at, codeFrom } = this.line;
    if (start > at) {
      const { state, regions } = new CodeScanner(text.slice(at, start), copyOf(this.line.state), this.html).scan(
        start - at,
      );
      const [first, end] = regions.at(-1) ?? [0, 0];
      const isCode = end === start - at && text[at + first] !== '`';
      this.line = { at: start, state, codeFrom: !isCode ? start : first === 0 ? codeFrom : at + first };
    }
    const { state } = this.line;
    const isInFence = !state.isRestContent && state.fence?.isCode === true;
    if (!sign.test(text.slice(isInFence && from >= this.line.codeFrom ? Math.max(from, start) : from)))
      return false;
    if (state.isRestContent) return true;
    const isOpen =
      isInFence ||
      state.paragraph.definitionLines > 0 ||
      isOpenLine(text.slice(start)) ||
      (from < start && PIPE_AFTER_TICKS.test(text.slice(from, start)));
    return isOpen ? null : true;
  }

  override judge(_stretch: Stretch): PassResult {
    return UNCHANGED;
  }

  /** Not inside a code span, because a prefix that ends there would show the content as text. */
  override partBefore(text: string, limit: number): number {
    const regions = this.of(text);
    const cut = regions.find(([start, end]) => start < limit && limit < end && text[start] === '`');
    if (cut !== undefined) return cut[0];
    let place = limit;
    while (place > 0 && /[`~\\$\]\r]/.test(text.charAt(place - 1)) && limit - place < MAX_SPAN) place--;
    return place;
  }

  override settle(text: string, end: number): void {
    const isScanned = end === text.length && this.last?.text === text;
    this.state = isScanned && this.last !== null ? this.last.state : this.scan(text, end).state;
    this.last = null;
    this.line = { at: 0, state: this.state, codeFrom: 0 };
  }

  private scan(text: string, end: number): CodeScanner {
    return new CodeScanner(text, copyOf(this.state), this.html).scan(end);
  }
}

/** Whether the rest of a line decides what is code in it, such as one with ticks that are not closed. */
function isOpenLine(line: string): boolean {
  let open = 0;
  for (const [ticks] of line.matchAll(TICKS))
    if (open === 0) open = ticks.length;
    else if (open === ticks.length) open = 0;
  return open > 0 || OPEN_LINE.test(line) || PIPE_AFTER_TICKS.test(line);
}
