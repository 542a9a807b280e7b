import { decodeMatches, type Decoded } from './decoder.js';

/** `i g n o r e`, `i-g-n-o-r-e`: single letters, each with one mark between. A wider gap ends the word. */
const SPACED_WORD = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][ .*|_\-,/~]){2,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu;

const MARKS = /[ .*|_\-,/~]/g;

export function spaced(text: string): Iterable<Decoded> {
  return decodeMatches(text, SPACED_WORD, (word) => word.replaceAll(MARKS, ''));
}
