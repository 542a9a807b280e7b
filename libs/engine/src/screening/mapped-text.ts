import type { Span } from '#contracts/text.js';

/** A text derived from another one, with a mapping back to it. Spans are in UTF-16 units. */
export interface MappedText {
  readonly text: string;
  /** The span of the other text that contains every unit from which this span was derived. */
  readonly toOriginal: (span: Span) => Span;
}

/** The identity mapping. */
export function unmapped(text: string): MappedText {
  return { text, toOriginal: (span) => span };
}

/** Composes two mappings: `inner` was derived from `outer.text`. */
export function mappedThrough(inner: MappedText, outer: MappedText): MappedText {
  return { text: inner.text, toOriginal: (span) => outer.toOriginal(inner.toOriginal(span)) };
}

const NO_UNITS = new Uint16Array(0);
const NO_PLACES = new Uint32Array(0);
const NO_MARKS = new Uint8Array(0);

/**
 * Builds a mapped text from pieces, stored in growing typed arrays instead of one object per unit. A range that is copied
 * unit by unit is one piece of any length.
 */
export class MappedTextBuilder {
  private units = NO_UNITS;
  private length = 0;
  /** Per piece: its start in this text, its range in the source, and `1` in `stepwise` if it was copied unit by unit. */
  private begins = NO_PLACES;
  private starts = NO_PLACES;
  private ends = NO_PLACES;
  private stepwise = NO_MARKS;
  private pieces = 0;

  /** Allocates nothing before the first write, because most texts contain nothing to decode. */
  constructor(private readonly expectedLength: number) {}

  /** The last unit, or -1 if nothing was written. */
  get lastUnit(): number {
    return this.length === 0 ? -1 : (this.units[this.length - 1] ?? -1);
  }

  /** Appends `text`, all of which was derived from `[start, end)`. */
  push(text: string, start: number, end: number): void {
    if (text === '') return;
    this.openPiece(start, end, false);
    this.reserve(text.length);
    for (let index = 0; index < text.length; index++) this.units[this.length++] = text.charCodeAt(index);
  }

  /** Appends `source[start, end)` unchanged. */
  copy(source: string, start: number, end: number): void {
    if (end <= start) return;
    this.openPiece(start, end, true);
    this.reserve(end - start);
    for (let index = start; index < end; index++) this.units[this.length++] = source.charCodeAt(index);
  }

  /** Appends one unit for each unit of `[start, end)`. */
  copyUnits(units: Uint16Array, start: number, end: number): void {
    this.openPiece(start, end, true);
    this.reserve(end - start);
    this.units.set(units.subarray(0, end - start), this.length);
    this.length += end - start;
  }

  /** Extends the source range of the last unit to `end`, for example when white space is collapsed. */
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
      this.begins = copyInto(new Uint32Array(capacity), this.begins);
      this.starts = copyInto(new Uint32Array(capacity), this.starts);
      this.ends = copyInto(new Uint32Array(capacity), this.ends);
      this.stepwise = copyInto(new Uint8Array(capacity), this.stepwise);
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
    this.units = copyInto(new Uint16Array(capacity), this.units);
  }
}

/** The last piece that starts at or before `position`. */
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

export function copyInto<Numbers extends Uint8Array | Uint16Array | Uint32Array>(
  larger: Numbers,
  numbers: Numbers,
): Numbers {
  larger.set(numbers);
  return larger;
}
