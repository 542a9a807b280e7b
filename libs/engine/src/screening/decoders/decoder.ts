import { MappedTextBuilder, type MappedText } from '../mapped-text.js';

/** A part of a text, and what it says once it is decoded. */
export interface Decoded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Finds the encoded parts of a text, ascending and apart, in time linear in the text. */
export type Decoder = (text: string) => Iterable<Decoded>;

/** Parts that one decoder decodes in one text. */
const MOST_PARTS = 100_000;

/** The whole text with its encoded parts decoded in place, so that a match may reach across their edges; `null` where there are none. */
export function decodedView(text: string, decoder: Decoder): MappedText | null {
  const builder = new MappedTextBuilder(text.length);
  let copied = 0;
  let parts = 0;
  for (const part of decoder(text)) {
    builder.copy(text, copied, part.start);
    builder.push(part.text, part.start, part.end);
    copied = part.end;
    parts += 1;
    if (parts >= MOST_PARTS) break;
  }
  if (parts === 0) return null;
  builder.copy(text, copied, text.length);
  return builder.build();
}

/** Each match of `pattern` for which `decode` has an answer. */
export function* decodeMatches(
  text: string,
  pattern: RegExp,
  decode: (encoded: string) => string | null,
): Iterable<Decoded> {
  for (const match of text.matchAll(pattern)) {
    const decoded = decode(match[0]);
    if (decoded !== null) yield { start: match.index, end: match.index + match[0].length, text: decoded };
  }
}
