import type { Resumable } from '../shared/resumable.js';
import type { LinearRegex } from '../patterns/linear-regex.js';

/** Escapes and classes of patterns, which contain no words: `\s`, `\p{L}`, `[a-z]`, `{0,20}`. */
const NOT_WORDS =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|\[[^\]]*\]|\{[^}]*\}/g;

const WORD = /\p{L}{3,16}/gu;

const LONGEST = 16;

/** Shorter words of the patterns are split by accident. */
const SHORT = 4;

/** Shorter words of the patterns begin other words by accident. */
const LONG = 6;

/**
 * The words, and parts of words, in the patterns of a ruleset. A hyphen or a line break in a word matters only where it
 * splits one of them, and most texts contain none that does.
 */
export class Vocabulary {
  private constructor(private readonly words: ReadonlySet<string>) {}

  static *of(patterns: readonly LinearRegex[]): Resumable<Vocabulary> {
    const words = new Set<string>();
    for (const pattern of patterns) {
      for (const word of wordsOf(pattern).split(' ')) words.add(word);
      yield;
    }
    return new Vocabulary(words);
  }

  /** Whether a word of the patterns is split between these letters. At most 240 lookups. */
  isSplit(left: string, right: string): boolean {
    const head = left.slice(-LONGEST).toLowerCase();
    const tail = right.slice(0, LONGEST).toLowerCase();
    for (let start = 0; start < head.length; start++) {
      const begin = head.slice(start);
      for (
        let end = Math.max(1, SHORT - begin.length);
        end <= Math.min(tail.length, LONGEST - begin.length);
        end++
      ) {
        if (this.words.has(begin + tail.slice(0, end))) return true;
      }
    }
    return false;
  }

  /** Whether one of these words begins with a long word of the patterns. */
  hasAny(words: readonly string[]): boolean {
    return words.some((word) => {
      const lowered = word.toLowerCase();
      for (let end = LONG; end <= Math.min(lowered.length, LONGEST); end++) {
        if (this.words.has(lowered.slice(0, end))) return true;
      }
      return false;
    });
  }
}

/** Words with spaces between them, which take less memory than a list. A change of one pattern reads only that one. */
const known = new WeakMap<LinearRegex, string>();

function wordsOf(regex: LinearRegex) {
  const words =
    known.get(regex) ?? (regex.pattern.replaceAll(NOT_WORDS, ' ').match(WORD) ?? []).join(' ').toLowerCase();
  known.set(regex, words);
  return words;
}
