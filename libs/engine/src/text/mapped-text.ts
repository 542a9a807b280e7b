/** The one text with positions: screening reads derived forms of a text, and the output handler edits one. */
import type { Utf16Span } from '#contracts/common/spans.js';

/** One replacement. Edits of a text are ascending and do not overlap. */
export interface Edit {
  readonly span: Utf16Span;
  readonly replacement: string;
}

const NO_UNITS = new Uint16Array(0);
const NO_PLACES = new Uint32Array(0);
const NO_MARKS = new Uint8Array(0);

/**
 * The pieces of a text, ascending: where each begins, its range in the original, and whether it has one unit for each unit of
 * its range. In typed arrays, because a text can have many. Empty pieces are left out.
 */
class Pieces {
  count = 0;
  begins = NO_PLACES;
  starts = NO_PLACES;
  ends = NO_PLACES;
  aligned = NO_MARKS;
  /** Whether they are in the order of the original. */
  isAscending = true;

  /** Extends the last piece where both are aligned and adjacent in the original. */
  add(begin: number, start: number, end: number, isAligned: boolean): void {
    const last = this.count - 1;
    if (last >= 0) {
      const lastStart = this.starts[last] ?? 0;
      const lastEnd = this.ends[last] ?? 0;
      const isAdjacent = lastEnd === start && lastStart + begin - (this.begins[last] ?? 0) === start;
      if (isAligned && this.aligned[last] === 1 && isAdjacent) {
        this.ends[last] = end;
        return;
      }
      if (start < lastStart || end < lastEnd) this.isAscending = false;
    }
    if (this.count === this.begins.length) this.grow();
    this.begins[this.count] = begin;
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.aligned[this.count] = isAligned ? 1 : 0;
    this.count += 1;
  }

  /** Extends the range of the last unit of a text of `length` units to `end`. */
  extendLast(length: number, end: number): void {
    const last = this.count - 1;
    if (last < 0) return;
    const first = this.begins[last] ?? 0;
    if (this.aligned[last] === 1 && length - first > 1) {
      const start = (this.starts[last] ?? 0) + length - first - 1;
      this.ends[last] = start;
      this.add(length - 1, start, end, false);
      return;
    }
    this.aligned[last] = 0;
    this.ends[last] = end;
  }

  /** The number of pieces before the first one with at least this beginning, start or end. */
  countBelow(ascending: Uint32Array, limit: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ascending[middle] ?? 0) < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private grow() {
    const capacity = Math.max(16, this.count * 2);
    this.begins = copyInto(new Uint32Array(capacity), this.begins);
    this.starts = copyInto(new Uint32Array(capacity), this.starts);
    this.ends = copyInto(new Uint32Array(capacity), this.ends);
    this.aligned = copyInto(new Uint8Array(capacity), this.aligned);
  }
}

const NO_PIECES = new Pieces();

/** A text that was derived from an original one, with the place in the original of each part. It does not change. */
export class MappedText {
  /** The piece that was read last, because most reads are in ascending order. */
  private last = 0;

  /** @param pieces without any, each unit is a unit of the original, and the last one ends at `originalEnd` */
  constructor(
    readonly text: string,
    private readonly pieces: Pieces,
    /** Where this text ends in the original. */
    readonly originalEnd: number,
  ) {}

  /** The original itself, or a text with one unit for each of its units. */
  static of(text: string): MappedText {
    return new MappedText(text, NO_PIECES, text.length);
  }

  static joined(parts: readonly MappedText[]): MappedText {
    const pieces = new Pieces();
    let length = 0;
    for (const part of parts) {
      part.copyPieces(pieces, length, 0, part.text.length);
      length += part.text.length;
    }
    return new MappedText(parts.map(({ text }) => text).join(''), pieces, parts.at(-1)?.originalEnd ?? 0);
  }

  /** The same text, mapped to the original of the text from which it was derived. */
  through(outer: MappedText): MappedText {
    if (outer.isUnmapped && outer.originalEnd === outer.text.length) return this;
    if (this.isUnmapped && this.text.length === outer.text.length)
      return new MappedText(this.text, outer.pieces, outer.originalEnd);
    const { count, begins, starts, ends, aligned } = this.pieces;
    const all = new Pieces();
    for (let piece = 0; piece < count; piece++) {
      const begin = begins[piece] ?? 0;
      const start = starts[piece] ?? 0;
      const end = ends[piece] ?? 0;
      if (aligned[piece] === 1) outer.copyPieces(all, begin, start, end);
      else {
        const [from, to] = outer.toOriginal([start, end]);
        all.add(begin, from, to, false);
      }
    }
    return new MappedText(this.text, all, outer.originalEnd);
  }

