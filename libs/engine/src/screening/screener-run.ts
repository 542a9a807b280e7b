import type { Screener, ScreeningContext } from '../../../contracts/src/screening.js';
import type { Span } from '../../../contracts/src/text.js';
import { MOST_SPANS } from '../patterns/linear-regex.js';

/**
 * Asks a host's screener, within a time limit. What cannot be trusted (an error, a time-out, spans that are
 * none) rejects: it must count as could-not-judge.
 */
export async function runScreener(
  screener: Screener,
  text: string,
  context: ScreeningContext,
  timeoutMs: number,
): Promise<readonly Span[]> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The screener took longer than ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    const spans: unknown = await Promise.race([screener.screen(text, context), overdue]);
    return checked(spans, text.length);
  } finally {
    clearTimeout(timer);
  }
}

function checked(spans: unknown, length: number): readonly Span[] {
  if (!Array.isArray(spans)) throw new TypeError('The screener did not return a list of spans.');
  return spans.map((span: unknown) => checkedSpan(span, length)).slice(0, MOST_SPANS);
}

function checkedSpan(span: unknown, length: number): Span {
  const [start, end] = (Array.isArray(span) ? span : []) as readonly unknown[];
  if (!Number.isInteger(start) || !Number.isInteger(end))
    throw new TypeError('The screener returned a span that is not a pair of integers.');
  const [first, last] = [start as number, end as number];
  if (first < 0 || last < first || last > length)
    throw new RangeError(`The span [${first}, ${last}) is outside the text of ${length} UTF-16 units.`);
  return [first, last];
}
