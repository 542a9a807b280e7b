import type { Utf16Span } from '#contracts/common/spans.js';
import { endOf, matchAt, NextMatch } from '../../../text/next-match.js';
import { BuiltInDetector, PatternDetector, TokenDetector, UnboundedDetector } from './pattern-detector.js';
import { contentsOf } from './text-traits.js';
import { isMixed, vendorTokens } from './vendor-tokens.js';
import { VENDOR_TOKENS } from './vendor-tokens.data.js';

/** What names a secret. Any letters can stand before a password: `PGPASSWORD`. */
const LABEL =
  /password|passwd|pass(?:phrase|wort|e|)|pwd|pw|secret(?:_key_base)?|token|apikey|key|credential|kennwort|contraseña|clave|senha|пароль|密码|密碼|パスワード/gi;
const PASSWORD = /^passw/i;
const KEY = /^key$/i;
/** What a `key` is for, if it is a secret, with at most one word between them. */
const KEY_PURPOSE =
  /(?:^|[^a-z]|(?<=[a-z])(?=[A-Z]))(?:api|access|account|auth|client|encryption|master|private|secret|shared|signing|storage)(?:[_.\- ]?[a-z0-9]{1,12})?[_.\- ]?$/i;
/** What a `token` or a `key` is for, if it is no secret. */
const OTHER_PURPOSE = /(?:page|next|continuation|sync|cursor|pagination)[_.\- ]{0,2}$/i;
/** What a value can follow. After a word in a table, a list or an element it must look more like a secret. */
const SEPARATOR =
  /["'`]?\]?(?:[ \t]{0,3}(?::=|=>|==?|:|：|\bis(?=[ \t]))[ \t]{0,3}["'`]?|["'`]?[ \t]{0,20}\|[ \t]{0,20}["'`]?|,(?:[ \t]?["'`])?(?=\S)|[ \t]{1,3}value[ \t]?=[ \t]?["']|>|[ \t]{1,3}["']?)/iy;
const ASSIGNMENT = /[:=：]|is[ \t]/i;
/** An option, or a user in `.netrc`, before the name of a value that follows without a separator. */
const OPTION = /(?:^|\s)--?[\w-]{0,32}$|\blogin[ \t]{1,3}\S{1,64}[ \t]{1,3}$/;
const MAX_NAME = 48;

