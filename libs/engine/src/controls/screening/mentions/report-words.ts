// Words of reports about attacks, built from the lexicons.
import type { Resumable } from '../../../shared/resumable.js';
import { matchesIn } from '../../../text/decoded-parts.js';
import { LEXICONS } from '../lexicons/lexicons.js';

/** The words of a concept in one language. */
interface ConceptWords {
  readonly pattern: RegExp;
  readonly isLatin: boolean;
}

const LETTER = String.raw`\p{L}`;

const known = new Map<string, readonly ConceptWords[]>();

/** The words of a concept in texts as they are written. */
function wordsOf(concept: string): readonly ConceptWords[] {
  const words =
    known.get(concept) ??
    LEXICONS.flatMap((lexicon) => {
      const all = lexicon.words(concept).map((word) => {
        const end = lexicon.isSpaced && !word.startsWith('/') ? `(?!${LETTER})` : '';
        return `${lexicon.patternOfWord(word, LETTER)}${end}`;
      });
      const begin = lexicon.isSpaced ? String.raw`(?<![\p{L}\p{N}])` : '';
      const isLatin = /\p{Script=Latin}/u.test(lexicon.words(concept).join(' '));
      return all.length === 0
        ? []
        : [{ pattern: new RegExp(`${begin}(?:${all.join('|')})`, 'giu'), isLatin }];
    });
  known.set(concept, words);
  return words;
}

const NOT_LATIN = /[\u0370-\u1fff\u2e80-\uffff]/;

/** The patterns of a concept that can match in a text. */
function patternsFor(concept: string, text: string): readonly RegExp[] {
  const hasOthers = NOT_LATIN.test(text);
  return wordsOf(concept).flatMap(({ pattern, isLatin }) => (isLatin || hasOthers ? [pattern] : []));
}

/**
 * Compiles, with pauses, the patterns that are searched around every instruction outside of quotations. The second search of a
 * pattern compiles it once more, for speed.
 */
export function* prepareReportWords(): Resumable<void> {
  for (const concept of ['adopts', 'audience', 'commands', 'indirect'])
    for (const pattern of patternsFor(concept, '')) {
      ''.search(pattern);
      ''.search(pattern);
      yield;
    }
}

export const isIn = (concept: string, text: string): boolean =>
  patternsFor(concept, text).some((pattern) => text.search(pattern) !== -1);

/** The words of a report by their first letters, each with its weight: 2 if they are about attacks, 3 if they refuse one. */
export type Cues = ReadonlyMap<string, number>;

/** Before a word about attacks: the text says that it is none. */
const DENIED =
  /(?:(?<![\p{L}\p{N}])(?:not|no|never|non|(?:is|are|was)n['’]t|nicht|kein(?:e[nrms]?)?|pas|nunca)\s+(?:(?:an?|any|the|some|ein(?:e[nrms]?)?|un[ea]?|de)\s+){0,2}|不是|并非|没有)$/iu;

/** Units before a word in which it is denied. */
const DENIAL = 24;

/** Units of a word that forms of the same word have in common. */
const STEM = 5;

export function cuesIn(text: string): Cues {
  const cues = new Map<string, number>();
  for (const [place, concept] of ['subject', 'attack', 'refused'].entries()) {
    for (const { 0: word, index } of patternsFor(concept, text).flatMap((pattern) => [
      ...matchesIn(text, pattern),
    ])) {
      if (DENIED.test(text.slice(Math.max(0, index - DENIAL), index))) continue;
      cues.set(word.slice(0, STEM).toLowerCase(), place + 1);
    }
  }
  return cues;
}

export const areAboutAttacks = (cues: Cues): boolean => [...cues.values()].some((weight) => weight > 1);

/** Of each word once. */
export const weightOf = (cues: Iterable<readonly [string, number]>): number =>
  [...new Map(cues).values()].reduce((sum, weight) => sum + weight, 0);
