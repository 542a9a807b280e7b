import { decodeMatches, type Decoded } from './decoder.js';

const TAGS = /[\u{E0020}-\u{E007E}]+/gu;

/** ASCII in characters that no reader sees and many models read. */
export function tags(text: string): Iterable<Decoded> {
  return decodeMatches(text, TAGS, (hidden) =>
    Array.from(hidden, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) - 0xe0000)).join(
      '',
    ),
  );
}
