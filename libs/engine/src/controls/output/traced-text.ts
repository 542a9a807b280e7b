import type { Span } from '#contracts/common/text.js';
import { countWhile } from '../../text/ordered-list.js';

/** One replacement. Edits of a text are ascending and do not overlap. */
export interface Edit {
  readonly span: Span;
  readonly replacement: string;
}

/** A part of the text, and its span in the original text. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly givenStart: number;
  readonly givenEnd: number;
  /** Unchanged: each unit corresponds to one unit of the original. */
  readonly copied: boolean;
}

/** A part of a text that can be edited repeatedly, with a map from the current text to the original text. */
export class TracedText {
  private constructor(
    readonly text: string,
    private readonly pieces: readonly Piece[],
    /** The place of the text in the coordinates of the pieces, which stay when the beginning is removed. */
    private readonly base: number,
    /** The end of this part in the original text. */
    readonly givenEnd: number,
  ) {}

  static readonly empty = new TracedText('', [], 0, 0);

  append(more: string): TracedText {
    if (more === '') return this;
    const start = this.base + this.text.length;
    const givenStart = this.givenEnd;
    const givenEnd = givenStart + more.length;
    const piece: Piece = { start, end: start + more.length, givenStart, givenEnd, copied: true };
    return new TracedText(this.text + more, [...this.pieces, piece], this.base, givenEnd);
  }

  edited(edits: readonly Edit[]): TracedText {
    const parts: string[] = [];
    const pieces: Piece[] = [];
    let length = 0;
    let read = 0;
    let index = 0;

    const append = (part: string, givenStart: number, givenEnd: number, copied: boolean): void => {
      if (part === '') return;
      parts.push(part);
      pieces.push({ start: length, end: length + part.length, givenStart, givenEnd, copied });
      length += part.length;
    };
    const keepUntil = (end: number): void => {
      while (read < end) {
        const piece = this.pieces[index];
        if (piece === undefined) return;
        const stop = Math.min(end, piece.end - this.base);
        const part = this.text.slice(read, stop);
        append(part, this.givenStartOf(piece, read), this.givenEndOf(piece, stop), piece.copied);
        read = stop;
        if (stop === piece.end - this.base) index++;
      }
    };
    for (const { span, replacement } of edits) {
      keepUntil(span[0]);
      const [givenStart, givenEnd] = this.given(span);
      append(replacement, givenStart, givenEnd, false);
      read = span[1];
      while ((this.pieces[index]?.end ?? Infinity) - this.base <= read) index++;
    }
    keepUntil(this.text.length);
    return new TracedText(parts.join(''), pieces, 0, this.givenEnd);
  }

  /** The part before `end`. */
  until(end: number): TracedText {
    const stop = this.base + end;
    const pieces = this.pieces
      .filter(({ start }) => start < stop)
      .map((piece) =>
        piece.end <= stop ? piece : { ...piece, end: stop, givenEnd: this.givenEndOf(piece, end) },
      );
    return new TracedText(this.text.slice(0, end), pieces, this.base, this.givenAt(end));
  }

  /** The part from `start` on. */
  from(start: number): TracedText {
    if (start === this.text.length) return new TracedText('', [], 0, this.givenEnd);
    const pieces = this.pieces.slice(this.pieceAt(start));
    return new TracedText(this.text.slice(start), pieces, this.base + start, this.givenEnd);
  }

  /** The last place up to `limit` that is not inside a replacement, because a replacement is released as a whole. */
  partBefore(limit: number): number {
    const piece = this.pieces[this.pieceAt(limit)];
    const isInside = piece !== undefined && !piece.copied && limit < piece.end - this.base;
    return isInside ? Math.max(0, piece.start - this.base) : limit;
  }

  /** The place in the original text. */
  givenAt(position: number): number {
    if (position >= this.text.length) return this.givenEnd;
    return this.given([position, position + 1])[0];
  }

  /** The span in the original text. */
  given([start, end]: Span): Span {
    const first = this.pieces[this.pieceAt(start)];
    if (first === undefined) return [this.givenEnd, this.givenEnd];
    const isOnePiece = end <= first.end - this.base;
    const last = isOnePiece ? first : this.pieces[this.pieceAt(end - 1)];
    if (last === undefined) return [this.givenEnd, this.givenEnd];
    return [this.givenStartOf(first, start), this.givenEndOf(last, end)];
  }

  /** All replacements before a place, as edits of the original text. */
  editsBefore(end: number): readonly Edit[] {
    const edits: Edit[] = [];
    for (const piece of this.pieces) {
      const stop = piece.end - this.base;
      if (stop > end) break;
      if (piece.copied) continue;
      const replacement = this.text.slice(Math.max(0, piece.start - this.base), stop);
      edits.push({ span: [piece.givenStart, piece.givenEnd], replacement });
    }
    return edits;
  }

  /** The parts before a place, with their places in this text. */
  piecesBefore(end: number): readonly Piece[] {
    return this.until(end).pieces.map((piece) => ({
      ...piece,
      start: Math.max(0, piece.start - this.base),
      end: piece.end - this.base,
      givenStart: this.givenStartOf(piece, Math.max(0, piece.start - this.base)),
    }));
  }

  private givenStartOf(piece: Piece, position: number): number {
    return piece.copied ? piece.givenStart + position + this.base - piece.start : piece.givenStart;
  }

  private givenEndOf(piece: Piece, position: number): number {
    return piece.copied ? piece.givenStart + position + this.base - piece.start : piece.givenEnd;
  }

  /** The index of the piece that contains a place; the last one for a place after the text. */
  private pieceAt(position: number): number {
    const place = this.base + position;
    let low = 0;
    let high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.pieces[middle]?.end ?? 0) > place) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Converts a span of the original text to the text that consists of these pieces. A removed span becomes empty. */
export function placeIn(pieces: readonly Piece[], [start, end]: Span): Span {
  const first = pieces[countWhile(pieces, ({ givenEnd }) => givenEnd <= start)];
  const last = pieces[countWhile(pieces, ({ givenStart }) => givenStart < end) - 1];
  const length = pieces.at(-1)?.end ?? 0;
  const from =
    first === undefined ? length : first.start + (first.copied ? Math.max(0, start - first.givenStart) : 0);
  const to = last === undefined ? 0 : last.end - (last.copied ? Math.max(0, last.givenEnd - end) : 0);
  return [from, Math.max(from, to)];
}
