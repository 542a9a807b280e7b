import { decodeMatches, type Decoded } from './decoder.js';

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

/** Digits that stand for letters, in words that hold letters too: `1gn0r3`. Twice one is `ll`, as in `a11`. */
export function leet(text: string): Iterable<Decoded> {
  return decodeMatches(text, WORD, (word) => {
    if (!/\p{L}/u.test(word)) return null;
    const spelt = word.replaceAll('11', 'll').replaceAll(DIGITS, (digit) => LETTERS[digit] ?? digit);
    return spelt === word ? null : spelt;
  });
}
