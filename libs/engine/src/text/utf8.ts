import type { Span } from '#contracts/common/text.js';

/**
 * Converts spans of UTF-16 units, in any order, to UTF-8 bytes in one pass over the text. An edge inside a surrogate pair
 * moves behind the pair; a lone surrogate counts three bytes, like the U+FFFD that replaces it.
 */
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
