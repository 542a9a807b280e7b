import type { Span } from '#contracts/common/text.js';

export interface Marked {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Returns `a b c` and the span of `b` for `a «b» c`. */
export function unmarked(marked: string): Marked {
  const spans: Span[] = [];
  let text = '';
  let start = 0;
  for (const part of marked.replaceAll('·', '').split(/([«»])/)) {
    if (part === '«') start = text.length;
    else if (part === '»') spans.push([start, text.length]);
    else text += part;
  }
  return { text, spans };
}
