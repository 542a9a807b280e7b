import type { Span } from '../../../contracts/src/span.js';

/** Bytes of the UTF-16 unit at `index`: a pair's four bytes count where it begins, a lone surrogate's three where it stands. */
function bytesAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (unit < 0xd800 || unit > 0xdfff) return 3;
  if (unit < 0xdc00) return isLow(text, index + 1) ? 4 : 3;
  return isHigh(text, index - 1) ? 0 : 3;
}

function isHigh(text: string, index: number): boolean {
  return index >= 0 && (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

function isLow(text: string, index: number): boolean {
  return index < text.length && (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}

function bytesBetween(text: string, start: number, end: number): number {
  let bytes = 0;
  for (let index = start; index < end; index++) bytes += bytesAt(text, index);
  return bytes;
}

/** Bytes of the text in UTF-8. A lone surrogate counts three, as the U+FFFD that is written for it. */
export function utf8Length(text: string): number {
  return bytesBetween(text, 0, text.length);
}

/** A span of UTF-16 units → the same span in UTF-8 bytes. An edge inside a surrogate pair moves behind the pair. */
export function utf8Span(text: string, [start, end]: Span): Span {
  const first = bytesBetween(text, 0, start);
  return [first, first + bytesBetween(text, start, end)];
}

/** Many spans, in any order, by one walk through the text. */
export function utf8Spans(text: string, spans: readonly Span[]): readonly Span[] {
  const edges = [...new Set(spans.flat())].toSorted((one, other) => one - other);
  const bytes = new Map<number, number>();
  let walked = 0;
  let counted = 0;
  for (const edge of edges) {
    counted += bytesBetween(text, walked, edge);
    walked = edge;
    bytes.set(edge, counted);
  }
  return spans.map(([start, end]): Span => [bytes.get(start) ?? 0, bytes.get(end) ?? 0]);
}
