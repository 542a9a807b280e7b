import type { Span } from '#contracts/common/text.js';

/** A text derived from another one, with a mapping back to it. Spans are in UTF-16 units. */
export interface MappedText {
  readonly text: string;
  /** The span of the other text that contains every unit from which this span was derived. */
  readonly toOriginal: (span: Span) => Span;
  readonly pieces: Pieces;
}

/** The identity mapping. */
export function unmapped(text: string): MappedText {
  return { text, toOriginal: (span) => span, pieces: Pieces.identity };
}

/** Composes two mappings: `inner` was derived from `outer.text`. */
export function mappedThrough(inner: MappedText, outer: MappedText): MappedText {
  if (outer.pieces === Pieces.identity) return inner;
  if (inner.pieces === Pieces.identity) return { ...outer, text: inner.text };
  return mapped(inner.text, inner.pieces.through(outer.pieces));
}

function mapped(text: string, pieces: Pieces): MappedText {
  return { text, toOriginal: (span) => pieces.spanOf(span), pieces };
}

const NO_UNITS = new Uint16Array(0);
const NO_PLACES = new Uint32Array(0);
const NO_MARKS = new Uint8Array(0);

/**
 * The pieces of a mapped text, ascending: where each begins, its range in the source, and whether it is unit by unit. Without
 * any, the text is the source.
 */
class Pieces {
  static readonly identity = new Pieces(NO_PLACES, NO_PLACES, NO_PLACES, NO_MARKS, 0, 0);

  /** The piece that was read last, because most reads are in ascending order. */
  private last = 0;

  constructor(
    private readonly begins: Uint32Array,
    private readonly starts: Uint32Array,
    private readonly ends: Uint32Array,
    /** 1 for a piece with one unit for each unit of its range. */
    private readonly stepwise: Uint8Array,
    private readonly count: number,
    /** Of the mapped text. */
    private readonly length: number,
  ) {}

  /** The start of the range from which a unit was derived. */
  startOf(index: number): number {
    if (this.count === 0) return index;
    const piece = this.pieceAt(index);
    const offset = this.stepwise[piece] === 1 ? index - (this.begins[piece] ?? 0) : 0;
    return (this.starts[piece] ?? 0) + offset;
  }

  spanOf([start, end]: Span): Span {
    if (start >= end) {
      const place = this.startOf(start);
      return [place, place];
    }
    let first = Infinity;
    let last = 0;
    for (let piece = this.pieceAt(start); piece < this.count; piece++) {
      const begin = this.begins[piece] ?? 0;
      if (begin >= end) break;
      const origin = this.starts[piece] ?? 0;
      const isStepwise = this.stepwise[piece] === 1;
      first = Math.min(first, isStepwise ? origin + Math.max(0, start - begin) : origin);
      last = Math.max(
        last,
        isStepwise ? Math.min(this.ends[piece] ?? 0, origin + end - begin) : (this.ends[piece] ?? 0),
      );
    }
    return [first, last];
  }

  /** The pieces of the same text with their ranges in the source of `outer`, of whose text these are the pieces. */
  through(outer: Pieces): Pieces {
    const all = new PieceList();
    for (let piece = 0; piece < this.count; piece++) {
      const begin = this.begins[piece] ?? 0;
      const start = this.starts[piece] ?? 0;
      const end = this.ends[piece] ?? 0;
      if (this.stepwise[piece] === 1) outer.addRange(all, begin, start, end);
      else all.add(begin, outer.spanOf([start, end]), false);
    }
    return all.build(this.length);
  }

  /** Adds what the units `[start, end)` of this text were derived from, as pieces from `begin`. */
  private addRange(all: PieceList, begin: number, start: number, end: number): void {
    for (let piece = this.pieceAt(start); piece < this.count; piece++) {
      const own = this.begins[piece] ?? 0;
      if (own >= end) break;
      const from = Math.max(start, own);
      const isStepwise = this.stepwise[piece] === 1;
      const origin = this.starts[piece] ?? 0;
      const next = piece + 1 < this.count ? (this.begins[piece + 1] ?? 0) : this.length;
      all.add(
        begin + from - start,
        isStepwise
          ? [origin + from - own, origin + Math.min(end, next) - own]
          : [origin, this.ends[piece] ?? 0],
        isStepwise,
      );
    }
  }

