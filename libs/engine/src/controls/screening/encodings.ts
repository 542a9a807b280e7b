import { gunzipSync, inflateSync } from 'node:zlib';
import { decodeMatches, type Decoded } from '../../text/decoded-parts.js';

const BLOB = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

const MAX_BLOBS = 32;

/** Programs that wrap blobs fill lines of at least this length. */
const WRAPPED_LINE = 40;

const LINE_BREAK = /^\r?\n(?=[A-Za-z0-9+/_-]+={0,2}(?:[\r\n]|$))/;

/** Base64 and base64url that decode to readable text, also compressed, or wrapped over several lines. */
export function* base64(text: string): Iterable<Decoded> {
  if (text.search(BLOB) === -1) return;
  const inflation = new Inflation();
  let blobs = 0;
  let [decodedTo, joinedTo] = [0, 0];
  for (const { 0: line, index } of text.matchAll(BLOB)) {
    if (index < decodedTo) continue;
    // Lines that do not form a blob together are not joined again. This keeps the search linear.
    const whole = line.length < WRAPPED_LINE || index < joinedTo ? line : wrappedBlob(text, index, line);
    joinedTo = Math.max(joinedTo, index + whole.length);
    for (const encoded of whole === line ? [line] : [whole, line]) {
      const decoded = readable(inflation.of(Buffer.from(encoded, 'base64')));
      if (decoded === null) continue;
      yield { start: index, end: index + encoded.length, text: decoded };
      decodedTo = index + encoded.length;
      blobs += 1;
      break;
    }
    if (blobs === MAX_BLOBS) return;
  }
}

/** The blob with the lines that continue it: each line but the last is long. */
function wrappedBlob(text: string, start: number, line: string): string {
  let end = start + line.length;
  let length = line.length;
  while (length >= WRAPPED_LINE) {
    const [gap] = LINE_BREAK.exec(text.slice(end, end + 256)) ?? [];
    if (gap === undefined) break;
    const [next = ''] =
      /^[A-Za-z0-9+/_-]+={0,2}/.exec(text.slice(end + gap.length, end + gap.length + 256)) ?? [];
    if (next === '') break;
    length = next.length;
    end += gap.length + next.length;
  }
  return text.slice(start, end);
}

/** Limits what the compressed parts of one text expand to. */
class Inflation {
  private left = 65_536;

  /** The uncompressed bytes, or the given ones where they are not compressed with gzip or zlib. */
  of(bytes: Buffer): Buffer {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const isZlib = bytes[0] === 0x78 && ((bytes[0] << 8) | (bytes[1] ?? 0)) % 31 === 0;
    if ((!isGzip && !isZlib) || this.left === 0) return bytes;
    try {
      const inflated = (isGzip ? gunzipSync : inflateSync)(bytes, { maxOutputLength: this.left });
      this.left -= inflated.length;
      return inflated;
    } catch {
      return bytes;
    }
  }
}

/** Base32 of at least ten bytes. */
const BASE32 = /(?<![A-Za-z0-9])[A-Z2-7]{16,}={0,6}(?![A-Za-z0-9=])/g;

const BASE32_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function base32(text: string): Iterable<Decoded> {
  return decodeMatches(text, BASE32, (encoded) => {
    const bytes = Buffer.alloc(Math.floor((encoded.replace(/=+$/, '').length * 5) / 8));
    let [bits, held, at] = [0, 0, 0];
    for (const digit of encoded) {
      if (at === bytes.length) break;
      held = ((held << 5) | BASE32_DIGITS.indexOf(digit)) & 0xfff;
      bits += 5;
      if (bits < 8) continue;
      bits -= 8;
      bytes[at++] = (held >> bits) & 0xff;
    }
    return readable(bytes);
  });
}

/** At least four bytes of eight binary digits. */
const BINARY_BYTES = /(?<![0-9])(?:[01]{8}[ ,]{0,2}){4,}(?![0-9])/g;

