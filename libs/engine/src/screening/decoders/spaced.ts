import type { Decoded } from './decoder.js';

/** `i g n o r e`, `i-g-n-o-r-e`: single letters, always with the same mark between. Another or a wider gap ends the word. */
const SPACED_WORD =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]([ .*|_\-,/~])[\p{L}\p{N}](?:\1[\p{L}\p{N}])+(?![\p{L}\p{N}])/gu;

/** Takes the marks out and leaves the letters where they are. */
export function* spaced(text: string): Iterable<Decoded> {
  for (const word of text.matchAll(SPACED_WORD)) {
    const mark = word[1] ?? ' ';
    for (let at = word[0].indexOf(mark); at >= 0; at = word[0].indexOf(mark, at + 1)) {
      yield { start: word.index + at, end: word.index + at + 1, text: '' };
    }
  }
}
