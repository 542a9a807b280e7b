import type { Span } from '../../../contracts/src/text.js';

/** A text made from another, that knows which part of the other each of its own parts came from. All spans in UTF-16 units. */
export interface MappedText {
  readonly text: string;
  /** The part of the other text that this span was made from: it covers every unit that took part. */
  readonly toOriginal: (span: Span) => Span;
}

/** A text that was made from itself. */
export function unmapped(text: string): MappedText {
  return { text, toOriginal: (span) => span };
}

/** `inner` was made from `outer.text`: the same text, mapped through to what `outer` was made from. */
export function mappedThrough(inner: MappedText, outer: MappedText): MappedText {
  return { text: inner.text, toOriginal: (span) => outer.toOriginal(inner.toOriginal(span)) };
}

const NO_UNITS = new Uint16Array(0);
const NO_PLACES = new Uint32Array(0);
const NO_MARKS = new Uint8Array(0);

/**
 * Builds a mapped text piece by piece, in typed arrays that grow: a megabyte of text costs no million of
 * objects. What was copied unit by unit is one piece, however long.
 */
export class MappedTextBuilder {
  private units = NO_UNITS;
  private length = 0;
  /** For each piece where it begins here, and what it was made from; `1` in `stepwise` where unit by unit. */
  private begins = NO_PLACES;
  private starts = NO_PLACES;
  private ends = NO_PLACES;
  private stepwise = NO_MARKS;
  private pieces = 0;

  /** Takes no memory before something is written: most texts hold nothing to decode. */
  constructor(private readonly expectedLength: number) {}

  /** The last unit, or -1 at the beginning. */
  get lastUnit(): number {
    return this.length === 0 ? -1 : (this.units[this.length - 1] ?? -1);
  }

  /** Every unit of `text` came from `[start, end)` as a whole. */
  push(text: string, start: number, end: number): void {
    if (text === '') return;
    this.openPiece(start, end, false);
    this.reserve(text.length);
    for (let index = 0; index < text.length; index++) this.units[this.length++] = text.charCodeAt(index);
  }

  /** `source[start, end)` unchanged, unit by unit. */
  copy(source: string, start: number, end: number): void {
    if (end <= start) return;
    this.openPiece(start, end, true);
    this.reserve(end - start);
    for (let index = start; index < end; index++) this.units[this.length++] = source.charCodeAt(index);
  }

  /** As many units as were made of `[start, end)`, each of one. */
  copyUnits(units: Uint16Array, start: number, end: number): void {
    this.openPiece(start, end, true);
    this.reserve(end - start);
    this.units.set(units.subarray(0, end - start), this.length);
    this.length += end - start;
  }

  /** What came after the last unit belongs to it as well: a run that became one space. */
  extendLast(end: number): void {
    const last = this.pieces - 1;
    if (last < 0) return;
    const first = this.begins[last] ?? 0;
    if (this.stepwise[last] === 0) {
      this.ends[last] = end;
    } else if (this.length - first === 1) {
      this.stepwise[last] = 0;
      this.ends[last] = end;
    } else {
      const start = (this.starts[last] ?? 0) + this.length - first - 1;
      this.ends[last] = start;
      this.length -= 1;
      this.openPiece(start, end, false);
      this.length += 1;
    }
  }

  build(): MappedText {
    const { pieces, length, begins, starts, ends, stepwise } = this;
    const text = Buffer.from(this.units.buffer, 0, length * 2).toString('utf16le');
    return {
      text,
      toOriginal([start, end]) {
        let piece = pieceAt(begins, pieces, start);
        if (start >= end) {
          const offset = stepwise[piece] === 1 ? start - (begins[piece] ?? 0) : 0;
          return [(starts[piece] ?? 0) + offset, (starts[piece] ?? 0) + offset];
        }
        let first = Infinity;
        let last = 0;
        for (; piece < pieces && (begins[piece] ?? 0) < end; piece++) {
          const begin = begins[piece] ?? 0;
          const origin = starts[piece] ?? 0;
          const unitByUnit = stepwise[piece] === 1;
          first = Math.min(first, unitByUnit ? origin + Math.max(0, start - begin) : origin);
          last = Math.max(
            last,
            unitByUnit ? Math.min(ends[piece] ?? 0, origin + end - begin) : (ends[piece] ?? 0),
          );
        }
        return [first, last];
      },
    };
  }

  private openPiece(start: number, end: number, stepwise: boolean): void {
    if (this.pieces === this.begins.length) {
      const capacity = Math.max(16, this.pieces * 2);
      this.begins = grown(this.begins, new Uint32Array(capacity));
      this.starts = grown(this.starts, new Uint32Array(capacity));
      this.ends = grown(this.ends, new Uint32Array(capacity));
      this.stepwise = grown(this.stepwise, new Uint8Array(capacity));
    }
    this.begins[this.pieces] = this.length;
    this.starts[this.pieces] = start;
    this.ends[this.pieces] = end;
    this.stepwise[this.pieces] = stepwise ? 1 : 0;
    this.pieces += 1;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.units.length) return;
    const capacity = Math.max(this.length + more, this.units.length * 2, this.expectedLength);
    this.units = grown(this.units, new Uint16Array(capacity));
  }
}

/** The last piece that begins at `position` or before it. */
function pieceAt(begins: Uint32Array, pieces: number, position: number): number {
  let low = 0;
  let high = pieces - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((begins[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function grown<Numbers extends Uint8Array | Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
