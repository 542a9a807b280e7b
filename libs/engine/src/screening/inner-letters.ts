/** Shorter words are not restored. */
export const SHORTEST = 5;
const LONGEST = 16;

export const FIRST_LETTER = 0x61;
export const ALPHABET = 26;

/** A number for each letter of `a` to `z`, whose sums differ for almost all sets of letters. */
const NUMBERS = Int32Array.from({ length: ALPHABET }, (_, letter) => {
  let number = Math.imul(letter + 1, 0x9e3779b1);
  for (const shift of [15, 13, 16]) number = Math.imul(number ^ (number >>> shift), 0x85ebca6b);
  return number;
});

const FILTER_BITS = 14;

/** Words by their first letter, their last letter and the letters between, in any order. */
export class InnerLetters {
  private readonly words = new Map<number, string>();
  /** Marks the keys of all words by their last bits, because most words of a text are not words of the patterns. */
  private readonly filter = new Uint8Array(1 << FILTER_BITS);

  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (word.length < SHORTEST || word.length > LONGEST || !/^[a-z]+$/.test(word)) continue;
      let sum = 0;
      for (let at = 0; at < word.length; at++) sum += numberAt(word, at);
      const key = keyOf(word, 0, word.length, sum);
      this.words.set(key, this.words.get(key) ?? word);
      this.filter[filterPlace(key)] = 1;
    }
  }

  /**
   * The longest word that is hidden at the beginning of this word of a text: the same letters in another order. `null` if
   * there is none, or if the word begins with a word of the patterns as it is.
   */
  hiddenIn(text: string, start: number, end: number): string | null {
    let hidden: string | null = null;
    let sum = 0;
    for (let at = start; at < end && at < start + LONGEST; at++) {
      sum += numberAt(text, at);
      if (at - start + 1 < SHORTEST) continue;
      const key = keyOf(text, start, at + 1, sum);
      const word = this.filter[filterPlace(key)] === 1 ? this.words.get(key) : undefined;
      if (word === undefined) continue;
      const here = text.slice(start, at + 1);
      if (here === word) return null;
      if (sorted(here) === sorted(word)) hidden = word;
    }
    return hidden;
  }
}

function numberAt(text: string, at: number): number {
  return NUMBERS[text.charCodeAt(at) - FIRST_LETTER] ?? 0;
}

/** `sum` is the sum of the numbers of all letters. */
function keyOf(text: string, start: number, end: number, sum: number): number {
  const edges = Math.imul(numberAt(text, start), 3) + Math.imul(numberAt(text, end - 1), 5);
  return (sum + edges + end - start) | 0;
}

function filterPlace(key: number): number {
  return (key ^ (key >>> FILTER_BITS)) & ((1 << FILTER_BITS) - 1);
}

function sorted(word: string): string {
  return Array.from(word).toSorted().join('');
}
