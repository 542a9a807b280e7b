/** What all rules of the Markdown pass share: one stretch, its changes, and how far it was looked at. */
import type { Finding } from '#contracts/output/output.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { countWhile } from '../../text/ordered-list.js';
import type { LinkPolicy } from './link-policy.js';
import { endOf, NextMatch } from '../../text/next-match.js';
import type { PassResult, Rest, Stretch } from './pass.js';
import { LabelsOfText, type Labels } from './reference-labels.js';
import type { Edit } from '../../text/mapped-text.js';

const REST_OF_TARGET = /^[^\s)]*\)?/;
const TARGET =
  /\([ \t\n]{0,16}(?:<[^<>\n]{0,600}>|(?:[^\s()[\]<>]|\([^\s()[\]<>]{0,200}\)){0,2000})(?:\s{1,16}(?:"[^"[\]]{0,200}"|'[^'[\]]{0,200}'))?\s{0,16}\)/y;
const OPEN_TARGET = /\([ \t\n]{0,16}[^\s()[\]<>]*$/y;
const BEFORE_TARGET = /[ \t\n]{0,64}<?/y;
const ENDS_ADDRESS = /[\s)"'`$]/g;
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

/** One stretch of a text: its labels and targets, its changes, and how much of the text they depend on. */
export class MarkdownText {
  /** Pairs: where something begins, and how far it was looked at. One list of numbers, because a text can have many. */
  readonly judged: number[] = [];
  readonly text: string;
  readonly labels: LabelsOfText;
  private readonly edits: Edit[] = [];
  private readonly findings: Finding[] = [];
  private rest: Rest | undefined;
  private end = 0;
  /** The units that edits replace, once a rule needs them. */
  private taken: Uint8Array | null = null;
  private readonly addressEnds: NextMatch;
  private readonly blankLines: NextMatch;
  private readonly parentheses: NextMatch;
  private readonly openings: NextMatch;
  private readonly wordEnds: NextMatch;
  private readonly copies: NextMatch;

  /**
   * @param code what is forbidden here is broken, not removed
   * @param isAnyRenderer the renderer may not escape quotes, and may read links across lines and definitions across blank lines
   */
  constructor(
    readonly stretch: Stretch,
    before: Labels,
    readonly policy: LinkPolicy,
    private readonly code: readonly Utf16Span[],
    readonly isAnyRenderer: boolean,
  ) {
    this.text = stretch.text;
    this.labels = new LabelsOfText(before);
    this.addressEnds = new NextMatch(ENDS_ADDRESS, this.text);
    this.blankLines = new NextMatch(BLANK_LINE, this.text);
    this.parentheses = new NextMatch(')', this.text);
    this.openings = new NextMatch('(', this.text);
    this.wordEnds = new NextMatch(ENDS_WORD, this.text);
    this.copies = new NextMatch(COPIES_TEXT, this.text);
  }

  get result(): PassResult {
    const edits = this.edits.toSorted((one, other) => one.span[0] - other.span[0]);
    return { edits, findings: this.findings, rest: this.rest };
  }

  /** The end of the last edit. */
  get edited(): number {
    return this.end;
  }

  see(from: number, until: number): void {
    this.judged.push(from, Math.min(until, this.text.length));
  }

  change(span: Utf16Span, edits: readonly Edit[]): void {
    const { text, judged } = this.stretch;
    if (span[0] >= judged) return;
    this.edits.push(...edits);
    if (this.taken !== null) for (const edit of edits) this.taken.fill(1, ...edit.span);
    this.findings.push({ kind: 'markdown_sanitized', detector: 'markdown', span });
    this.end = Math.max(this.end, span[1]);
    if (span[1] === text.length && judged < text.length)
      this.rest = (next) => REST_OF_TARGET.exec(next)?.[0].length ?? 0;
  }

  replace(span: Utf16Span, replacement: string): void {
    this.change(span, [{ span, replacement }]);
  }

  overlapsEdit([from, to]: Utf16Span): boolean {
    if (this.edits.length === 0) return false;
    if (this.taken === null) {
      this.taken = new Uint8Array(this.text.length);
      for (const { span } of this.edits) this.taken.fill(1, ...span);
    }
    return this.taken.subarray(from, to).includes(1);
  }

  /** `[text](target)` becomes `text`. In any other form the character after the bracket is replaced. */
  remove(at: number, end: number, replacement: string): void {
    const label = this.labelBefore(at);
    const start = label === null || !REMOVED_LABEL.test(label) ? -1 : at - label.length - 1;
    if (end < 0 || this.isCode(at) || start < this.edited || this.text[start - 1] === '!') {
      this.see(at, at + 2);
      this.replace([at + 1, at + 2], replacement);
      return;
    }
    this.see(start, end);
    this.change(
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
    const isOpen = this.stretch.judged < this.text.length && endOf(OPEN_TARGET, this.text, at) > 0;
    return isOpen ? this.text.length : -1;
  }
}
