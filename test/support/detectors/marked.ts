import type { Span } from '../../../libs/contracts/src/text.js';

export interface Marked {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** `a «b» c` → `a b c`, and where `b` stands in it. */
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
