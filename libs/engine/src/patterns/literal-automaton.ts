import { UNITS_PER_PAUSE, type Resumable } from '../resumable.js';
import { BLOCK_BITS } from './match-starts.js';
import { unitClasses, MAX_CLASSES } from './unit-folding.js';

/** Hears where literals end: of each state of the walk once per block. */
type LiteralHit = (set: number, block: number) => void;

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

/** Bounds the memory of one automaton to five megabytes. */
const MAX_STATES = 20_000;

/** Literals as a tree of their starts, completed to an automaton: every state knows where every class leads. */
class LiteralTrie {
  readonly width = MAX_CLASSES;
  /** From `state * width + class` to a state. State 0 is the root. */
  readonly transitions: Uint16Array;
  /** The sets of which a literal ends where the state is reached. */
  readonly outputs: readonly (readonly number[])[];
  /** 1 where there are any. */
  readonly ends: Uint8Array;

  private constructor(children: readonly Map<number, number>[], ends: readonly Set<number>[]) {
    this.transitions = new Uint16Array(children.length * MAX_CLASSES);
    this.complete(children, ends);
    this.outputs = ends.map((sets) => [...sets]);
    this.ends = Uint8Array.from(ends, ({ size }) => (size > 0 ? 1 : 0));
  }

  get size(): number {
    return this.outputs.length;
  }

  /** `null` where the literals, cut to so many units, take too many states. */
  static of(sets: readonly (readonly string[])[], classes: Uint8Array, length: number): LiteralTrie | null {
    const children = [new Map<number, number>()];
    const ends = [new Set<number>()];
    for (const [set, literals] of sets.entries()) {
      for (const literal of literals) {
        let state = 0;
        for (let index = 0; index < literal.length && index < length; index++) {
          const unitClass = classes[literal.charCodeAt(index)] ?? 0;
          let next = children[state]?.get(unitClass);
          if (next === undefined) {
            if (children.length >= MAX_STATES) return null;
            next = children.push(new Map()) - 1;
            ends.push(new Set());
            children[state]?.set(unitClass, next);
          }
          state = next;
        }
        ends[state]?.add(set);
      }
    }
    return new LiteralTrie(children, ends);
  }

  /** Breadth first: what a state cannot go on with is read where its longest proper ending stands. */
  private complete(children: readonly Map<number, number>[], ends: readonly Set<number>[]): void {
    const { transitions, width } = this;
    const fallback = new Uint16Array(children.length);
    const queue = [0];
    for (const state of queue) {
      const fallen = fallback[state] ?? 0;
      if (state !== 0) {
        transitions.copyWithin(state * width, fallen * width, (fallen + 1) * width);
        for (const set of ends[fallen] ?? []) ends[state]?.add(set);
      }
      for (const [unitClass, next] of children[state] ?? []) {
        fallback[next] = state === 0 ? 0 : (transitions[fallen * width + unitClass] ?? 0);
        transitions[state * width + unitClass] = next;
        queue.push(next);
      }
    }
  }
}
