import type { Utf16Span } from '#contracts/common/spans.js';
import { endOf } from '../../../text/next-match.js';
import { BuiltInDetector, isNumbered, PatternDetector } from './pattern-detector.js';

/** `icon@2x.png` is a file name. */
const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|tsx?|json|html?|md|txt|xml|ya?ml|zip)$/i;

const MAX_LOCAL_PART = 256;
/** Read backwards from the `@`. */
const LOCAL_PART = /(?<=(?<![\p{L}\p{N}._%+-])([\p{L}\p{N}._%+-]{1,256}))/uy;
const DOMAIN = /@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/uy;

/** A user before a password: `https://user:password@host`. */
const USER = /:\/\/[^\s/@]{1,64}:\$?$/;

const ASCII_LOCAL_PART = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[A-Za-z0-9._%+-]/.test(String.fromCharCode(code))),
);

/** Where the local part before an `@` begins; the place of the `@` if there is none. */
function startOfLocalPart(text: string, at: number) {
  let start = at;
  while (start > at - MAX_LOCAL_PART && ASCII_LOCAL_PART[text.charCodeAt(start - 1)] === 1) start--;
  // Most addresses are ASCII, and the expression is much slower.
  if (start > at - MAX_LOCAL_PART && !(text.charCodeAt(start - 1) >= 128)) return start;
  LOCAL_PART.lastIndex = at;
  return at - (LOCAL_PART.exec(text)?.[1] ?? '').length;
}

/** Accepts letters of every script, because addresses are international. Reads only around each `@`. */
class EmailDetector extends BuiltInDetector {
  override readonly name = 'email';
  override readonly kind = 'pii_redaction';
  override readonly requires = 'at_sign';

  override find(text: string, until = text.length) {
    const spans: Utf16Span[] = [];
    let read = 0;
    for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
      const end = endOf(DOMAIN, text, at);
      if (end < 0) continue;
      const start = startOfLocalPart(text, at);
      const span: Utf16Span = [start, end];
      if (start === at || start < read) continue;
      if (span[0] >= until) break;
      const found = text.slice(...span);
      if (
        FILE_NAME.test(found) ||
        USER.test(text.slice(Math.max(0, start - 72), start)) ||
        (found.startsWith('git@') && /[:/]/.test(text.charAt(end)))
      )
        continue;
      spans.push(span);
      read = end;
    }
    return spans;
  }
}

const PHONE_WORDS =
  'tel|tél|phone|mobile|mobil|móvil|cell|handy|fax|call|ring|dial|sms|whatsapp|tel[eé]f[oó]no?|telefone?|telefonu|t[eé]l[eé]phone|celular|UK';

/** Words before four numbers with dots that are a version or a chapter. */
const VERSION_WORD = /(?:\bv|\bversion|\brelease|\bsection|\bchapter|§)[ .]?$/i;
/** Private, shared, loopback, link-local, documentation, multicast and reserved networks do not identify a person. */
const SPECIAL_IPV4 =
  /^(?:0|10|127|22[4-9]|23\d|24\d|25[0-5]|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|192\.0\.[02]|198\.1[89]|198\.51\.100|203\.0\.113)\./;
/** Loopback, unique local, link-local, multicast and documentation networks. */
const SPECIAL_IPV6 =
  /^(?:::|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|ff[0-9a-f]{2}:|2001:0?db8:|3fff:0?[0-9a-f]{0,3}:)/i;

const COLON = 0x3a;
const ONE_COLON_OUTSIDE = /^:[^:]|[^:]:$/;

/** Eight groups, or three to seven around one `::`. Two groups are usually a name in C++. */
function isCompleteIpv6(found: string) {
  let groups = 0;
  let gaps = 0;
  for (let place = 0; place < found.length; place++) {
    const isFirst = place === 0 || found.charCodeAt(place - 1) === COLON;
    if (found.charCodeAt(place) !== COLON) groups += isFirst ? 1 : 0;
    else if (isFirst && place > 0) gaps++;
  }
  if (gaps === 1 ? groups < 3 || groups > 7 : gaps > 1 || groups !== 8) return false;
  return !ONE_COLON_OUTSIDE.test(found);
}

export const emailDetector: BuiltInDetector = new EmailDetector();

export const contactDetectors: readonly BuiltInDetector[] = [
  // `+44 20 7946 0018`, `0044 …`: 7 to 15 digits with the usual separators.
  new PatternDetector(
    'phone',
    'pii_redaction',
    /(?<![\w+.-])(?:\+[1-9]|00[1-9]\d{1,2}[ -](?=\d))(?:(?:[ .\-/\u00a0\u202f]|[ .\-/]?\(|\)[ .\-/]?)?\d){6,14}(?![ -]?\d)/,
    {
      requires: 'call_abroad',
      accepts: (found, before) => found.startsWith('+') || !isNumbered(before),
    },
  ),

  // `(415) 555-2671`, `415-555-2671`: the North American form. Without separators it would match ordinary numbers.
  new PatternDetector(
    'phone',
    'pii_redaction',
    /(?<![\w.+-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[.-])[2-9]\d{2}[.-]\d{4}(?![\w-])/,
    { requires: 'six_digits', accepts: (found, before) => found.includes('(') || !isNumbered(before) },
  ),

  // Nine to eleven digits in any groups, after a word such as `phone`.
  new PatternDetector(
    'phone',
    'pii_redaction',
    /(?<![\w.+-])\(?\d(?:(?:[ .\-/\u00a0\u202f]|\) ?)?\d){8,10}(?![\w-])/,
    {
      requires: 'six_digits',
      label: PHONE_WORDS,
    },
  ),
  new PatternDetector(
    'ipv4',
    'pii_redaction',
    /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w]|\.\d)/,
    {
      requires: 'dotted_number',
      accepts: (found, before) => !SPECIAL_IPV4.test(found) && !VERSION_WORD.test(before),
    },
  ),
  new PatternDetector(
    'ipv6',
    'pii_redaction',
    /(?<![\w:.])(?:[0-9A-Fa-f]{1,4}|(?=:))(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])/,
    {
      requires: 'colon',
      accepts: (found) => isCompleteIpv6(found) && !SPECIAL_IPV6.test(found),
    },
  ),
];
