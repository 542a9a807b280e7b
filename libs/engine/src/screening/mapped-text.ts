import type { Span } from '../../../contracts/src/span.js';

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

/** Builds a mapped text piece by piece, in typed arrays that grow: a megabyte of text costs no million of objects. */
export class MappedTextBuilder {
  private units: Uint16Array;
  private starts: Uint32Array;
  private ends: Uint32Array;
  private length = 0;

  constructor(expectedLength: number) {
    this.units = new Uint16Array(expectedLength + 16);
    this.starts = new Uint32Array(expectedLength + 16);
    this.ends = new Uint32Array(expectedLength + 16);
  }

  /** The last unit, or -1 at the beginning. */
  get lastUnit(): number {
    return this.length === 0 ? -1 : (this.units[this.length - 1] ?? -1);
  }

  /** Every unit of `text` came from `[start, end)` as a whole. */
  push(text: string, start: number, end: number): void {
    this.reserve(text.length);
    for (let index = 0; index < text.length; index++) {
      this.put(text.charCodeAt(index), start, end);
    }
  }

  /** `source[start, end)` unchanged, unit by unit. */
  copy(source: string, start: number, end: number): void {
    this.reserve(end - start);
    for (let index = start; index < end; index++) this.put(source.charCodeAt(index), index, index + 1);
  }

  /** What came after the last unit belongs to it as well: a run that became one space. */
  extendLast(end: number): void {
    if (this.length > 0) this.ends[this.length - 1] = end;
  }

  build(): MappedText {
    const { starts, ends } = this;
    const text = Buffer.from(this.units.buffer, 0, this.length * 2).toString('utf16le');
    return {
      text,
      toOriginal([start, end]) {
        if (start >= end) return [starts[start] ?? 0, starts[start] ?? 0];
        let first = Infinity;
        let last = 0;
        for (let index = start; index < end; index++) {
          first = Math.min(first, starts[index] ?? first);
          last = Math.max(last, ends[index] ?? last);
        }
        return [first, last];
      },
    };
  }

  private put(unit: number, start: number, end: number): void {
    this.units[this.length] = unit;
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.length += 1;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.units.length) return;
    const capacity = Math.max(this.length + more, this.units.length * 2);
    this.units = grown(this.units, new Uint16Array(capacity));
    this.starts = grown(this.starts, new Uint32Array(capacity));
    this.ends = grown(this.ends, new Uint32Array(capacity));
  }
}

function grown<Numbers extends Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
