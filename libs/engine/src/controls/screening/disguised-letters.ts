import { matchesIn, type Decoded } from '../../text/decoded-parts.js';

/** Single letters with the same separator between them, such as `i g n o r e` or `i-g-n-o-r-e`. */
const SPACED_WORD =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]([ .*|_\-,/~])[\p{L}\p{N}](?:\1[\p{L}\p{N}])+(?![\p{L}\p{N}])/gu;

/** The same, roughly and faster. */
const MAY_BE_SPACED = /(?:^|[^A-Za-z0-9])\S{1,2}([ .*|_\-,/~])\S{1,2}\1\S{1,2}(?![A-Za-z0-9])/;

/** Removes the separators of spaced words. */
export function* spaced(text: string): Iterable<Decoded> {
  for (const word of MAY_BE_SPACED.test(text) ? matchesIn(text, SPACED_WORD) : []) {
    const mark = word[1] ?? ' ';
    for (let at = word[0].indexOf(mark); at >= 0; at = word[0].indexOf(mark, at + 1)) {
      yield { start: word.index + at, end: word.index + at + 1, text: '' };
    }
  }
}

const WORD = /[!|+]?[\p{L}\p{N}@$€]+(?:[!|+]+[\p{L}\p{N}@$€]+)*\+?/gu;

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
  '€': 'e',
  '+': 't',
  '!': 'i',
  '|': 'l',
};

const DIGITS = /[013457890@$€+!|]/g;

/** Numbers up to this length are read as words (`70`, `735`) next to other leet words. */
const MAX_NUMBER_LENGTH = 3;

/** Measures, such as `11ms`. */
const MEASURE = /^\d{2,}(?:[mun]s|min|[kmgt]i?b|[km]?hz|p[xt]|r?em|[cmk]m|kg)$/i;

/** A letter of an alphabet beside a digit or a mark that stands for one, without which a text is plain. */
const MAY_BE_LEET = /[A-Za-z\u00c0-\u2fff][0-9@$€]|[0-9@$€!|+][A-Za-z\u00c0-\u2fff]/;

/** Digits in place of letters, as in `1gn0r3`. `11` is `ll`, as in `a11`. */
export function* leet(text: string): Iterable<Decoded> {
  if (!MAY_BE_LEET.test(text)) return;
  let isAfterLeetWord = false;
  let waiting: Decoded | null = null;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (MEASURE.test(word)) continue;
    const part: Decoded = { start: index, end: index + word.length, text: spelling(word) };
    const isNumber = part.text !== word && !/\p{L}/u.test(word) && word.length <= MAX_NUMBER_LENGTH;
    if (part.text !== word && /\p{L}/u.test(word)) {
      if (waiting !== null) yield waiting;
      yield part;
      isAfterLeetWord = true;
    } else if (isNumber && isAfterLeetWord) yield part;
    else isAfterLeetWord = false;
    waiting = isNumber && !isAfterLeetWord ? part : null;
  }
}

function spelling(word: string) {
  return word.replaceAll('11', 'll').replaceAll(DIGITS, (digit) => LETTERS[digit] ?? digit);
}
