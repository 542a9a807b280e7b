import type { Finding } from '#contracts/output/output.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { type Edit, MappedText } from '../../text/mapped-text.js';

/** What the sanitizer found in one text, how much of the text is released, and its replacements if they are kept. */
export class SanitizerReport {
  private found: Finding[] = [];
  private readonly replaced: Edit[] = [];
  private readonly released: MappedText[] = [];
  /** `released` as one text, once it is asked for: a text can have a finding at each word. */
  private whole: MappedText | null = null;
  private givenUntil = 0;

  /** @param keepsEdits whether `edits` and `placeOf` are needed; sanitizing without them costs less */
  constructor(private readonly keepsEdits: boolean) {}

  /** Sorted by start. Spans are in UTF-16 units of the given text. */
  get findings(): readonly Finding[] {
    return this.found.toSorted((one, other) => one.span[0] - other.span[0]);
  }

  /** All replacements, as edits of the text as given, if they are kept. */
  get edits(): readonly Edit[] {
    const ordered = this.replaced.toSorted((one, other) => one.span[0] - other.span[0]);
    // The continuation of a finding can become part of a longer one.
    let read = 0;
    return ordered.filter(({ span }) => {
      const isOutside = span[1] > read;
      read = Math.max(read, span[1]);
      return isOutside;
    });
  }

  /** Where a span of the text as given is in the released text, in UTF-16 units, if edits are kept. */
  placeOf(span: Utf16Span): Utf16Span {
    this.whole ??= MappedText.joined(this.released);
    return this.whole.placeOf(span);
  }

  /** Units of the text as given that are released. */
  get settledUntil(): number {
    return this.givenUntil;
  }

  /** @param held the text that the span of the finding refers to */
  addFinding({ kind, detector, span }: Finding, held: MappedText): void {
    this.found.push({ kind, detector, span: held.toOriginal(span) });
  }

  /** Withholds the text as given from the released part to `end`, because the text is too long. */
  withholdRest(end: number): void {
    const start = this.givenUntil;
    this.found = this.found.filter(({ span }) => span[0] < start);
    this.found.push({ kind: 'too_long', detector: 'length', span: [start, end] });
  }

  /** Adds the continuation of a removal, which is no finding of its own. */
  addRemoval(span: Utf16Span, held: MappedText): void {
    if (this.keepsEdits) this.replaced.push({ span: held.toOriginal(span), replacement: '' });
  }

  /** Adds that the text as given up to `end` is shown. */
  show(end: number): void {
    this.givenUntil = end;
  }

  /** Adds that the held text up to `end` is released. */
  release(held: MappedText, end: number): void {
    this.givenUntil = held.originalAt(end);
    if (!this.keepsEdits) return;
    const part = held.until(end);
    this.replaced.push(...part.edits);
    this.released.push(part);
    this.whole = null;
  }
}
