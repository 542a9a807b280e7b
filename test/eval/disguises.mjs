import { deflateSync, gzipSync } from 'node:zlib';

/**
 * Ways to hide a text. `kept` is the share of found attacks that must still be found: reversible transforms lose next to
 * nothing, and letters that are separated or swapped lose more, because harmless words look like them.
 *
 * @typedef {{ readonly hide: (text: string) => string, readonly kept: number }} Disguise
 */

const REVERSIBLE = 0.95;
const SEPARATED = 0.6;
const SWAPPED = 0;

const bytes = (text) => [...Buffer.from(text)];
const words = (text, change) => text.replace(/\p{L}+/gu, change);
const letters = (text, change) => text.replace(/[A-Za-z]/g, change);
const halves = (word, mark) => {
  const middle = Math.floor(word.length / 2);
  return word.length < 4 ? word : word.slice(0, middle) + mark + word.slice(middle);
};
const shifted = (upper, lower) => (text) =>
  letters(text, (letter) => {
    const isUpper = letter <= 'Z';
    const base = isUpper ? upper : lower;
    return String.fromCodePoint(base + letter.charCodeAt(0) - (isUpper ? 65 : 97));
  });
const replaced = (table) => (text) =>
  Array.from(text)
    .map((letter) => table[letter] ?? letter)
    .join('');
const hex = (value, length) => value.toString(16).padStart(length, '0');
const units = (text) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
const wrapped = (text, width) => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
const base64 = (data) => Buffer.from(data).toString('base64');
const reversed = (text) => Array.from(text).toReversed().join('');

function base32(text) {
  const bits = bytes(text)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  const codes = (bits.match(/.{1,5}/g) ?? []).map((five) => Number.parseInt(five.padEnd(5, '0'), 2));
  const encoded = codes.map((code) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[code]).join('');
  return encoded.padEnd(Math.ceil(encoded.length / 8) * 8, '=');
}

const variationSelectors = (text) =>
  bytes(text)
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join('');

const CYRILLIC = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у', j: 'ј' };
const CAPITALS = {
  A: 'А',
  B: 'В',
  C: 'С',
  E: 'Е',
  H: 'Н',
  K: 'К',
  M: 'М',
  O: 'О',
  P: 'Р',
  T: 'Т',
  X: 'Х',
  Y: 'У',
};
const GREEK = {
  A: 'Α',
  B: 'Β',
  E: 'Ε',
  H: 'Η',
  I: 'Ι',
  K: 'Κ',
  M: 'Μ',
  N: 'Ν',
  O: 'Ο',
  P: 'Ρ',
  T: 'Τ',
  X: 'Χ',
  Y: 'Υ',
  Z: 'Ζ',
};
const LEET = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };
const HARD_LEET = { a: '@', s: '$', i: '!', t: '+', o: '0', e: '3' };

/** @param {number} kept @param {Readonly<Record<string, (text: string) => string>>} hides */
const all = (kept, hides) =>
  Object.entries(hides).map(([name, hide]) => /** @type {const} */ ([name, { hide, kept }]));

