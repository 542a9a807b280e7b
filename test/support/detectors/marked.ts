import type { Utf16Span } from '#contracts/common/spans.js';

export interface Marked {
  readonly text: string;
  readonly spans: readonly Utf16Span[];
}

/** Returns `a b c` and the span of `b` for `a «b» c`. */
export function unmarked(marked: string): Marked {
  const spans: Utf16Span[] = [];
  let text = '';
  let start = 0;
  for (const part of marked.replaceAll('·', '').split(/([«»])/)) {
    if (part === '«') start = text.length;
    else if (part === '»') spans.push([start, text.length]);
    else text += part;
  }
  return { text, spans };
}
