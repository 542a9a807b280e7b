import type { SettingValue } from '#contracts/settings/settings.schema.js';
import {
  decodedView,
  decodeMatches,
  type Decoded,
  type Decoder,
  type DecodeView,
} from '../../text/decoded-parts.js';
import { base32, base64, decimal, binary, entities, escapes, hex, percent } from './encodings.js';
import { leet, spaced } from './disguised-letters.js';
import { joined, joinedLines, separated } from './split-words.js';
import { MappedTextBuilder } from '../../text/mapped-text.js';

const LATIN = /[a-z]+/gi;

function rot13(text: string) {
  return decodeMatches(text, LATIN, (word) => word.replaceAll(/[a-z]/gi, turned));
}

function turned(letter: string) {
  const code = letter.charCodeAt(0);
  return String.fromCharCode((code & 0x1f) <= 13 ? code + 13 : code - 13);
}

/** The text with its code points in reverse order. */
function reversedView(text: string) {
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

const INVISIBLE = /[\u{E0020}-\u{E007E}]+|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{4,}/gu;

/** ASCII in invisible tag characters, and bytes in variation selectors, which many models read. */
function tags(text: string) {
  return decodeMatches(text, INVISIBLE, (hidden) => {
    const codes = Array.from(hidden, (character) => character.codePointAt(0) ?? 0);
    return (codes[0] ?? 0) < 0xe0100 && (codes[0] ?? 0) > 0xfe0f
      ? codes.map((code) => String.fromCodePoint(code - 0xe0000)).join('')
      : Buffer.from(codes.map((code) => (code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16))).toString();
  });
}

/** Text that is shown from right to left, up to the end of the override or of the line. */
const OVERRIDE = /\u202E([^\u202C\u202E\n]+)/gu;

function* overridden(text: string): Iterable<Decoded> {
  if (!text.includes('\u202E')) return;
  for (const { 0: whole, 1: shown = '', index } of text.matchAll(OVERRIDE)) {
    const reversed = Array.from(shown).toReversed().join('');
    yield { start: index, end: index + whole.length, text: reversed };
  }
}

/** Several decoders of which each part of a text fits at most one. */
function oneOf(...decoders: readonly Decoder[]): Decoder {
  return function* anyOfThem(text, vocabulary) {
    const parts: Decoded[] = [];
    for (const decoder of decoders) {
      parts.push(...decoder(text, vocabulary));
    }
    let end = 0;
    for (const part of parts.toSorted((one, other) => one.start - other.start)) {
      if (part.start < end) continue;
      end = part.end;
      yield part;
    }
  };
}

const inPlace =
  (decoder: Decoder): DecodeView =>
  (text, vocabulary) =>
    decodedView(text, vocabulary, decoder);

/** Each returns the whole text decoded, or `null` if nothing in it is encoded. */
export const DECODERS: Readonly<
  Record<
    'base64' | 'joinedLines' | 'overridden' | 'tags' | SettingValue<'normalization.decode_views'>[number],
    DecodeView
  >
> = {
  base64: inPlace(base64),
  tags: inPlace(tags),
  overridden: inPlace(overridden),
  hex: inPlace(hex),
  percent: inPlace(percent),
  entities: inPlace(entities),
  spaced: inPlace(spaced),
  leet: inPlace(leet),
  escapes: inPlace(escapes),
  codes: inPlace(oneOf(binary, decimal, base32)),
  joined: inPlace(joined),
  joinedLines: inPlace(joinedLines),
  separated: inPlace(separated),
  // Words with swapped letters are not restored. The name stays, because stored settings may have it.
  swapped: () => null,
  rot13: inPlace(rot13),
  reversed: reversedView,
};
