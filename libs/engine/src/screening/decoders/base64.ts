import { decodeMatches, type Decoded } from './decoder.js';
import { readable } from './readable.js';

const BLOB = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

const MOST_BLOBS = 32;

/** Base64 and base64url, as far as the bytes are readable text. */
export function* base64(text: string): Iterable<Decoded> {
  let blobs = 0;
  for (const blob of decodeMatches(text, BLOB, (encoded) => readable(Buffer.from(encoded, 'base64')))) {
    yield blob;
    blobs += 1;
    if (blobs === MOST_BLOBS) return;
  }
}