  /** The span of the original that contains every unit from which this span was derived. */
  toOriginal([start, end]: Utf16Span): Utf16Span {
    const { count, begins, isAscending } = this.pieces;
    const from = this.originalStart(start);
    if (start >= end) return [from, from];
    if (count === 0) return [from, end + this.shift];
    if (isAscending) return [from, this.endIn(this.pieceAt(end - 1), end)];
    let [first, last] = [Infinity, 0];
    for (let piece = this.pieceAt(start); piece < count; piece++) {
      const begin = begins[piece] ?? 0;
      if (begin >= end) break;
      first = Math.min(first, this.startIn(piece, Math.max(start, begin)));
      last = Math.max(last, this.endIn(piece, end));
    }
    return [first, last];
  }

  /** The place in the original before which all that is before this place was derived. */
  originalAt(place: number): number {
    return place < this.text.length ? this.originalStart(place) : this.originalEnd;
  }

  /** The start of the range of the original from which a unit was derived. */
  originalStart(index: number): number {
    return this.pieces.count === 0 ? index + this.shift : this.startIn(this.pieceAt(index), index);
  }

  /** Where this text has a span of the original. A removed span becomes empty. Only for texts in the order of the original. */
  placeOf([start, end]: Utf16Span): Utf16Span {
    const { count, begins, starts, ends, aligned } = this.pieces;
    const { length } = this.text;
    if (count === 0) {
      const from = Math.min(length, Math.max(0, start - this.shift));
      return [from, Math.max(from, Math.min(length, end - this.shift))];
    }
    const first = this.pieces.countBelow(ends, start + 1);
    const last = this.pieces.countBelow(starts, end) - 1;
    const within = aligned[first] === 1 ? Math.max(0, start - (starts[first] ?? 0)) : 0;
    const from = first === count ? length : (begins[first] ?? 0) + within;
    const behind = aligned[last] === 1 ? Math.max(0, (ends[last] ?? 0) - end) : 0;
    return [from, Math.max(from, last < 0 ? 0 : this.pieceEnd(last) - behind)];
  }

  /** Appends the next part of the original. */
  append(more: string): MappedText {
    if (more === '') return this;
    const end = this.originalEnd + more.length;
    if (this.isUnmapped) return new MappedText(this.text + more, NO_PIECES, end);
    const pieces = new Pieces();
    this.copyPieces(pieces, 0, 0, this.text.length);
    pieces.add(this.text.length, this.originalEnd, end, true);
    return new MappedText(this.text + more, pieces, end);
  }

  edited(edits: readonly Edit[]): MappedText {
    const parts: string[] = [];
    const pieces = new Pieces();
    let length = 0;
    let read = 0;
    const copyUntil = (end: number) => {
      if (end <= read) return;
      this.copyPieces(pieces, length, read, end);
      parts.push(this.text.slice(read, end));
      length += end - read;
    };
    for (const { span, replacement } of edits) {
      copyUntil(span[0]);
      read = span[1];
      if (replacement === '') continue;
      const [from, to] = this.toOriginal(span);
      pieces.add(length, from, to, false);
      parts.push(replacement);
      length += replacement.length;
    }
    copyUntil(this.text.length);
    return new MappedText(parts.join(''), pieces, this.originalEnd);
  }

  /** The part before `end`. */
  until(end: number): MappedText {
    return this.part(0, end, this.originalAt(end));
  }

  /** The part from `start` on. */
  from(start: number): MappedText {
    return this.part(start, this.text.length, this.originalEnd);
  }

  private part(start: number, end: number, originalEnd: number) {
    const pieces = this.isUnmapped || end <= start ? NO_PIECES : new Pieces();
    if (pieces !== NO_PIECES) this.copyPieces(pieces, 0, start, end);
    return new MappedText(this.text.slice(start, end), pieces, originalEnd);
  }

  /** The last place up to `limit` that is not inside a replacement, because a replacement is released as a whole. */
  partBefore(limit: number): number {
    if (this.isUnmapped) return limit;
    const piece = this.pieceAt(limit);
    const isInside = this.pieces.aligned[piece] === 0 && limit < this.pieceEnd(piece);
    return isInside ? (this.pieces.begins[piece] ?? 0) : limit;
  }

  /** The replacements, as edits of the original. */
  get edits(): readonly Edit[] {
    const { count, begins, starts, ends, aligned } = this.pieces;
    const edits: Edit[] = [];
    for (let piece = 0; piece < count; piece++) {
      if (aligned[piece] === 1) continue;
      const replacement = this.text.slice(begins[piece], this.pieceEnd(piece));
      edits.push({ span: [starts[piece] ?? 0, ends[piece] ?? 0], replacement });
    }
    return edits;
  }

  private get isUnmapped(): boolean {
    return this.pieces.count === 0;
  }

