import type { Span } from '#contracts/text.js';

/** One replacement. Edits of a text are ascending and do not overlap. */
export interface Edit {
  readonly span: Span;
  readonly replacement: string;
}

/** A part of the current text, and its span in the original text. */
interface Piece {
  readonly now: Span;
  readonly given: Span;
  /** Unchanged: each unit corresponds to one unit of the original. */
  readonly copied: boolean;
}

/** A part of a text that can be edited repeatedly, with a map from the current text to the original text. */
export class TracedText {
  private constructor(
    readonly text: string,
    private readonly pieces: readonly Piece[],
    /** The end of this part in the original text. */
    readonly givenEnd: number,
  ) {}

  static readonly empty = new TracedText('', [], 0);

  append(more: string): TracedText {
    if (more === '') return this;
    const { length } = this.text;
    const end = this.givenEnd + more.length;
    const piece: Piece = { now: [length, length + more.length], given: [this.givenEnd, end], copied: true };
    return new TracedText(this.text + more, [...this.pieces, piece], end);
  }

  edited(edits: readonly Edit[]): TracedText {
    const parts: string[] = [];
    const pieces: Piece[] = [];
    let length = 0;
    let read = 0;
    let index = 0;

    const append = (part: string, given: Span, copied: boolean): void => {
      if (part === '') return;
      parts.push(part);
      pieces.push({ now: [length, length + part.length], given, copied });
      length += part.length;
    };
    const keepUntil = (end: number): void => {
      while (read < end) {
        const piece = this.pieces[index];
        if (piece === undefined) return;
        const stop = Math.min(end, piece.now[1]);
        const given: Span = piece.copied ? [unitOf(piece, read), unitOf(piece, stop)] : piece.given;
        append(this.text.slice(read, stop), given, piece.copied);
        read = stop;
        if (stop === piece.now[1]) index++;
      }
    };
    for (const { span, replacement } of edits) {
      keepUntil(span[0]);
      append(replacement, this.given(span), false);
      read = span[1];
      while ((this.pieces[index]?.now[1] ?? Infinity) <= read) index++;
    }
    keepUntil(this.text.length);
    return new TracedText(parts.join(''), pieces, this.givenEnd);
  }

  /** The part before `end`. */
  until(end: number): TracedText {
    const pieces = this.pieces
      .filter(({ now }) => now[0] < end)
      .map((piece): Piece => {
        const stop = Math.min(end, piece.now[1]);
        const given: Span = piece.copied ? [piece.given[0], unitOf(piece, stop)] : piece.given;
        return { ...piece, now: [piece.now[0], stop], given };
      });
    return new TracedText(this.text.slice(0, end), pieces, this.givenAt(end));
  }

  /** The part from `start` on. */
  from(start: number): TracedText {
    if (start === this.text.length) return new TracedText('', [], this.givenEnd);
    const pieces = this.pieces
      .filter(({ now }) => now[1] > start)
      .map(({ now, given, copied }): Piece => {
        const cut = Math.max(0, start - now[0]);
        const moved: Span = [now[0] + cut - start, now[1] - start];
        return { now: moved, given: copied ? [given[0] + cut, given[1]] : given, copied };
      });
    return new TracedText(this.text.slice(start), pieces, this.givenEnd);
  }

  /** The last place up to `limit` that is not inside a replacement, because a replacement is released as a whole. */
  partBefore(limit: number): number {
    const piece = this.pieces.find(({ now }) => now[0] < limit && limit < now[1]);
    return piece === undefined || piece.copied ? limit : piece.now[0];
  }

  /** The place in the original text. */
  givenAt(position: number): number {
    if (position >= this.text.length) return this.givenEnd;
    return this.given([position, position + 1])[0];
  }

  /** The span in the original text. */
  given([start, end]: Span): Span {
    const first = this.pieceAt(start);
    const last = this.pieceAt(Math.max(start, end - 1));
    if (first === undefined || last === undefined) return [this.givenEnd, this.givenEnd];
    return [
      first.copied ? unitOf(first, start) : first.given[0],
      last.copied ? unitOf(last, end) : last.given[1],
    ];
  }

  /** All replacements before a place, as edits of the original text. */
  editsBefore(end: number): readonly Edit[] {
    return this.pieces
      .filter(({ now, copied }) => !copied && now[1] <= end)
      .map(({ now, given }) => ({ span: given, replacement: this.text.slice(now[0], now[1]) }));
  }

  private pieceAt(position: number): Piece | undefined {
    let low = 0;
    let high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.pieces[middle]?.now[1] ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return this.pieces[low];
  }
}

function unitOf({ now, given }: Piece, position: number): number {
  return given[0] + position - now[0];
}
