import type { Span } from '#contracts/common/text.js';
import { countWhile } from '../../text/ordered-list.js';
import type { MarkdownChanges } from './markdown-changes.js';
import { endOf, NextMatch } from './next-match.js';

const TARGET =
  /\([ \t\n]{0,16}(?:<[^<>\n]{0,600}>|(?:[^\s()[\]<>]|\([^\s()[\]<>]{0,200}\)){0,2000})(?:\s{1,16}(?:"[^"[\]]{0,200}"|'[^'[\]]{0,200}'))?\s{0,16}\)/y;
const OPEN_TARGET = /\([ \t\n]{0,16}[^\s()[\]<>]*$/y;
const BEFORE_TARGET = /[ \t\n]{0,64}<?/y;
const ENDS_ADDRESS = /[\s)"'`$]/g;
const CLOSING_PARENTHESIS = /\)/g;
const OPENING_PARENTHESIS = /\(/g;
const QUOTE = /["'`$]/;
const ENDS_WORD = /[\s"'`$]/g;
const COPIES_TEXT = /\$[`'&$]/g;
const BLANK_LINE = /(?:\r\n|\r|\n)[ \t]*[\r\n]/g;
/** The maximum distance of a blank line that is taken for a part of a target. */
const MAX_OPEN_TARGET = 600;

/** What a link of which only the label stays may have as its label: a stream is held back from the bracket on. */
const REMOVED_LABEL = /^.{0,119}$/;

/** Maximum look-back for the label before a target. */
const MAX_LOOK_BACK = 300;

/** Reads the targets of links, images and definitions, and removes them. */
export class MarkdownTargets {
  private readonly text: string;
  private readonly addressEnds: NextMatch;
  private readonly blankLines: NextMatch;
  private readonly parentheses: NextMatch;
  private readonly openings: NextMatch;
  private readonly wordEnds: NextMatch;
  private readonly copies: NextMatch;

  /**
   * @param code what is forbidden here is broken, not removed
   * @param isAnyRenderer the renderer may not escape quotes
   */
  constructor(
    private readonly changes: MarkdownChanges,
    private readonly code: readonly Span[],
    private readonly isAnyRenderer: boolean,
  ) {
    this.text = changes.text;
    this.addressEnds = new NextMatch(ENDS_ADDRESS, this.text);
    this.blankLines = new NextMatch(BLANK_LINE, this.text);
    this.parentheses = new NextMatch(CLOSING_PARENTHESIS, this.text);
    this.openings = new NextMatch(OPENING_PARENTHESIS, this.text);
    this.wordEnds = new NextMatch(ENDS_WORD, this.text);
    this.copies = new NextMatch(COPIES_TEXT, this.text);
  }

  /** `[text](target)` becomes `text`. In any other form the character after the bracket is replaced. */
  remove(at: number, end: number, replacement: string): void {
    const label = this.labelBefore(at);
    const start = label === null || !REMOVED_LABEL.test(label) ? -1 : at - label.length - 1;
    if (end < 0 || this.isCode(at) || start < this.changes.edited || this.text[start - 1] === '!') {
      this.changes.see(at, at + 2);
      this.changes.replace([at + 1, at + 2], replacement);
      return;
    }
    this.changes.see(start, end);
    this.changes.change(
      [start, end],
      [
        { span: [start, start + 1], replacement: '' },
        { span: [at, end], replacement: '' },
      ],
    );
  }

  isCode(at: number): boolean {
    return (this.code[countWhile(this.code, ([start]) => start <= at) - 1]?.[1] ?? 0) > at;
  }

  /** A quote within an address ends an attribute, and `$` copies text into one, in renderers that do not escape. */
  isQuoted(at: number): boolean {
    if (!this.isAnyRenderer) return false;
    const start = endOf(BEFORE_TARGET, this.text, at);
    const end = this.addressEnds.from(start);
    if (QUOTE.test(this.text.charAt(end))) return true;
    // A parenthesis within an address does not end it.
    return this.openings.from(start) < end && QUOTE.test(this.text.charAt(this.wordEnds.from(start)));
  }

  /**
   * snarkdown continues a target after a blank line and an address in the next line of a quote, and copies what follows
   * `$` in a target.
   */
  isExtendedBySnarkdown(at: number): boolean {
    const end = this.parentheses.from(at);
    const blankLine = this.blankLines.from(at);
    if (blankLine - at <= MAX_OPEN_TARGET && blankLine < Math.min(end, this.text.length)) return true;
    const start = endOf(BEFORE_TARGET, this.text, at);
    const isCut = /[\r\n]/.test(this.text.charAt(this.addressEnds.from(start)));
    return isCut || this.copies.from(at) < end;
  }

  labelBefore(at: number): string | null {
    const closed = at === 0 ? -1 : this.text.lastIndexOf(']', at - 1);
    const before = this.text.slice(Math.max(0, at - MAX_LOOK_BACK, closed + 1), at);
    const start = before.lastIndexOf('[');
    return start < 0 ? null : before.slice(start + 1);
  }

  /** The end of a target in parentheses; the end of the stretch if the target continues after it; otherwise -1. */
  endOfTarget(at: number): number {
    const end = endOf(TARGET, this.text, at);
    if (end > 0) return end;
    OPEN_TARGET.lastIndex = at;
    const isOpen = this.changes.stretch.judged < this.text.length && OPEN_TARGET.test(this.text);
    return isOpen ? this.text.length : -1;
  }
}
