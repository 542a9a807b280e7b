import { looksDrawn } from './entropy.js';
import { PatternDetector, type Accepts } from './pattern-detector.js';

const SAYS_SECRET =
  /^(?:password|passwd|passphrase|pass|pwd|pw|secret|token|apikey|credential|passwort|kennwort|passe|contraseña|clave|senha|пароль|密码|密碼|パスワード)$/;
/** A key is secret by what it is a key to. */
const KEY_TO_SOMETHING =
  /^(?:api|access|account|auth|client|encryption|master|private|secret|shared|signing|storage)$/;
const NAME =
  /\p{L}[\p{L}\p{N}_.-]*(?: \p{L}[\p{L}\p{N}_.-]*){0,2}["'`]?[ \t]{0,3}(?::=|=>|==?|:|：|\bis)[ \t]{0,3}["'`]?$/u;
const BETWEEN_WORDS = /[_\-. ]+|(?<=[a-z0-9])(?=[A-Z])/;
/** A name in the place of a value. */
const STANDS_FOR_ANOTHER = /^(?:\$|%[A-Z_0-9]+%?$)|^(?:your|my|the)[_-]|^[A-Z_]+$/i;

const SPEAKS_OF_SECRETS =
  /pass|pwd|\bpw\b|secret|token|key|credential|kennwort|contraseña|clave|senha|пароль|密码|密碼|パスワード|bearer/i;

function speaksOfSecrets(text: string): boolean {
  return SPEAKS_OF_SECRETS.test(text);
}

/** `api_key = "…"`, `DB_PASSWORD: …`, `the password is …`: a value that looks drawn behind a name that says what it is. */
const isBehindSuchName: Accepts = (found, before) => {
  const [name] = NAME.exec(before) ?? [];
  if (name === undefined || STANDS_FOR_ANOTHER.test(found) || !looksDrawn(found)) return false;
  const words = name
    .replace(/["'`]?[ \t]*(?:[:：=]=?>?|is)[ \t]*["'`]?$/, '')
    .split(BETWEEN_WORDS)
    .map((word) => word.toLowerCase());
  const last = words.at(-1) ?? '';
  return SAYS_SECRET.test(last) || (last === 'key' && words.some((word) => KEY_TO_SOMETHING.test(word)));
};

export const assignedSecretDetector = new PatternDetector(
  'assigned_secret',
  'secret_redaction',
  /(?<=[:=：][ \t]{0,3}["'`]?|[=]>[ \t]{0,3}["'`]?|\bis[ \t]{1,3}["'`]?)(?:(?![&.,;:!?](?:["'`\s]|$))[A-Za-z0-9_\-./+=~!@#$%^*?]|&(?![A-Za-z_]{1,30}=)){8,512}/,
  { needs: speaksOfSecrets, accepts: isBehindSuchName },
);

/** `Authorization: Bearer …`, and `token …`. */
export const bearerTokenDetector = new PatternDetector(
  'bearer_token',
  'secret_redaction',
  /\b(?:bearer|token)[ \t]{1,3}(?<value>[A-Za-z0-9_\-./+=~]{20,1000})/i,
  { needs: speaksOfSecrets, accepts: looksDrawn },
);

/** `Authorization: Basic …`: a user and a password, and anybody can read them. */
export const basicCredentialsDetector = new PatternDetector(
  'basic_credentials',
  'secret_redaction',
  /\bbasic[ \t]{1,3}(?<value>[A-Za-z0-9+/]{8,500}={0,2})/i,
  { accepts: (found) => found.length % 4 === 0 && /^[^\p{Cc}:]*:[^\p{Cc}]*$/u.test(atob(found)) },
);

/** `curl -u user:password`, `mysql -ppassword`. */
export const commandLineSecretDetector = new PatternDetector(
  'command_line_secret',
  'secret_redaction',
  /[ \t](?:(?:-u|--user)[ \t]{1,3}[A-Za-z0-9_.@-]{1,64}:|-p(?=[^\s"']{0,64}\d))(?<value>[^\s"'$<:]{6,128})/,
  { hints: [' -u', ' --user', ' -p'], accepts: (found) => /[A-Za-z]/.test(found) && /\d/.test(found) },
);
