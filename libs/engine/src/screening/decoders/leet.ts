import type { Decoded } from './decoder.js';

const WORD = /[\p{L}\p{N}@$]+(?:[!|]+[\p{L}\p{N}@$]+)*/gu;

const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
};

const DIGITS = /[013457890@$!|]/g;

/** A number of up to so many digits can be a word like `70` or `735`, beside other words spelt so. */
const LONGEST_NUMBER = 3;

/** Digits that stand for letters, in words that hold letters too: `1gn0r3`. Twice one is `ll`, as in `a11`. */
export function* leet(text: string): Iterable<Decoded> {
  let speltBefore = false;
  let waiting: Decoded | null = null;
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    const part: Decoded = { start: match.index, end: match.index + word.length, text: spelling(word) };
    if (part.text === word) {
      speltBefore = false;
      waiting = null;
    } else if (/\p{L}/u.test(word)) {
      if (waiting !== null) yield waiting;
      yield part;
      speltBefore = true;
      waiting = null;
    } else {
      const short = word.length <= LONGEST_NUMBER;
      if (short && speltBefore) yield part;
      waiting = short && !speltBefore ? part : null;
      speltBefore &&= short;
    }
  }
}

function spelling(word: string): string {
  return word.replaceAll('11', 'll').replaceAll(DIGITS, (digit) => LETTERS[digit] ?? digit);
}
