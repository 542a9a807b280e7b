import { decodeMatches, type Decoded } from './decoder.js';

const LATIN = /[a-z]+/gi;

/** The alphabet turned by half. */
export function rot13(text: string): Iterable<Decoded> {
  return decodeMatches(text, LATIN, (word) => word.replaceAll(/[a-z]/gi, turned));
}

function turned(letter: string): string {
  const code = letter.charCodeAt(0);
  return String.fromCharCode((code & 0x1f) <= 13 ? code + 13 : code - 13);
}