  /** The last piece that begins at or before `index`. */
  private pieceAt(index: number): number {
    const { begins, count } = this;
    let piece = this.last;
    const far = piece + FEW < count ? (begins[piece + FEW] ?? 0) : Infinity;
    if (index >= far || (begins[piece] ?? 0) > index) {
      piece = 0;
      let high = count - 1;
      while (piece < high) {
        const middle = (piece + high + 1) >> 1;
        if ((begins[middle] ?? 0) <= index) piece = middle;
        else high = middle - 1;
      }
    } else while (piece + 1 < count && (begins[piece + 1] ?? 0) <= index) piece += 1;
    this.last = piece;
    return piece;
  }
}

/** Pieces that are passed one by one. */
const FEW = 8;

/** Collects pieces in growing typed arrays. */
class PieceList {
  private begins = NO_PLACES;
  private starts = NO_PLACES;
  private ends = NO_PLACES;
  private stepwise = NO_MARKS;
  private count = 0;

  /** Extends the last piece where both are unit by unit and adjacent in the source. */
  add(begin: number, [start, end]: Span, isStepwise: boolean): void {
    const last = this.count - 1;
    if (
      isStepwise &&
      last >= 0 &&
      this.stepwise[last] === 1 &&
      this.ends[last] === start &&
      (this.starts[last] ?? 0) + begin - (this.begins[last] ?? 0) === start
    ) {
      this.ends[last] = end;
      return;
    }
    if (this.count === this.begins.length) {
      const capacity = Math.max(16, this.count * 2);
      this.begins = copyInto(new Uint32Array(capacity), this.begins);
      this.starts = copyInto(new Uint32Array(capacity), this.starts);
      this.ends = copyInto(new Uint32Array(capacity), this.ends);
      this.stepwise = copyInto(new Uint8Array(capacity), this.stepwise);
    }
    this.begins[this.count] = begin;
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.stepwise[this.count] = isStepwise ? 1 : 0;
    this.count += 1;
  }

  /** Extends the source range of the last unit of a text of `length` units to `end`. */
  extendLast(length: number, end: number): void {
    const last = this.count - 1;
    if (last < 0) return;
    const first = this.begins[last] ?? 0;
    if (this.stepwise[last] === 1 && length - first > 1) {
      const start = (this.starts[last] ?? 0) + length - first - 1;
      this.ends[last] = start;
      this.add(length - 1, [start, end], false);
      return;
    }
    this.stepwise[last] = 0;
    this.ends[last] = end;
  }

  build(length: number): Pieces {
    return new Pieces(this.begins, this.starts, this.ends, this.stepwise, this.count, length);
  }
}

/** Builds a mapped text from parts. A range that is copied unit by unit is one piece of any length. */
export class MappedTextBuilder {
  private units = NO_UNITS;
  private length = 0;
  private readonly pieces = new PieceList();

  /** Allocates nothing before the first write, because most texts contain nothing to decode. */
  constructor(private readonly expectedLength: number) {}

  /** The last unit, or -1 if nothing was written. */
  get lastUnit(): number {
    return this.length === 0 ? -1 : (this.units[this.length - 1] ?? -1);
  }

  /** Appends `text`, all of which was derived from `[start, end)`. */
  push(text: string, start: number, end: number): void {
    if (text === '') return;
    this.pieces.add(this.length, [start, end], text.length === 1 && end - start === 1);
    this.reserve(text.length);
    for (let index = 0; index < text.length; index++) this.units[this.length++] = text.charCodeAt(index);
  }

  /** Appends `source[start, end)` unchanged. */
  copy(source: string, start: number, end: number): void {
    if (end <= start) return;
    this.pieces.add(this.length, [start, end], true);
    this.reserve(end - start);
    for (let index = start; index < end; index++) this.units[this.length++] = source.charCodeAt(index);
  }

  /** Appends one unit for each unit of `[start, end)`. */
  copyUnits(units: Uint16Array, start: number, end: number): void {
    this.pieces.add(this.length, [start, end], true);
    this.reserve(end - start);
    this.units.set(units.subarray(0, end - start), this.length);
    this.length += end - start;
  }

  /** Extends the source range of the last unit to `end`, for example when white space is collapsed. */
  extendLast(end: number): void {
    this.pieces.extendLast(this.length, end);
  }

  build(): MappedText {
    const text = Buffer.from(this.units.buffer, 0, this.length * 2).toString('utf16le');
    return mapped(text, this.pieces.build(this.length));
  }

  private reserve(more: number): void {
    if (this.length + more <= this.units.length) return;
    const capacity = Math.max(this.length + more, this.units.length * 2, this.expectedLength);
    this.units = copyInto(new Uint16Array(capacity), this.units);
  }
}

export function copyInto<Numbers extends Uint8Array | Uint16Array | Uint32Array>(
  larger: Numbers,
  numbers: Numbers,
): Numbers {
  larger.set(numbers);
  return larger;
}
