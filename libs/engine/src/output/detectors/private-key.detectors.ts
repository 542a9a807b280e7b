import type { Span } from '#contracts/text.js';
import { TokenDetector, UnboundedDetector } from './pattern-detector.js';

const FIRST_LINE = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Line breaks, also written as `\n`, and characters that enclose or continue a line of code. */
const BETWEEN_LINES = String.raw`(?:\\[nr]|[\s"'+,>|*\\])*`;
const HEADER = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\r\n]{0,200}`;
const LAST_LINE = String.raw`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`;
const BODY = new RegExp(`(?:${BETWEEN_LINES}(?:${HEADER}|[A-Za-z0-9+/=]{16,}))*`, 'y');
const CLOSING = new RegExp(`(?:${BETWEEN_LINES}[A-Za-z0-9+/=]{1,80})?${BETWEEN_LINES}${LAST_LINE}`, 'y');
const OPEN_END = new RegExp(`(?:${BETWEEN_LINES}[A-Za-z0-9+/=]{1,80})?${BETWEEN_LINES}$`, 'y');
const LINE_END = /[ \t"']*(?:[\r\n]|\\[nr]|$)/y;
/** The second part of a body line that was cut. */
const CUT_LINE = /[A-Za-z0-9+/=]{0,80}/y;
/** The second part of a last line that was cut. */
const CUT_LAST_LINE = /-{0,5}(?:END )?[A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?)?-----/y;

/** Private keys in PEM, from the first line to the last line, or to the first text that is no part of a key. */
class PrivateKeyDetector extends UnboundedDetector {
  override readonly name = 'private_key';
  override readonly kind = 'secret_redaction';
  override readonly crossesBlankLines = true;
  override readonly requires = 'value';
  override readonly hints = ['PRIVATE KEY'];

  override find(text: string): readonly Span[] {
    if (!text.includes('PRIVATE KEY')) return [];
    const spans: Span[] = [];
    for (const { index, 0: line } of text.matchAll(FIRST_LINE)) {
      if (index < (spans.at(-1)?.[1] ?? 0)) continue;
      const lineEnd = index + line.length;
      // A first line in the middle of a sentence, without a body, is not a key.
      if (endOf(BODY, text, lineEnd) > lineEnd || endsLine(text, lineEnd)) {
        spans.push([index, endOfKey(text, lineEnd)]);
      }
    }
    return spans;
  }

  override continuation(next: string): number {
    const line = endOf(CUT_LINE, next, 0);
    const end = endOfKey(next, line);
    return end > line ? end : endOfKey(next, 0) || endOf(CUT_LAST_LINE, next, 0);
  }
}

function endOfKey(text: string, start: number): number {
  const body = endOf(BODY, text, start);
  return endOf(CLOSING, text, body) || endOf(OPEN_END, text, body) || body;
}

function endsLine(text: string, at: number): boolean {
  LINE_END.lastIndex = at;
  return LINE_END.test(text);
}

/** The end of a sticky match, or 0. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

export const privateKeyDetector: UnboundedDetector = new PrivateKeyDetector();

/** `-----BEGIN ` in base64, and the constant first bytes of PKCS #8, PKCS #1, SEC 1 and OpenSSH keys. */
const ENCODED_KEY = new RegExp(
  String.raw`(?<![A-Za-z0-9+/=])(?:LS0tLS1CRUdJTi|MII[A-Za-z0-9+/]{3}(?:IBADANBgkqhkiG9w0BAQEFAASC|IBAAKC[AQg])|` +
    String.raw`MHcCAQEEI|MIG[A-Za-z0-9+/]AgEAMBMGByqGSM49|MC4CAQAwBQYDK2V[wu]BCIEI|b3BlbnNzaC1rZXktdjE)` +
    String.raw`[A-Za-z0-9+/]{20,}(?:(?:\r?\n|\\n)[ \t]{0,8}[A-Za-z0-9+/]{40,})*(?:(?:\r?\n|\\n)?[A-Za-z0-9+/]{0,80}={1,2})?`,
);
const ENCODED_FIRST_LINE = 'LS0tLS1CRUdJTi';

/** A private key in base64: the PEM text encoded once more, or the body of a PEM text without its first line. */
export const encodedPrivateKeyDetector = new TokenDetector(
  'private_key',
  'secret_redaction',
  ENCODED_KEY,
  /[A-Za-z0-9+/=\r\n\\]*/,
  ['LS0tLS1C', 'MII', 'MHcC', 'MIG', 'MC4C', 'b3Bl'],
  (token) => !token.startsWith(ENCODED_FIRST_LINE) || atob(token.slice(0, 80)).includes('PRIVATE KEY'),
);
