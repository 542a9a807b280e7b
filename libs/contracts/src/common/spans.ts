/** The two units of places in a text, and the only conversions between them. */

/** `[start, end)` in UTF-16 units, as in JavaScript strings: in the engine, and of screeners and detectors. */
export type Utf16Span = readonly [start: number, end: number] & { readonly unit?: 'utf16' };

/** `[start, end)` in UTF-8 bytes: in records and on the wire. */
export type ByteSpan = readonly [start: number, end: number] & { readonly unit?: 'bytes' };

/** An edge inside a surrogate pair moves behind the pair; a lone surrogate counts three bytes, like the U+FFFD that replaces it. */
export function byteSpans(text: string, spans: readonly Utf16Span[]): readonly ByteSpan[] {
  const bytes = convertedEdges(text, spans.flat(), 'utf16');
  return spans.map(([start, end]): ByteSpan => [bytes.get(start) ?? 0, bytes.get(end) ?? 0]);
}

/** An edge inside a character moves behind it, and one behind the text to its end. */
export function utf16Spans(text: string, spans: readonly ByteSpan[]): readonly Utf16Span[] {
  const units = convertedEdges(text, spans.flat(), 'bytes');
  return spans.map(([start, end]): Utf16Span => [units.get(start) ?? 0, units.get(end) ?? 0]);
}

/** Each edge in the other unit, in one pass over the text. */
function convertedEdges(
  text: string,
  edges: readonly number[],
  unit: 'utf16' | 'bytes',
): ReadonlyMap<number, number> {
  const converted = new Map<number, number>();
  let [index, bytes] = [0, 0];
  for (const edge of [...new Set(edges)].toSorted((one, other) => one - other)) {
    while (index < text.length && (unit === 'utf16' ? index : bytes) < edge) {
      const code = text.codePointAt(index) ?? 0;
      index += code > 0xffff ? 2 : 1;
      bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    }
    converted.set(edge, unit === 'utf16' ? bytes : index);
  }
  return converted;
}
