import type { Utf16Span } from '#contracts/common/spans.js';

/** Spans that the host found in a text. @throws if one is not inside the text */
export function checkedSpans(spans: readonly unknown[], { length }: string): readonly Utf16Span[] {
  return spans.map((span) => {
    const [start, end] = (Array.isArray(span) ? span : []) as readonly unknown[];
    if (!Number.isInteger(start) || !Number.isInteger(end))
      throw new TypeError('A screener or detector returned a span that is not a pair of integers.');
    const [first, last] = [start as number, end as number];
    if (first < 0 || last < first || last > length)
      throw new RangeError(`The span [${first}, ${last}) is outside the text of ${length} UTF-16 units.`);
    return [first, last];
  });
}
