import type { Finding } from '#contracts/output/output.js';
import type { Span } from '#contracts/common/text.js';
import { placeIn, type Edit, type Piece, type TracedText } from './traced-text.js';

/** What the sanitizer found in one text, how much of the text is released, and its replacements if they are kept. */
export class SanitizerReport {
  private found: Finding[] = [];
  private readonly replaced: Edit[] = [];
  private readonly releasedPieces: Piece[] = [];
  /** Length of the clean text in UTF-16 units. */
  private releasedLength = 0;
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
  placeOf(span: Span): Span {
    return placeIn(this.releasedPieces, span);
  }

  /** Units of the text as given that are released. */
  get settledUntil(): number {
    return this.givenUntil;
  }

  /** @param held the text that the span of the finding refers to */
  addFinding({ kind, detector, span }: Finding, held: TracedText): void {
    this.found.push({ kind, detector, span: held.given(span) });
  }

  /** Withholds the text as given from the released part to `end`, because the text is too long. */
  withholdRest(end: number): void {
    const start = this.givenUntil;
    this.found = this.found.filter(({ span }) => span[0] < start);
    this.found.push({ kind: 'too_long', detector: 'length', span: [start, end] });
  }

  /** Adds the continuation of a removal, which is no finding of its own. */
  addRemoval(span: Span, held: TracedText): void {
    if (this.keepsEdits) this.replaced.push({ span: held.given(span), replacement: '' });
  }

  /** Adds that the text as given up to `end` is shown. */
  show(end: number): void {
    this.givenUntil = end;
  }

  /** Adds that the held text up to `end` is released. */
  release(held: TracedText, end: number): void {
    this.givenUntil = held.givenAt(end);
    if (!this.keepsEdits) return;
    this.replaced.push(...held.editsBefore(end));
    const offset = this.releasedLength;
    for (const piece of held.piecesBefore(end))
      this.releasedPieces.push({ ...piece, start: piece.start + offset, end: piece.end + offset });
    this.releasedLength += end;
  }
}
