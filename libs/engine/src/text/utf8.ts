import type { Span } from '#contracts/text.js';

/** Bytes of the text in UTF-8. A lone surrogate counts three, like the U+FFFD that replaces it. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

/** Converts a span of UTF-16 units to UTF-8 bytes. An edge inside a surrogate pair moves behind the pair. */
export function utf8Span(text: string, span: Span): Span {
  return utf8Spans(text, [span])[0] ?? span;
}

/** Converts many spans, in any order, in one pass over the text. */
export function utf8Spans(text: string, spans: readonly Span[]): readonly Span[] {
  if (spans.every(([, end]) => end === 0)) return spans;
  const edges = [...new Set(spans.flat())].toSorted((one, other) => one - other);
  const bytes = new Map<number, number>();
  let position = 0;
  let counted = 0;
  for (const edge of edges) {
    const end = isInsidePair(text, edge) ? edge + 1 : edge;
    if (end > position) counted += Buffer.byteLength(text.slice(position, end));
    position = Math.max(position, end);
    bytes.set(edge, counted);
  }
  return spans.map(([start, end]): Span => [bytes.get(start) ?? 0, bytes.get(end) ?? 0]);
}

/** Counts code points; a lone surrogate counts as one. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index++) {
    if (isInsidePair(text, index)) {
      pairs += 1;
      index += 1;
    }
  }
  return text.length - pairs;
}

function isInsidePair(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index - 1)) && isLowSurrogate(text.charCodeAt(index));
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