  /** What leads from a unit to its place in the original, without pieces. */
  private get shift(): number {
    return this.originalEnd - this.text.length;
  }

  private pieceEnd(piece: number) {
    return piece + 1 < this.pieces.count ? (this.pieces.begins[piece + 1] ?? 0) : this.text.length;
  }

  /** The place in the original of a unit of this piece. */
  private startIn(piece: number, index: number) {
    const { begins, starts, aligned } = this.pieces;
    return (starts[piece] ?? 0) + (aligned[piece] === 1 ? index - (begins[piece] ?? 0) : 0);
  }

  /** Where the units of this piece before `end` end in the original. */
  private endIn(piece: number, end: number) {
    const { begins, starts, ends, aligned } = this.pieces;
    const last = ends[piece] ?? 0;
    return aligned[piece] === 1 ? Math.min(last, (starts[piece] ?? 0) + end - (begins[piece] ?? 0)) : last;
  }

  /** Adds the pieces of the units `[start, end)` to those of a text, from `begin` on. */
  private copyPieces(to: Pieces, begin: number, start: number, end: number) {
    if (end <= start) return;
    const { count, begins, aligned } = this.pieces;
    if (count === 0) to.add(begin, start + this.shift, end + this.shift, true);
    for (let piece = this.pieceAt(start); piece < count; piece++) {
      if ((begins[piece] ?? 0) >= end) break;
      const from = Math.max(start, begins[piece] ?? 0);
      to.add(begin + from - start, this.startIn(piece, from), this.endIn(piece, end), aligned[piece] === 1);
    }
  }

  /** The last piece that begins at or before `index`. */
  private pieceAt(index: number) {
    const { begins, count } = this.pieces;
    let piece = this.last;
    const far = piece + FEW < count ? (begins[piece + FEW] ?? 0) : Infinity;
    if (index >= far || (begins[piece] ?? 0) > index)
      piece = Math.max(0, this.pieces.countBelow(begins, index + 1) - 1);
    else while (piece + 1 < count && (begins[piece + 1] ?? 0) <= index) piece += 1;
    this.last = piece;
    return piece;
  }
}

/** Pieces that are passed one by one. */
const FEW = 8;

const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

/** Builds a mapped text from parts. A range that is copied unit by unit is one piece of any length. */
export class MappedTextBuilder {
  private units = NO_UNITS;
  private length = 0;
  private readonly pieces = new Pieces();

  /** Allocates nothing before the first write, because most texts contain nothing to decode. */
  constructor(private readonly expectedLength: number) {}

  /** The last unit, or -1 if nothing was written. */
  get lastUnit(): number {
    return this.length === 0 ? -1 : (this.units[this.length - 1] ?? -1);
  }

  /** Appends `text`, all of which was derived from `[start, end)`; from one unit each if it is aligned. */
  push(text: string, start: number, end: number, isAligned = text.length === 1 && end - start === 1): void {
    if (text === '') return;
    this.pieces.add(this.length, start, end, isAligned);
    this.write(text, 0, text.length);
  }

  /** Appends `source[start, end)` unchanged. */
  copy(source: string, start: number, end: number): void {
    if (end <= start) return;
    this.pieces.add(this.length, start, end, true);
    this.write(source, start, end);
  }

  /** Appends one unit for each unit of `[start, end)`. */
  copyUnits(units: Uint16Array, start: number, end: number): void {
    this.pieces.add(this.length, start, end, true);
    this.reserve(end - start);
    this.units.set(units.subarray(0, end - start), this.length);
    this.length += end - start;
  }

  /** Extends the range of the last unit to `end`, for example when white space is collapsed. */
  extendLast(end: number): void {
    this.pieces.extendLast(this.length, end);
  }

  build(): MappedText {
    const { pieces } = this;
    const bytes = Buffer.from(this.units.buffer, 0, this.length * 2);
    const text = (IS_BIG_ENDIAN ? bytes.swap16() : bytes).toString('utf16le');
    return new MappedText(text, pieces, pieces.ends[pieces.count - 1] ?? 0);
  }

  private write(text: string, start: number, end: number) {
    this.reserve(end - start);
    for (let index = start; index < end; index++) this.units[this.length++] = text.charCodeAt(index);
  }

  private reserve(more: number) {
    if (this.length + more <= this.units.length) return;
    const capacity = Math.max(this.length + more, this.units.length * 2, this.expectedLength);
    this.units = copyInto(new Uint16Array(capacity), this.units);
  }
}

function copyInto<Numbers extends Uint8Array | Uint16Array | Uint32Array>(larger: Numbers, numbers: Numbers) {
  if (numbers.length > 0) larger.set(numbers);
  return larger;
}
