import type { Span } from '#contracts/text.js';
import {
  BuiltInDetector,
  looksRandom,
  PatternDetector,
  Runs,
  TokenDetector,
  UnboundedDetector,
} from './pattern-detector.js';

const SECRET_WORDS =
  'password|passwd|passphrase|pass|pwd|pw|secret|token|apikey|credential|passwort|kennwort|passe|contraseña|clave|senha|пароль|密码|密碼|パスワード';
const SECRET_WORD = new RegExp(`^(?:${SECRET_WORDS})$`);
/** A name that ends in `key` names a secret if it contains one of these words. */
const KEY_PURPOSE =
  /^(?:api|access|account|auth|client|encryption|master|private|secret|shared|signing|storage)$/;
const SEPARATOR = String.raw`["'\x60]?[ \t]{0,3}(?::=|=>|==?|:|：|\bis)[ \t]{0,3}["'\x60]?`;
/** Both are read backwards from a place. */
const NAME = new RegExp(
  String.raw`(?<=(\p{L}[\p{L}\p{N}_.-]*(?: \p{L}[\p{L}\p{N}_.-]*){0,2})${SEPARATOR})`,
  'uy',
);
const SECRET_OR_KEY = new RegExp(`(?<=(?:${SECRET_WORDS}|key)${SEPARATOR})`, 'iy');
const WORD_BORDER = /[_\-. ]+|(?<=[a-z0-9])(?=[A-Z])/;
/** A variable or a sample value. */
const REFERENCE = /^(?:\$|%[A-Z_0-9]+%?$)|^(?:your|my|the)[_-]|^[A-Z_]+$/i;

const MENTIONS_SECRETS =
  /pass|pwd|\bpw\b|secret|token|key|credential|kennwort|contraseña|clave|senha|пароль|密码|密碼|パスワード|bearer/i;

function mentionsSecrets(text: string): boolean {
  return MENTIONS_SECRETS.test(text);
}

