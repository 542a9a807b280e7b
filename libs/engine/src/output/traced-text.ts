import type { Span } from '../../../contracts/src/span.js';

/** One replacement. Edits of a text are ascending and do not overlap. */
export interface Edit {
  readonly span: Span;
  readonly replacement: string;
}

/** A stretch of the text as it is now, and where it came from in the text as it was given. */
interface Piece {
  readonly now: Span;
  readonly given: Span;
  /** Unchanged: its units stand one for one. */
  readonly copied: boolean;
}

/** A text that is edited over and over, and still knows of every part where it stood in the text as given. */
export class TracedText {
  private constructor(
    readonly text: string,
    private readonly pieces: readonly Piece[],
  ) {}

  static of(text: string): TracedText {
    const whole: Span = [0, text.length];
    return new TracedText(text, text === '' ? [] : [{ now: whole, given: whole, copied: true }]);
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
    return new TracedText(parts.join(''), pieces);
  }

  /** A span of the text as it is now → where that stood in the text as given. */
  given([start, end]: Span): Span {
    const first = this.pieceAt(start);
    const last = this.pieceAt(Math.max(start, end - 1));
    if (first === undefined || last === undefined) return [0, 0];
    return [
      first.copied ? unitOf(first, start) : first.given[0],
      last.copied ? unitOf(last, end) : last.given[1],
    ];
  }

  /** What was replaced, as edits of the text as given. */
  edits(): readonly Edit[] {
    return this.pieces
      .filter(({ copied }) => !copied)
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
