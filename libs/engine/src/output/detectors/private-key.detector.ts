import type { Span } from '../../../../contracts/src/text.js';
import { EndlessDetector } from './endless-detector.js';

const BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Line breaks, also written as `\n`, and what encloses or continues a line of code. */
const BETWEEN = String.raw`(?:\\[nr]|[\s"'+,>|*\\])*`;
const HEADER = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\r\n]{0,200}`;
const END = String.raw`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`;
const BODY = new RegExp(`(?:${BETWEEN}(?:${HEADER}|[A-Za-z0-9+/=]{16,}))*`, 'y');
const LAST = new RegExp(`(?:${BETWEEN}[A-Za-z0-9+/=]{1,80})?${BETWEEN}${END}`, 'y');
const OPEN_END = new RegExp(`(?:${BETWEEN}[A-Za-z0-9+/=]{1,80})?${BETWEEN}$`, 'y');
const LINE_END = /[ \t"']*(?:[\r\n]|\\[nr]|$)/y;
/** Where a line of it was cut in two. */
const CUT_LINE = /[A-Za-z0-9+/=]{0,80}/y;
/** Where a closing line was cut in two, its second part alone. */
const CUT_END = /-{0,5}(?:END )?[A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?)?-----/y;

/** Private keys in PEM: from the first line to the last, or to where it stops looking like one. */
class PrivateKeyDetector extends EndlessDetector {
  override readonly name = 'private_key';
  override readonly kind = 'secret_redaction';
  override readonly crossesBlankLines = true;

  override find(text: string): readonly Span[] {
    const spans: Span[] = [];
    for (const { index, 0: line } of text.matchAll(BEGINS)) {
      if (index < (spans.at(-1)?.[1] ?? 0)) continue;
      const end = endOfKey(text, index + line.length);
      // In the middle of a sentence the first line alone is only spoken of.
      if (
        endAt(BODY, text, index + line.length) > index + line.length ||
        endsLine(text, index + line.length)
      ) {
        spans.push([index, end]);
      }
    }
    return spans;
  }

  override rest(next: string): number {
    const line = endAt(CUT_LINE, next, 0);
    const end = endOfKey(next, line);
    return end > line ? end : endOfKey(next, 0) || endAt(CUT_END, next, 0);
  }
}

function endOfKey(text: string, start: number): number {
  const body = endAt(BODY, text, start);
  return endAt(LAST, text, body) || endAt(OPEN_END, text, body) || body;
}

function endsLine(text: string, at: number): boolean {
  LINE_END.lastIndex = at;
  return LINE_END.test(text);
}

/** 0 where the pattern does not match. */
function endAt(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

export const privateKeyDetector: EndlessDetector = new PrivateKeyDetector();