export function binary(text: string): Iterable<Decoded> {
  return decodeMatches(text, BINARY_BYTES, (encoded) =>
    readable(Uint8Array.from(encoded.match(/[01]{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))),
  );
}

/** At least eight character codes in decimal, as in `105 103 110`. */
const DECIMAL_BYTES = /(?<![\w.])\d{2,3}(?:[ ,;]{1,2}\d{2,3}){7,}(?!\w)/g;

export function decimal(text: string): Iterable<Decoded> {
  return decodeMatches(text, DECIMAL_BYTES, (encoded) => {
    const codes = (encoded.match(/\d+/g) ?? []).map(Number);
    return codes.every((code) => code <= 255) ? readable(Uint8Array.from(codes)) : null;
  });
}

/**
 * Escapes of programming languages: bytes as `\x69` and `\151`, code points as `\u0069`, `\u{69}`,
 * `\U00000069`, `U+0069`.
 */
const ESCAPES =
  /(?:\\x[0-9a-fA-F]{2}|\\[0-3][0-7]{2})+|\\u\{[0-9a-fA-F]{1,6}\}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\b[uU]\+[0-9a-fA-F]{4,6}\b(?: (?=[uU]\+))?/g;

export function escapes(text: string): Iterable<Decoded> {
  return decodeMatches(text, ESCAPES, (escaped) => {
    if (/^\\[x0-3]/.test(escaped)) {
      const codes = escaped.match(/x[0-9a-f]{2}|[0-3][0-7]{2}/gi) ?? [];
      return Buffer.from(
        codes.map((code) =>
          code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8),
        ),
      ).toString();
    }
    const code = Number.parseInt(escaped.replaceAll(/[^0-9a-f]/gi, ''), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : null;
  });
}

/** At least seven bytes, with or without prefixes as in `0x69 0x67` and `\x69\x67`. */
const HEX_BYTES = /(?:(?:0x|\\x)?[0-9a-f]{2}(?:, |[ :,])?){7,}/gi;

const MARKS = /0x|\\x|[ :,]/gi;

export function hex(text: string): Iterable<Decoded> {
  return decodeMatches(text, HEX_BYTES, (encoded) =>
    readable(Buffer.from(encoded.replaceAll(MARKS, ''), 'hex')),
  );
}

const PERCENT_BYTES = /(?:%[0-9a-f]{2})+/gi;

/** Percent-encoding as in URLs. */
export function percent(text: string): Iterable<Decoded> {
  return decodeMatches(text, PERCENT_BYTES, (encoded) =>
    Buffer.from(encoded.replaceAll('%', ''), 'hex').toString(),
  );
}

const REFERENCE =
  /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|lt|gt|amp|quot|apos|nbsp|shy|colon|period|excl|num|lowbar|sol);?/gi;

/** Percent-encoding, a reference or an escape. Except `U+…`, each begins with `%`, `&` or a backslash. */
export const MARKED = new RegExp(
  [PERCENT_BYTES, REFERENCE, ESCAPES].map(({ source }) => source).join('|'),
  'i',
);

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  colon: ':',
  period: '.',
  excl: '!',
  num: '#',
  lowbar: '_',
  sol: '/',
};

/** HTML character references: numeric ones and the names that are common in text. */
export function entities(text: string): Iterable<Decoded> {
  return decodeMatches(text, REFERENCE, (reference) => {
    const name = reference.replace(/^&/, '').replace(/;$/, '').toLowerCase();
    if (!name.startsWith('#')) return NAMED[name] ?? null;
    const codePoint = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : null;
  });
}

const lenient = new TextDecoder();
const strict = new TextDecoder('utf-8', { fatal: true });

const UNPRINTABLE = /[\p{Cc}\p{Cn}\p{Co}\uFFFD]/gu;
const WHITE_SPACE = /\s/g;

/** Decodes UTF-8. Returns `null` if it is invalid or more than a tenth of it is not printable. */
function readable(bytes: Uint8Array) {
  const text = lenient.decode(bytes);
  const unprintable = text.replaceAll(WHITE_SPACE, '').match(UNPRINTABLE)?.length ?? 0;
  if (text === '' || unprintable * 10 > text.length) return null;
  // An error is slow, so most bytes that are not text are rejected above.
  return !text.includes('\uFFFD') || isUtf8(bytes) ? text : null;
}

function isUtf8(bytes: Uint8Array) {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
