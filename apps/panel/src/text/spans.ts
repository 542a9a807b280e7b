import { utf16Spans, type ByteSpan } from '#client/index.js';

/** A stretch of text that the same spans cover, by their numbers. */
interface Segment {
  readonly text: string;
  readonly covered: readonly number[];
}

/** Splits a text at the borders of its spans, which may overlap. */
export function segments(text: string, spans: readonly ByteSpan[]): readonly Segment[] {
  const placed = utf16Spans(text, spans);
  const borders = [...new Set([0, text.length, ...placed.flat()])].toSorted((a, b) => a - b);
  return borders.slice(0, -1).map((start, number) => {
    const end = borders[number + 1] ?? text.length;
    return {
      text: text.slice(start, end),
      covered: placed.flatMap(([from, to], index) => (from <= start && to >= end ? [index] : [])),
    };
  });
}

/** The text of each span. */
export function byteSlices(text: string, spans: readonly ByteSpan[]): readonly string[] {
  return utf16Spans(text, spans).map((span) => text.slice(...span));
}
