import type { Redactor } from '../ports.js';
import { takeCodePoints } from '../../../contracts/src/text.js';

/** Code points behind a cut that are looked at as well: room for the longest secret that a detector knows. */
export const LONGEST_SECRET = 32_768;

/**
 * What may be kept of the first `limit` code points. It is redacted before it is cut: half a secret, as a cut would
 * leave it, is found by no detector, and is often enough for whoever finds it.
 */
export function redactedHead(text: string, limit: number, redactor: Redactor): string {
  const end = takeCodePoints(text, limit).head.length;
  let clean = '';
  let from = 0;
  for (const { span, replacement } of redactor.redact(text).edits) {
    if (span[0] >= end) break;
    clean += text.slice(from, span[0]) + replacement;
    from = span[1];
  }
  return clean + text.slice(from, Math.max(from, end));
}
