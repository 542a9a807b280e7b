import type { Span } from '#contracts/text.js';
import { CodeScanner } from './code-scanner.js';
import { BEGINNING, copyOf, type CodeState } from './code-state.js';
import { Pass, UNCHANGED, type PassResult, type Stretch } from './pass.js';

/** The longest code span, and the longest run of marks that is kept together. */
const MAX_SPAN = 500;

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
  }

  private scan(text: string, end: number): CodeScanner {
    return new CodeScanner(text, copyOf(this.state), this.html).scan(end);
  }
}
