import type { SettingValue } from '#contracts/settings/settings.schema.js';
import { MappedTextBuilder, type MappedText } from './mapped-text.js';

/** An encoded part of a text and its decoded form. */
interface Decoded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the whole text decoded, or `null` if nothing in it is encoded. */
export type DecodeView = (text: string) => MappedText | null;

/** Returns the encoded parts of a text in ascending order, without overlap. Linear in the text. */
type Decoder = (text: string) => Iterable<Decoded>;

/** Maximum number of parts per decoder and text. */
const MAX_PARTS = 100_000;

/** Decodes in place, so that a match can extend across the edges of encoded parts. */
function decodedView(text: string, decoder: Decoder): MappedText | null {
  const builder = new MappedTextBuilder(text.length);
  let copied = 0;
  let parts = 0;
  for (const part of decoder(text)) {
    builder.copy(text, copied, part.start);
    builder.push(part.text, part.start, part.end);
    copied = part.end;
    parts += 1;
    if (parts >= MAX_PARTS) break;
  }
  if (parts === 0) return null;
  builder.copy(text, copied, text.length);
  return builder.build();
}

function* decodeMatches(
  text: string,
  pattern: RegExp,
  decode: (encoded: string) => string | null,
): Iterable<Decoded> {
  for (const match of text.matchAll(pattern)) {
    const decoded = decode(match[0]);
    if (decoded !== null) yield { start: match.index, end: match.index + match[0].length, text: decoded };
  }
}

const BLOB = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

const MAX_BLOBS = 32;

/** Base64 and base64url that decode to readable text. */
function* base64(text: string): Iterable<Decoded> {
  let blobs = 0;
  for (const blob of decodeMatches(text, BLOB, (encoded) => readable(Buffer.from(encoded, 'base64')))) {
    yield blob;
    blobs += 1;
    if (blobs === MAX_BLOBS) return;
  }
}

/** At least seven bytes, with or without prefixes as in `0x69 0x67` and `\x69\x67`. */
const HEX_BYTES = /(?:(?:0x|\\x)?[0-9a-f]{2}[ :,]?){7,}/gi;

const MARKS = /0x|\\x|[ :,]/gi;

function hex(text: string): Iterable<Decoded> {
  return decodeMatches(text, HEX_BYTES, (encoded) =>
    readable(Buffer.from(encoded.replaceAll(MARKS, ''), 'hex')),
  );
}

const PERCENT_BYTES = /(?:%[0-9a-f]{2})+/gi;

/** Percent-encoding as in URLs. */
function percent(text: string): Iterable<Decoded> {
  return decodeMatches(text, PERCENT_BYTES, (encoded) =>
    Buffer.from(encoded.replaceAll('%', ''), 'hex').toString(),
  );
}

const REFERENCE =
  /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|lt|gt|amp|quot|apos|nbsp|shy|colon|period|excl|num|lowbar|sol);?/gi;

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
function entities(text: string): Iterable<Decoded> {
  return decodeMatches(text, REFERENCE, (reference) => {
    const name = reference.replace(/^&/, '').replace(/;$/, '').toLowerCase();
    if (!name.startsWith('#')) return NAMED[name] ?? null;
    const codePoint = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : null;
  });
}

const strict = new TextDecoder('utf-8', { fatal: true });

const UNPRINTABLE = /[\p{Cc}\p{Cn}\p{Co}\uFFFD]/gu;
const WHITE_SPACE = /\s/g;

/** Decodes UTF-8. Returns `null` if it is invalid or more than a tenth of it is not printable. */
function readable(bytes: Uint8Array): string | null {
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    return null;
  }
  const unprintable = text.replaceAll(WHITE_SPACE, '').match(UNPRINTABLE)?.length ?? 0;
  return text !== '' && unprintable * 10 <= text.length ? text : null;
}

/** Single letters with the same separator between them, such as `i g n o r e` or `i-g-n-o-r-e`. */
const SPACED_WORD =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]([ .*|_\-,/~])[\p{L}\p{N}](?:\1[\p{L}\p{N}])+(?![\p{L}\p{N}])/gu;

/** Removes the separators of spaced words. */
function* spaced(text: string): Iterable<Decoded> {
  for (const word of text.matchAll(SPACED_WORD)) {
    const mark = word[1] ?? ' ';
    for (let at = word[0].indexOf(mark); at >= 0; at = word[0].indexOf(mark, at + 1)) {
      yield { start: word.index + at, end: word.index + at + 1, text: '' };
    }
  }
}

const WORD = /[\p{L}\p{N}@$]+(?:[!|]+[\p{L}\p{N}@$]+)*/gu;

const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
};

const DIGITS = /[013457890@$!|]/g;

/** Numbers up to this length are read as words (`70`, `735`) next to other leet words. */
const MAX_NUMBER_LENGTH = 3;

/** Digits in place of letters, as in `1gn0r3`. `11` is `ll`, as in `a11`. */
function* leet(text: string): Iterable<Decoded> {
  let isAfterLeetWord = false;
  let waiting: Decoded | null = null;
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    const part: Decoded = { start: match.index, end: match.index + word.length, text: spelling(word) };
    if (part.text === word) {
      isAfterLeetWord = false;
      waiting = null;
    } else if (/\p{L}/u.test(word)) {
      if (waiting !== null) yield waiting;
      yield part;
      isAfterLeetWord = true;
      waiting = null;
    } else {
      const short = word.length <= MAX_NUMBER_LENGTH;
      if (short && isAfterLeetWord) yield part;
      waiting = short && !isAfterLeetWord ? part : null;
      isAfterLeetWord &&= short;
    }
  }
}

function spelling(word: string): string {
  return word.replaceAll('11', 'll').replaceAll(DIGITS, (digit) => LETTERS[digit] ?? digit);
}

const LATIN = /[a-z]+/gi;

function rot13(text: string): Iterable<Decoded> {
  return decodeMatches(text, LATIN, (word) => word.replaceAll(/[a-z]/gi, turned));
}

function turned(letter: string): string {
  const code = letter.charCodeAt(0);
  return String.fromCharCode((code & 0x1f) <= 13 ? code + 13 : code - 13);
}

/** The text with its code points in reverse order. */
function reversedView(text: string): MappedText {
  const builder = new MappedTextBuilder(text.length);
  let end = text.length;
  while (end > 0) {
    const pair = end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
    const start = end - (pair ? 2 : 1);
    builder.push(text.slice(start, end), start, end);
    end = start;
  }
  return builder.build();
}

const TAGS = /[\u{E0020}-\u{E007E}]+/gu;

/** ASCII written in invisible tag characters, which many models read. */
function tags(text: string): Iterable<Decoded> {
  return decodeMatches(text, TAGS, (hidden) =>
    Array.from(hidden, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) - 0xe0000)).join(
      '',
    ),
  );
}

const inPlace =
  (decoder: Decoder): DecodeView =>
  (text) =>
    decodedView(text, decoder);

export const DECODERS: Readonly<
  Record<'base64' | 'tags' | SettingValue<'normalization.decode_views'>[number], DecodeView>
> = {
  base64: inPlace(base64),
  tags: inPlace(tags),
  hex: inPlace(hex),
  percent: inPlace(percent),
  entities: inPlace(entities),
  spaced: inPlace(spaced),
  leet: inPlace(leet),
  rot13: inPlace(rot13),
  reversed: reversedView,
};
