import { decodeMatches, type Decoded } from './decoder.js';

const BYTES = /(?:%[0-9a-f]{2})+/gi;

/** Percent-encoding as in addresses. */
export function percent(text: string): Iterable<Decoded> {
  return decodeMatches(text, BYTES, (encoded) => Buffer.from(encoded.replaceAll('%', ''), 'hex').toString());
}
