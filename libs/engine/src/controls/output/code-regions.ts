/** Where a text is code. The passes for markup ask it what they must leave; it scans each stretch once. */
import type { Utf16Span } from '#contracts/common/spans.js';
import { CodeScanner } from './code-scanner.js';
import { BEGINNING, type CodeState } from './code-state.js';
import { ALWAYS, Pass, UNCHANGED, type Stretch } from './pass.js';

/** The longest code span, and the longest run of marks that is kept together. */
const MAX_SPAN = 500;

/** What begins a change of HTML or Markdown. */
const SIGN = /!\[|\](?=[(:[{])|\\(?=[A-Za-z<])|&(?=[#A-Za-z])|:(?=[A-Za-z\u0080-\uffff/\\])|<(?=[A-Za-z/!?])/;
/** Also the label that a link loses with its target, and diagrams. */
const BEGINS = new RegExp(String.raw`[[<]|mermaid|mmd|${SIGN.source}`, 'i');
/** And addresses, if hosts are named. */
const BEGINS_OR_ADDRESS = new RegExp(String.raw`\.[^\s!-@]|//|www|${BEGINS.source}`, 'i');
/** Links, addresses and commands of TeX that stay, unless hosts are named. */
const PLAIN =
  /(?:\]\((?=[/#h])|(?<![^\s(]))(?:https?:\/\/[a-z\d]|[/#])[\w\-./?#=%&]*(?:\)|(?=[,;]?\s))|\\(?![a-z]*(?:color|enclose|cancel|def|let|command|environment)|href|html|include|bbox|mml|css|req|uni|url|style|class|data)[a-z]+/gi;
/** A line of which the rest decides what is code in it: with a tick that is not closed, or a pipe after one; or a block. */
const OPEN_LINE =
  /^(?!(?:[^`]|`[^`]+`(?!`)|``[^`](?:[^`]|`(?!`))*``(?!`))*$)|^[\s>*+\-\d.)]*(?:[^\p{L}\p{N}]*$|`{3}|~{3}|:::|\[[^\]]*$)|^\+{3}|^-{3}|\$\$|\\(?:f?[[\]]|begin)|`[^|\n]*\|/u;
const INDENTED_LINE = /^(?: {4}|\t)/;
const PIPE_AFTER_TICKS = /`[^|\n]*\|/;

/**
 * Finds the code of a text under `rendering: markdown`. Text is code only where every supported renderer agrees: a
 * fence in the page, in quotes or in a list item, indented lines after a paragraph, and a code span within a paragraph. Where a renderer may read a
 * construct differently, the rest of the paragraph or of the text is content. If code is treated as content, at most an
 * example is changed. If content is treated as code, an attack can pass.
 *
 * It makes no edits; other passes skip the regions.
 */
export class CodeRegions extends Pass {
  private state: Readonly<CodeState> = BEGINNING;
  private last: CodeScanner | null = null;

  /**
   * @param html the beginnings of HTML that stay and could enclose code; `null`: none stays
   * @param isWhole no part of a stretch is shown, because renderers disagree on most lines or code has addresses
   */
  constructor(
    private readonly html: RegExp | null,
    isWhole: boolean,
    private readonly namesHosts: boolean,
  ) {
    super();
    this.begins = isWhole ? ALWAYS : namesHosts ? BEGINS_OR_ADDRESS : BEGINS;
  }

  /** Whether HTML or Markdown could change outside of code. */
  override couldChange(text: string, from: number): boolean | null {
    const couldChange = (part: string) =>
      this.namesHosts ? this.begins.test(part) : SIGN.test(part.replaceAll(PLAIN, ''));
    if (!couldChange(text.slice(from))) return false;
    const start = text.lastIndexOf('\n') + 1;
    const { regions, state, isOpen } = this.scanned(text.slice(0, start));
    if (isOpen && this.scanned(text).isOpen) return null;
    const first = regions.at(-1)?.[0] ?? Infinity;
    const isInFence = !state.isRestContent && state.fence?.isCode === true;
    const isLineChanged = couldChange(text.slice(Math.max(from, start)));
    if (isInFence && first <= from && text[first] !== '`' && !isLineChanged) return false;
    // The end of its line can make content of indented code.
    const isIndented = state.isIndented && INDENTED_LINE.test(text.slice(start)) && isLineChanged;
    return isInFence ||
      isIndented ||
      OPEN_LINE.test(text.slice(start)) ||
      PIPE_AFTER_TICKS.test(text.slice(from))
      ? null
      : true;
  }

  /** Ascending, without overlap. */
  of(text: string): readonly Utf16Span[] {
    return this.scanned(text).regions;
  }

  private scanned(text: string) {
    if (this.last?.text !== text) this.last = new CodeScanner(text, this.state, this.html).scan(text.length);
    return this.last;
  }

  /** Nothing is code from here on. */
  makeRestContent(): void {
    if (this.state.isRestContent) return;
    this.state = { ...this.state, isRestContent: true };
    this.last = null;
  }

  override judge(_stretch: Stretch) {
    return UNCHANGED;
  }

  /** Not inside a code span, because a prefix that ends there would show the content as text. */
  override partBefore(text: string, limit: number) {
    const regions = this.of(text);
    const cut = regions.find(([start, end]) => start < limit && limit < end && text[start] === '`');
    if (cut !== undefined) return cut[0];
    let place = limit;
    while (place > 0 && /[`~\\$\]\r]/.test(text.charAt(place - 1)) && limit - place < MAX_SPAN) place--;
    return place;
  }

  override settle(text: string, end: number) {
    this.state = this.scanned(text).stateAt(end);
    this.last = null;
  }
}
