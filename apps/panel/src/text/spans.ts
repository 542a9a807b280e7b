/** A span of the API: offsets in UTF-8 bytes. */
type Span = readonly [start: number, end: number];

/** A stretch of text that the same spans cover, by their numbers. */
interface Segment {
  readonly text: string;
  readonly covered: readonly number[];
}

/** Splits a text at the borders of its spans, which may overlap. */
export function segments(text: string, spans: readonly Span[]): readonly Segment[] {
  const indexOf = indexes(text, new Set(spans.flat()));
  const placed = spans.map(([start, end]) => ({
    start: indexOf.get(start) ?? text.length,
    end: indexOf.get(end) ?? text.length,
  }));
  const borders = [
    ...new Set([0, text.length, ...placed.flatMap(({ start, end }) => [start, end])]),
  ].toSorted((a, b) => a - b);
  return borders.slice(0, -1).map((start, number) => {
    const end = borders[number + 1] ?? text.length;
    return {
      text: text.slice(start, end),
      covered: placed.flatMap((span, index) => (span.start <= start && span.end >= end ? [index] : [])),
    };
  });
}

/** The text of each span. */
export function byteSlices(text: string, spans: readonly Span[]): readonly string[] {
  const indexOf = indexes(text, new Set(spans.flat()));
  return spans.map(([start, end]) => text.slice(indexOf.get(start), indexOf.get(end)));
}

/** The index in the string of each wanted byte offset. */
function indexes(text: string, wanted: ReadonlySet<number>): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let offset = 0;
  let index = 0;
  for (const character of text) {
    if (wanted.has(offset)) found.set(offset, index);
    const code = character.codePointAt(0) ?? 0;
    offset += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += character.length;
  }
  return found.set(offset, index);
}
