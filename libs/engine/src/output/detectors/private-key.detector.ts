import { Detector } from '../../../../contracts/src/output.js';
import type { Span } from '../../../../contracts/src/span.js';

const BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** What a key is written in, also where its line breaks are written as `\n`. */
const BODY = /[A-Za-z0-9+/=\s\\:,.-]*/y;

/** Private keys in PEM, from the first line to the last; one that breaks off, to where it stops looking like one. */
class PrivateKeyDetector extends Detector {
  override readonly name = 'private_key';
  override readonly kind = 'secret_redaction';

  override find(text: string): readonly Span[] {
    const ends = Array.from(text.matchAll(ENDS), ({ index, 0: line }) => index + line.length);
    const spans: Span[] = [];
    let next = 0;
    for (const { index, 0: line } of text.matchAll(BEGINS)) {
      if (index < (spans.at(-1)?.[1] ?? 0)) continue;
      while ((ends[next] ?? Infinity) <= index) next++;
      spans.push([index, ends[next] ?? endOfBody(text, index + line.length)]);
    }
    return spans;
  }
}

function endOfBody(text: string, start: number): number {
  BODY.lastIndex = start;
  BODY.test(text);
  return Math.max(start, BODY.lastIndex);
}

export const privateKeyDetector: Detector = new PrivateKeyDetector();
