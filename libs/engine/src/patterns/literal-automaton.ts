import { UNITS_PER_PAUSE, type Resumable } from '../resumable.js';
import { BLOCK_BITS } from './beginnings.js';
import { LiteralTrie } from './literal-trie.js';
import { unitClasses } from './unit-classes.js';

/** Hears where literals end: of each state of the walk once per block. */
export type LiteralHit = (set: number, block: number) => void;

/** Literals are cut to fit: the beginning of a required literal is required as well. */
const LENGTHS = [12, 8, 6, 5, 4, 3, 2];

/**
 * Finds folded literals in a text by one walk over it (Aho and Corasick), whatever their number and the text:
 * a unit of text is one step in a table. May tell of a literal that is not there, never the other way round.
 */
export class LiteralAutomaton {
  /** In which block of which walk a state told of its sets last. */
  private readonly told: Float64Array;
  private blocksWalked = 1;

  private constructor(
    private readonly classes: Uint8Array,
    private readonly trie: LiteralTrie,
  ) {
    this.told = new Float64Array(trie.size);
  }

  /** Sets are named by their place in the list. */
  static of(sets: readonly (readonly string[])[]): LiteralAutomaton {
    const classes = unitClasses(sets.flat());
    for (const length of LENGTHS) {
      const trie = LiteralTrie.of(sets, classes, length);
      if (trie !== null) return new LiteralAutomaton(classes, trie);
    }
    throw new RangeError('Literals of two units always fit.');
  }

  *walk(text: string, hit: LiteralHit): Resumable<void> {
    const stamp = this.blocksWalked;
    this.blocksWalked += (text.length >> BLOCK_BITS) + 1;
    let state = 0;
    for (let from = 0; from < text.length; from += UNITS_PER_PAUSE) {
      if (from > 0) yield;
      state = this.advance(text, from, Math.min(text.length, from + UNITS_PER_PAUSE), state, hit, stamp);
    }
  }

  private advance(
    text: string,
    from: number,
    to: number,
    begin: number,
    hit: LiteralHit,
    stamp: number,
  ): number {
    const { classes, told } = this;
    const { transitions, width, outputs, ends } = this.trie;
    let state = begin;
    for (let index = from; index < to; index++) {
      state = transitions[state * width + (classes[text.charCodeAt(index)] ?? 0)] ?? 0;
      if (ends[state] === 0) continue;
      const block = index >> BLOCK_BITS;
      if (told[state] === stamp + block) continue;
      told[state] = stamp + block;
      for (const set of outputs[state] ?? []) hit(set, block);
    }
    return state;
  }
}
