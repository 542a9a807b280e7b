import type { Decoded } from './decoder.js';

/** `i g n o r e`, `i-g-n-o-r-e`: single letters, each with one mark between. A wider gap ends the word. */
const SPACED_WORD = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][ .*|_\-,/~]){2,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu;

const MARK = /[ .*|_\-,/~]/g;

/** Takes the marks out and leaves the letters where they are. */
export function* spaced(text: string): Iterable<Decoded> {
  for (const word of text.matchAll(SPACED_WORD)) {
    for (const mark of word[0].matchAll(MARK)) {
      const start = word.index + mark.index;
      yield { start, end: start + 1, text: '' };
    }
  }
}