/** What separates a name and a value. */
const ASSIGNMENT = /(?:=>[ \t]{0,3}|[:=：][ \t]{0,3}|\bis[ \t]{1,3})["'`]?/g;
const VALUE = /(?:(?![&.,;:!?](?:["'`\s]|$))[A-Za-z0-9_\-./+=~!@#$%^*?]|&(?![A-Za-z_]{1,30}=))+/y;
const MIN_VALUE = 8;
const MAX_VALUE = 512;
const MAX_NAME = 48;

/** `api_key = "…"`, `DB_PASSWORD: …`, `the password is …`: a generated value after a name of a secret. */
class AssignedSecretDetector extends BuiltInDetector {
  override readonly name = 'assigned_secret';
  override readonly kind = 'secret_redaction';
  override readonly requires = 'value';

  override find(text: string): readonly Span[] {
    if (!mentionsSecrets(text)) return [];
    const spans: Span[] = [];
    const runs = new Runs(text, VALUE);
    ASSIGNMENT.lastIndex = 0;
    while (ASSIGNMENT.test(text)) {
      const start = ASSIGNMENT.lastIndex;
      const end = Math.min(runs.endOf(start), start + MAX_VALUE);
      if (end - start < MIN_VALUE || !runs.hasDigit(start, end)) continue;
      if (!isSecretNameBefore(text, start) || !isSecretValue(text.slice(start, end))) continue;
      spans.push([start, end]);
      ASSIGNMENT.lastIndex = end;
    }
    return spans;
  }
}

function isSecretValue(value: string): boolean {
  return looksRandom(value) && !REFERENCE.test(value);
}

function isSecretNameBefore(text: string, at: number): boolean {
  SECRET_OR_KEY.lastIndex = at;
  if (!SECRET_OR_KEY.test(text)) return false;
  const before = text.slice(Math.max(0, at - MAX_NAME), at);
  NAME.lastIndex = before.length;
  const [, name] = NAME.exec(before) ?? [];
  if (name === undefined) return false;
  const words = name.split(WORD_BORDER).map((word) => word.toLowerCase());
  const last = words.at(-1) ?? '';
  return SECRET_WORD.test(last) || (last === 'key' && words.some((word) => KEY_PURPOSE.test(word)));
}

export const assignedSecretDetector: BuiltInDetector = new AssignedSecretDetector();

/** `Authorization: Bearer …`, and `token …`. */
export const bearerTokenDetector = new PatternDetector(
  'bearer_token',
  'secret_redaction',
  /\b(?:bearer|token)[ \t]{1,3}(?<value>[A-Za-z0-9_\-./+=~]{20,1000})/i,
  { requires: 'value', needs: (text) => /bearer|token/i.test(text), accepts: looksRandom },
);

/** `Authorization: Basic …`, which contains a user and a password in base64. */
export const basicCredentialsDetector = new PatternDetector(
  'basic_credentials',
  'secret_redaction',
  /\bbasic[ \t]{1,3}(?<value>[A-Za-z0-9+/]{8,500}={0,2})/i,
  {
    requires: 'value',
    accepts: (found) => found.length % 4 === 0 && /^[^\p{Cc}:]*:[^\p{Cc}]*$/u.test(atob(found)),
  },
);

/** `curl -u user:password`, `mysql -ppassword`. */
export const commandLineSecretDetector = new PatternDetector(
  'command_line_secret',
  'secret_redaction',
  /[ \t](?:(?:-u|--user)[ \t]{1,3}[A-Za-z0-9_.@-]{1,64}:|-p(?=[^\s"']{0,64}\d))(?<value>[^\s"'$<:]{6,128})/,
  { requires: 'word', hints: ['-u', '-p'], accepts: (found) => /[A-Za-z]/.test(found) && /\d/.test(found) },
);

/** `sshpass -p password`, with or without quotes. */
export const sshpassDetector = new PatternDetector(
  'command_line_secret',
  'secret_redaction',
  /\bsshpass[ \t]{1,3}-p[ \t]{0,3}(?:'(?=[^'\n]{3,128}')|"(?=[^"$\n]{3,128}"))?(?<value>(?<=')[^'\n]{3,128}|(?<=")[^"\n]{3,128}|[^\s"'$<{%[*][^\s"']{2,127})/,
  {
    requires: 'word',
    hints: ['sshpass'],
    accepts: (found) => !/^(?:your|my|the)[_ -]?|^pass(?:word|wd)?$|^(?:x+|\.+|\*+)$/i.test(found),
  },
);

/** `scheme://user:password@host`. */
export const connectionStringDetector = new PatternDetector(
  'connection_string',
  'secret_redaction',
  /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,128}:[^\s@/]{1,256}@[^\s?#<>"'`[\]()]{1,255}/,
  { requires: 'value', hints: ['://'], needs: (text) => text.includes('@') },
);

/** Two parts in base64url that begin like JSON objects, and a signature. A first part of 500 characters is enough. */
export const jwtDetector = new TokenDetector(
  'jwt',
  'secret_redaction',
  /(?<![A-Za-z0-9_-])eyJ(?:[A-Za-z0-9_-]{5,}\.eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?|[A-Za-z0-9_-]{500,})/,
  /[A-Za-z0-9_.-]*/,
  ['eyJ'],
);

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
  override readonly requires = 'value';
  override readonly hints = ['PRIVATE KEY'];

  override find(text: string): readonly Span[] {
    if (!text.includes('PRIVATE KEY')) return [];
    const spans: Span[] = [];
    for (const { index, 0: line } of text.matchAll(KEY_FIRST_LINE)) {
      if (index < (spans.at(-1)?.[1] ?? 0)) continue;
      const lineEnd = index + line.length;
      // A first line in the middle of a sentence, without a body, is not a key.
      if (endOf(KEY_BODY, text, lineEnd) > lineEnd || endsLine(text, lineEnd)) {
        spans.push([index, endOfKey(text, lineEnd)]);
      }
    }
    return spans;
  }

  override continuation(next: string): number {
    const line = endOf(CUT_KEY_LINE, next, 0);
    const end = endOfKey(next, line);
    return end > line ? end : endOfKey(next, 0) || endOf(CUT_KEY_LAST_LINE, next, 0);
  }
}

function endOfKey(text: string, start: number): number {
  const body = endOf(KEY_BODY, text, start);
  return endOf(KEY_CLOSING, text, body) || endOf(OPEN_KEY_END, text, body) || body;
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