const VALUE = /(?:(?![&.,;:!?](?:["'`\s]|$))[A-Za-z0-9_\-./+=~!@#$%^*?]|&(?![A-Za-z_]{1,30}=))+/y;
const MIN_VALUE = 8;
/** The shortest value that needs no capitals, and the shortest that needs no separator: `secret access key …`. */
const MIN_LONG_VALUE = 16;
const MIN_KEY = 32;
const MAX_VALUE = 512;

/** A variable, a property, a sample, or words with a number. */
const REFERENCE =
  /^(?:\$|%[A-Z_0-9]+%?$)|^(?:your|replace|insert)|^(?:my|the)[_-]|^[A-Z_]+$|^[A-Z_$]\w{0,32}(?:\.[A-Z_$]\w{0,32}){1,8}$|^[A-Z]+(?:[_-][A-Z]+)+[_-]?v?\d{0,2}$/i;
/** A name of a type: `Uint8Array`. */
const TYPE = /^[A-Z][A-Za-z]{0,40}\d{1,3}(?:[A-Z][a-z]{1,20}){1,4}$/;
/** Passwords of documentation. */
const PLACEHOLDER =
  /^(?:[$<{%*.]|(?:my|your|db|the)?[_-]?(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|admin|postgres|guest|root|user(?:name)?|changeme|example|x+)\d{0,3}$)/i;

/** `api_key = "…"`, `DB_PASSWORD: …`, `the password is …`, `| token | … |`: a generated value after a name of a secret. */
class AssignedSecretDetector extends BuiltInDetector {
  override readonly name = 'assigned_secret';
  override readonly kind = 'secret_redaction';
  override readonly requires = 'label';

  override find(text: string) {
    const spans: Utf16Span[] = [];
    const digits = new NextMatch(/\d/g, text);
    // Several labels can stand in one value, which is read once.
    let valueEnd = 0;
    LABEL.lastIndex = 0;
    for (let label = LABEL.exec(text); label !== null; label = LABEL.exec(text)) {
      const nameEnd = LABEL.lastIndex;
      const start = endOf(SEPARATOR, text, nameEnd);
      if (start < 0) continue;
      if (start >= valueEnd) valueEnd = Math.max(start, endOf(VALUE, text, start));
      const end = Math.min(valueEnd, start + MAX_VALUE);
      if (end - start < MIN_VALUE || digits.from(start) >= end) continue;
      const before = text.slice(Math.max(0, label.index - MAX_NAME), label.index);
      if (!isSecretName(before, label[0])) continue;
      if (!isSecretValue(text.slice(start, end), text.slice(nameEnd, start), before)) continue;
      // A call, or a sample such as `<password>@host`.
      const next = text.charAt(end);
      if (next === '(' || (text.charAt(start - 1) === '>' && next !== '<')) continue;
      spans.push([start, end]);
      LABEL.lastIndex = end;
    }
    return spans;
  }
}

function isSecretName(before: string, label: string) {
  if (OTHER_PURPOSE.test(before)) return false;
  if (KEY.test(label)) return KEY_PURPOSE.test(before);
  const isOneWord = /\p{L}$/u.test(before) && !(/[a-z]$/.test(before) && /^[A-Z]/.test(label));
  return !isOneWord || PASSWORD.test(label);
}

function isSecretValue(value: string, separator: string, before: string) {
  if (!looksRandom(value) || [REFERENCE, TYPE, PLACEHOLDER].some((sample) => sample.test(value)))
    return false;
  if (ASSIGNMENT.test(separator)) return true;
  const hasBothCases = /[A-Z]/.test(value) && /[a-z]/.test(value);
  if (separator.trim() !== '') return hasBothCases || value.length >= MIN_LONG_VALUE;
  return OPTION.test(before) ? !value.startsWith('-') : hasBothCases && value.length >= MIN_KEY;
}

/** Commands whose option `-p` or `-a` is a password, up to the password. Those of MySQL have no blank before it. */
const LOGIN =
  /\b(?:(?:mysql|mariadb)[^\n|;&]{0,40}-p|(?:mongo|ldap|redis-cli|(?:docker|podman|helm|oc|az)[^\n|;&]{0,20} login)[^\n|;&]{0,40}-[pa][ \t]{0,3})["']?$/;

const KEY_FIRST_LINE = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Line breaks, also written as `\n`, and characters that enclose or continue a line of code. */
const BETWEEN_LINES = String.raw`(?:\\[nr]|[\s"'+,>|*\\])*`;
const KEY_HEADER = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\r\n]{0,200}`;
const KEY_LAST_LINE = String.raw`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`;
const KEY_BODY = new RegExp(`(?:${BETWEEN_LINES}(?:${KEY_HEADER}|[A-Za-z0-9+/=]{16,}))*`, 'y');
const KEY_CLOSING = new RegExp(
  `(?:${BETWEEN_LINES}[A-Za-z0-9+/=]{1,80})?${BETWEEN_LINES}${KEY_LAST_LINE}`,
  'y',
);
const OPEN_KEY_END = new RegExp(`(?:${BETWEEN_LINES}[A-Za-z0-9+/=]{1,80})?${BETWEEN_LINES}$`, 'y');
const LINE_END = /[ \t"']*(?:[\r\n]|\\[nr]|$)/y;
/** The second part of a body line that was cut. */
const CUT_KEY_LINE = /[A-Za-z0-9+/=]{0,80}/y;
/** The second part of a last line that was cut. */
const CUT_KEY_LAST_LINE = /-{0,5}(?:END )?[A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?)?-----/y;

/** Private keys in PEM, from the first line to the last line, or to the first text that is not a part of a key. */
class PrivateKeyDetector extends UnboundedDetector {
  override readonly name = 'private_key';
  override readonly kind = 'secret_redaction';
  override readonly crossesBlankLines = true;
  override readonly requires = 'private_key';

  override find(text: string) {
    if (!text.includes('PRIVATE KEY')) return [];
    const spans: Utf16Span[] = [];
    for (const { index, 0: line } of text.matchAll(KEY_FIRST_LINE)) {
      if (index < (spans.at(-1)?.[1] ?? 0)) continue;
      const lineEnd = index + line.length;
      // A first line in the middle of a sentence, without a body, is not a key.
      if (matchAt(KEY_BODY, text, lineEnd) !== '' || endOf(LINE_END, text, lineEnd) > 0) {
        spans.push([index, endOfKey(text, lineEnd)]);
      }
    }
    return spans;
  }

  override continuation(next: string) {
    const line = matchAt(CUT_KEY_LINE, next, 0).length;
    const end = endOfKey(next, line);
    return end > line ? end : endOfKey(next, 0) || matchAt(CUT_KEY_LAST_LINE, next, 0).length;
  }
}

function endOfKey(text: string, start: number) {
  const body = endOf(KEY_BODY, text, start);
  return body + (matchAt(KEY_CLOSING, text, body) || matchAt(OPEN_KEY_END, text, body)).length;
}

/** `-----BEGIN ` in base64, and the constant first bytes of PKCS #8, PKCS #1, SEC 1 and OpenSSH keys. */
const ENCODED_KEY = new RegExp(
  String.raw`(?<![A-Za-z0-9+/=])(?:LS0tLS1CRUdJTi|MII[A-Za-z0-9+/]{3}(?:IBADANBgkqhkiG9w0BAQEFAASC|IBAAKC[AQg])|` +
    String.raw`MHcCAQEEI|MIG[A-Za-z0-9+/]AgEAMBMGByqGSM49|MC4CAQAwBQYDK2V[wu]BCIEI|b3BlbnNzaC1rZXktdjE)` +
    String.raw`[A-Za-z0-9+/]{20,}(?:(?:\r?\n|\\n)[ \t]{0,8}[A-Za-z0-9+/]{40,})*(?:(?:\r?\n|\\n)?[A-Za-z0-9+/]{0,80}={1,2})?`,
);
const ENCODED_FIRST_LINE = 'LS0tLS1CRUdJTi';

/** The forms of one name in the table of tokens. */
export class VendorTokenDetector extends BuiltInDetector {
  override readonly kind = 'secret_redaction';

  constructor(override readonly name: string) {
    super();
  }

  override find(text: string, until?: number): readonly Utf16Span[] {
    return vendorTokens(text, contentsOf(text).tokens, until)
      .filter(({ name }) => name === this.name)
      .map(({ span }) => span);
  }
}

/** Specific before general. */
export const secretDetectors: readonly BuiltInDetector[] = [
  new PrivateKeyDetector(),

  // A private key in base64: the PEM text encoded once more, or the body of a PEM text without its first line.
  new TokenDetector(
    'private_key',
    'secret_redaction',
    ENCODED_KEY,
    /[A-Za-z0-9+/=\r\n\\]*/,
    'encoded_key',
    (token) => !token.startsWith(ENCODED_FIRST_LINE) || atob(token.slice(0, 80)).includes('PRIVATE KEY'),
  ),

  // `scheme://user:password@host`.
  new PatternDetector(
    'connection_string',
    'secret_redaction',
    /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,128}:[^\s@/]{1,256}@[^\s?#<>"'`[\]()]{1,255}/,
    {
      requires: 'credentials',
      accepts: (found) => {
        const [, user = '', password = ''] = /\/\/([^:]*):(.*)@/.exec(found) ?? [];
        return password !== user && !PLACEHOLDER.test(password) && !/^[A-Z_]+$/.test(password);
      },
    },
  ),

  // Two parts in base64url that begin like JSON objects, and a signature. A first part of 500 characters is enough.
  new TokenDetector(
    'jwt',
    'secret_redaction',
    /(?<![A-Za-z0-9_-])eyJ(?:[A-Za-z0-9_-]{5,}\.eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?|[A-Za-z0-9_-]{500,})/,
    /[A-Za-z0-9_.-]*/,
    'jwt',
  ),
  ...Array.from(new Set(VENDOR_TOKENS.map(([name]) => name)), (name) => new VendorTokenDetector(name)),

  // Macaroons of Fly, one or more separated by commas, of any length.
  new TokenDetector(
    'fly_token',
    'secret_redaction',
    /(?<![A-Za-z0-9])(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=_-]{20,}(?:,fm[12][ar]?_[A-Za-z0-9+/=_-]{20,})*/,
    /[A-Za-z0-9+/=_,-]*/,
    'fly_token',
  ),

  // The signature of a shared access link.
  new PatternDetector(
    'azure_shared_access',
    'secret_redaction',
    /[?&]sig=(?<value>[A-Za-z0-9%+/=]{40,120})/,
    { requires: 'shared_access' },
  ),

  // `Authorization: Bearer …`, and `token …`.
  new PatternDetector(
    'bearer_token',
    'secret_redaction',
    /\b(?:bearer|token)[ \t]{1,3}(?<value>[A-Za-z0-9_\-./+=~]{20,1000})/i,
    {
      requires: 'bearer',
      accepts: (found, before) => looksRandom(found) && !OTHER_PURPOSE.test(before.replace(/\w+\s+$/, '')),
    },
  ),

  // `Authorization: Basic …`, which contains a user and a password in base64.
  new PatternDetector(
    'basic_credentials',
    'secret_redaction',
    /\bbasic[ \t]{1,3}(?<value>[A-Za-z0-9+/]{8,500}={0,2})/i,
    {
      requires: 'basic',
      accepts: (found) => found.length % 4 === 0 && /^[^\p{Cc}:]*:[^\p{Cc}]*$/u.test(atob(found)),
    },
  ),

  // `sshpass -p password`, with or without quotes.
  new PatternDetector(
    'command_line_secret',
    'secret_redaction',
    /\bsshpass[ \t]{1,3}-p[ \t]{0,3}(?:'(?=[^'\n]{3,128}')|"(?=[^"$\n]{3,128}"))?(?<value>(?<=')[^'\n]{3,128}|(?<=")[^"\n]{3,128}|[^\s"'$<{%[*][^\s"']{2,127})/,
    {
      requires: 'sshpass',
      accepts: (found) => !/^(?:your|my|the)[_ -]?/i.test(found) && !PLACEHOLDER.test(found),
    },
  ),

  // `curl -u user:password`, `mysql -ppassword`, `docker login -p password`.
  new PatternDetector(
    'command_line_secret',
    'secret_redaction',
    /[ \t](?:(?:-u|--user)[ \t]{1,3}[A-Za-z0-9_.@-]{1,64}:|-[pa][ \t]{0,3}["']?)(?<value>[^\s"'$<:]{6,128})/,
    {
      requires: 'option',
      accepts: (found, before) =>
        looksRandom(found) && !PLACEHOLDER.test(found) && (before.endsWith(':') || LOGIN.test(before)),
    },
  ),
  new AssignedSecretDetector(),
];

/** Units of a text that show whether it is random, and how many of them differ. Words have more repetitions. */
const SAMPLE = 64;
const MIN_DISTINCT = 7;

/** Whether a text looks generated: letters and digits mixed, with few repetitions at its beginning or at its end. */
function looksRandom(text: string) {
  const isVaried = (part: string) =>
    new Set(part.split('').map((unit) => unit.charCodeAt(0) & 127)).size >= MIN_DISTINCT;
  return isMixed(text) && (isVaried(text.slice(0, SAMPLE)) || isVaried(text.slice(-SAMPLE)));
}
