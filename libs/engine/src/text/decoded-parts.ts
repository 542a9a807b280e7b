import type { Vocabulary } from './vocabulary.js';
import { MappedTextBuilder, type MappedText } from './mapped-text.js';

/** An encoded part of a text and its decoded form. */
export interface Decoded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the whole text decoded, or `null` if nothing in it is encoded. */
export type DecodeView = (text: string, vocabulary: Vocabulary) => MappedText | null;

/** Returns the encoded parts of a text in ascending order, without overlap. Linear in the text. */
export type Decoder = (text: string, vocabulary: Vocabulary) => Iterable<Decoded>;

/** Maximum number of parts per decoder and text. */
const MAX_PARTS = 100_000;

/** Decodes in place, so that a match can extend across the edges of encoded parts. */
export function decodedView(text: string, vocabulary: Vocabulary, decoder: Decoder): MappedText | null {
  let builder: MappedTextBuilder | undefined;
  let copied = 0;
  let parts = 0;
  for (const part of decoder(text, vocabulary)) {
    builder ??= new MappedTextBuilder(text.length);
    builder.copy(text, copied, part.start);
    builder.push(part.text, part.start, part.end);
    copied = part.end;
    parts += 1;
    if (parts >= MAX_PARTS) break;
  }
  if (builder === undefined) return null;
  builder.copy(text, copied, text.length);
  return builder.build();
}

/** The same as `text.matchAll`, which copies the pattern, so that it is the expensive way to find nothing. */
export function matchesIn(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  return text.search(pattern) === -1 ? [] : text.matchAll(pattern);
}

export function* decodeMatches(
  text: string,
  pattern: RegExp,
  decode: (encoded: string) => string | null,
): Iterable<Decoded> {
  for (const match of matchesIn(text, pattern)) {
    const decoded = decode(match[0]);
    if (decoded !== null) yield { start: match.index, end: match.index + match[0].length, text: decoded };
  }
}