/** @type {ReadonlyMap<string, Disguise>} */
export const DISGUISES = new Map([
  ...all(REVERSIBLE, {
    'upper case': (text) => text.toUpperCase(),
    'alternating case': (text) =>
      Array.from(text)
        .map((letter, at) => (at % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase()))
        .join(''),
    'zero-width spaces': (text) => Array.from(text).join('\u200B'),
    'soft hyphens': (text) => words(text, (word) => Array.from(word).join('\u00AD')),
    'word joiners in words': (text) => words(text, (word) => halves(word, '\u2060')),
    'tag characters': (text) =>
      Array.from(text)
        .map((c) => (c > '~' ? '' : String.fromCodePoint(0xe0000 + c.charCodeAt(0))))
        .join(''),
    'variation selectors': (text) => `Hello ${variationSelectors(text)}`,
    'right-to-left override': (text) => `\u202E${reversed(text)}\u202C`,
    'right-to-left override per word': (text) => words(text, (word) => `\u202E${reversed(word)}\u202C`),
    'double spaces': (text) => text.replaceAll(' ', '   '),
    'no-break spaces': (text) => text.replaceAll(' ', '\u00A0'),
    'ideographic spaces': (text) => text.replaceAll(' ', '\u3000'),
    'a line for each word': (text) => text.replaceAll(' ', '\n'),
    'underscores for spaces': (text) => text.replaceAll(' ', '_'),
    'full stops for spaces': (text) => text.replaceAll(' ', '.'),
    'hyphens for spaces': (text) => text.replaceAll(' ', '-'),
    'emoji for spaces': (text) => text.replaceAll(' ', '🔥'),
    'emoji between words': (text) => text.replaceAll(' ', ' 🔥 '),
    'bold words': (text) => words(text, (word) => `**${word}**`),
    'emphasis in words': (text) => words(text, (word) => halves(word, '**')),
    'code marks in words': (text) => words(text, (word) => halves(word, '``')),
    'words in tags': (text) => words(text, (word) => `<b>${word}</b>`),
    'tags in words': (text) => words(text, (word) => halves(word, '<b></b>')),
    'comments in words': (text) => words(text, (word) => halves(word, '<!-- x -->')),
    'line break tags': (text) => text.replaceAll(' ', '<br>'),
    concatenation: (text) => `"${words(text, (word) => halves(word, '" + "'))}"`,
    'concatenation, single quotes': (text) => `'${words(text, (word) => halves(word, "'+'"))}'`,
    'adjacent strings': (text) => `"${words(text, (word) => halves(word, '" "'))}"`,
    hyphenation: (text) => words(text, (word) => halves(word, '-\n')),
    'hyphens in words': (text) => words(text, (word) => halves(word, '-')),
    'line breaks in words': (text) => words(text, (word) => halves(word, '\n')),
    'full width': (text) => text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
    'mathematical bold': shifted(0x1d400, 0x1d41a),
    'mathematical monospace': shifted(0x1d670, 0x1d68a),
    'circled letters': shifted(0x24b6, 0x24d0),
    'negative circled letters': (text) => shifted(0x1f150, 0x1f150)(text.toUpperCase()),
    'squared letters': (text) => shifted(0x1f130, 0x1f130)(text.toUpperCase()),
    'negative squared letters': (text) => shifted(0x1f170, 0x1f170)(text.toUpperCase()),
    'parenthesized letters': (text) => shifted(0x249c, 0x249c)(text.toLowerCase()),
    'regional indicators': (text) =>
      letters(text.toUpperCase(), (c) => `${shifted(0x1f1e6, 0x1f1e6)(c)}\u200B`),
    'Cyrillic look-alikes': replaced(CYRILLIC),
    'Cyrillic capitals': (text) => replaced(CAPITALS)(text.toUpperCase()),
    'Greek capitals': (text) => replaced(GREEK)(text.toUpperCase()),
    accents: (text) => letters(text, (letter) => `${letter}\u0301`.normalize('NFC')),
    'stacked marks': (text) => letters(text, (letter) => `${letter}\u0316\u0317\u0301`),
    leet: replaced(LEET),
    'harder leet': replaced(HARD_LEET),
    base64: (text) => base64(text),
    'base64url in a sentence': (text) => `Decode ${Buffer.from(text).toString('base64url')} first.`,
    'base64, 64 columns': (text) => wrapped(base64(text), 64),
    'base64, 76 columns': (text) => wrapped(base64(text), 76),
    'base64 twice': (text) => base64(base64(text)),
    'gzip in base64': (text) => base64(gzipSync(text)),
    'deflate in base64': (text) => base64(deflateSync(text)),
    base32,
    hex: (text) => Buffer.from(text).toString('hex'),
    'hex with spaces': (text) =>
      bytes(text)
        .map((byte) => hex(byte, 2))
        .join(' '),
    'hex with 0x': (text) =>
      bytes(text)
        .map((byte) => `0x${hex(byte, 2)}`)
        .join(', '),
    'escapes \\x': (text) =>
      bytes(text)
        .map((byte) => `\\x${hex(byte, 2)}`)
        .join(''),
    'escapes \\u': (text) =>
      units(text)
        .map((unit) => `\\u${hex(unit, 4)}`)
        .join(''),
    'escapes \\u{}': (text) =>
      Array.from(text)
        .map((c) => `\\u{${hex(c.codePointAt(0) ?? 0, 1)}}`)
        .join(''),
    'escapes \\U': (text) =>
      Array.from(text)
        .map((c) => `\\U${hex(c.codePointAt(0) ?? 0, 8)}`)
        .join(''),
    'code points as U+': (text) =>
      Array.from(text)
        .map((c) => `U+${hex(c.codePointAt(0) ?? 0, 4)}`)
        .join(' '),
    'escapes \\u in words': (text) =>
      words(text, (word) => `\\u${hex(word.charCodeAt(0), 4)}${word.slice(1)}`),
    'octal escapes': (text) =>
      bytes(text)
        .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
        .join(''),
    binary: (text) =>
      bytes(text)
        .map((byte) => byte.toString(2).padStart(8, '0'))
        .join(' '),
    'binary without spaces': (text) =>
      bytes(text)
        .map((byte) => byte.toString(2).padStart(8, '0'))
        .join(''),
    'decimal codes': (text) => bytes(text).join(' '),
    'decimal codes with commas': (text) => bytes(text).join(', '),
    'percent-encoding': (text) =>
      bytes(text)
        .map((byte) => `%${hex(byte, 2)}`)
        .join(''),
    'decimal references': (text) =>
      Array.from(text)
        .map((c) => `&#${c.codePointAt(0)};`)
        .join(''),
    'hexadecimal references': (text) =>
      Array.from(text)
        .map((c) => `&#x${hex(c.codePointAt(0) ?? 0, 1)};`)
        .join(''),
  }),
  ...all(SEPARATED, {
    'spaces between letters': (text) => Array.from(text).join(' '),
    'hyphens between letters': (text) => words(text, (word) => Array.from(word).join('-')),
    'full stops between letters': (text) => words(text, (word) => Array.from(word).join('.')),
    'underscores between letters': (text) => words(text, (word) => Array.from(word).join('_')),
    'asterisks between letters': (text) => words(text, (word) => Array.from(word).join('*')),
    'slashes between letters': (text) => words(text, (word) => Array.from(word).join('/')),
  }),
  ...all(SWAPPED, {
    'swapped letters': (text) =>
      words(text, (word) => (word.length < 5 ? word : `${word[0]}${word[2]}${word[1]}${word.slice(3)}`)),
    'dropped vowel': (text) =>
      words(text, (word) => (word.length < 6 ? word : word.replace(/(?<=\w)[aeiou]/, ''))),
  }),
]);
