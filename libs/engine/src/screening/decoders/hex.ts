import { decodeMatches, type Decoded } from './decoder.js';
import { readable } from './readable.js';

/** Seven bytes at least, also as `0x69 0x67` and `\x69\x67`. */
const BYTES = /(?:(?:0x|\\x)?[0-9a-f]{2}[ :,]?){7,}/gi;

const MARKS = /0x|\\x|[ :,]/gi;

export function hex(text: string): Iterable<Decoded> {
  return decodeMatches(text, BYTES, (encoded) => readable(Buffer.from(encoded.replaceAll(MARKS, ''), 'hex')));
}
