import type { Span } from '#contracts/text.js';
import { runToEnd, UNITS_PER_PAUSE, type Resumable } from '../resumable.js';
import { BLOCK_BITS } from './match-starts.js';
import { unitClasses, MAX_CLASSES } from './unit-folding.js';

/** Called where literals end, once per state and block. */
type LiteralHit = (set: number, block: number) => void;

/** Literals are truncated until the automaton fits. A prefix of a required literal is required as well. */
const LENGTHS = [12, 8, 6, 5, 4, 3, 2];

/**
 * Finds folded literals in one pass (Aho–Corasick), with one table step per unit of text. May report a literal that is not
 * in the text, but misses none.
 */
export class LiteralAutomaton {
  /** The block and search in which each state last reported its sets. */
  private readonly reported: Float64Array;
  private blocksWalked = 1;

  private constructor(
    private readonly classes: Uint8Array,
    private readonly trie: LiteralTrie,
  ) {
    this.reported = new Float64Array(trie.size);
  }

  /** A set is identified by its index. */
  static of(sets: readonly (readonly string[])[]): LiteralAutomaton {
    return runToEnd(LiteralAutomaton.build(sets));
  }

  /** Builds the automaton with pauses. */
  static *build(sets: readonly (readonly string[])[]): Resumable<LiteralAutomaton> {
    const classes = unitClasses(sets.flat());
    for (const length of LENGTHS) {
      const trie = yield* LiteralTrie.build(sets, classes, length);
      if (trie !== null) return new LiteralAutomaton(classes, trie);
    }
    throw new RangeError('Literals of two units always fit.');
  }

  /** @param parts the parts of the text to read, which begin and end with a block and are ascending */
  *walk(text: string, hit: LiteralHit, parts: readonly Span[] = [[0, text.length]]): Resumable<void> {
    const stamp = this.blocksWalked;
    this.blocksWalked += (text.length >> BLOCK_BITS) + 1;
    let pause = UNITS_PER_PAUSE;
    for (const [start, end] of parts) {
      let state = 0;
      for (let from = start; from < end; from += UNITS_PER_PAUSE) {
        if (from >= pause) {
          pause = from + UNITS_PER_PAUSE;
          yield;
        }
        state = this.advance(text, from, Math.min(end, from + UNITS_PER_PAUSE), state, hit, stamp);
      }
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
    const { classes, reported } = this;
    const { transitions, width, outputs, ends } = this.trie;
    let state = begin;
    for (let index = from; index < to; index++) {
      state = transitions[state * width + (classes[text.charCodeAt(index)] ?? 0)] ?? 0;
      if (ends[state] === 0) continue;
      const block = index >> BLOCK_BITS;
      if (reported[state] === stamp + block) continue;
      reported[state] = stamp + block;
      for (const set of outputs[state] ?? []) hit(set, block);
    }
    return state;
  }
}

/** Limits the memory of one automaton to five megabytes. */
const MAX_STATES = 20_000;

/** States and sets of literals between two pauses of building. */
const STEPS_PER_PAUSE = 512;

/** A trie of the literals, completed to an automaton with a transition for every state and class. */
class LiteralTrie {
  readonly width = MAX_CLASSES;
  /** The next state at `state * width + class`. State 0 is the root. */
  readonly transitions: Uint16Array;
  /** The sets with a literal that ends in this state. */
  readonly outputs: readonly (readonly number[] | undefined)[];
  /** 1 for states with outputs. */
  readonly ends: Uint8Array;

  /** @param transitions of the completed automaton */
  private constructor(transitions: Uint16Array, outputs: readonly (readonly number[] | undefined)[]) {
    this.transitions = transitions;
    this.outputs = outputs;
    this.ends = new Uint8Array(outputs.length);
    for (const [state, sets] of outputs.entries()) if (sets !== undefined) this.ends[state] = 1;
  }

  get size(): number {
    return this.outputs.length;
  }

  /** Returns `null` if the literals, truncated to `length`, need too many states. */
  static *build(
    sets: readonly (readonly string[])[],
    classes: Uint8Array,
    length: number,
  ): Resumable<LiteralTrie | null> {
    // Until it is completed, a transition leads to a child, and 0 stands for none.
    const transitions = new Uint16Array(MAX_STATES * MAX_CLASSES);
    const tree: Tree = {
      classOf: new Uint8Array(MAX_STATES),
      child: new Uint16Array(MAX_STATES),
      sibling: new Uint16Array(MAX_STATES),
    };
    const outputs: (readonly number[] | undefined)[] = [undefined];
    for (const [set, literals] of sets.entries()) {
      if (set % STEPS_PER_PAUSE === STEPS_PER_PAUSE - 1) yield;
      for (const literal of literals) {
        let state = 0;
        for (let index = 0; index < literal.length && index < length; index++) {
          const unitClass = classes[literal.charCodeAt(index)] ?? 0;
          let next = transitions[state * MAX_CLASSES + unitClass] ?? 0;
          if (next === 0) {
            if (outputs.length >= MAX_STATES) return null;
            next = outputs.push(undefined) - 1;
            transitions[state * MAX_CLASSES + unitClass] = next;
            tree.classOf[next] = unitClass;
            tree.sibling[next] = tree.child[state] ?? 0;
            tree.child[state] = next;
          }
          state = next;
        }
        const ending = outputs[state] ?? [];
        // Two literals of a set can be equal after truncation.
        if (ending.at(-1) !== set) outputs[state] = [...ending, set];
      }
    }
    yield;
    const used = transitions.slice(0, outputs.length * MAX_CLASSES);
    yield* complete(used, tree, outputs);
    return new LiteralTrie(used, outputs);
  }
}

/** The children of each state as a list, 0 at its end, and the class that leads to each state. */
interface Tree {
  readonly classOf: Uint8Array;
  readonly child: Uint16Array;
  readonly sibling: Uint16Array;
}

/** Breadth first. Missing transitions are copied from the state of the longest proper suffix. */
function* complete(
  transitions: Uint16Array,
  { classOf, child, sibling }: Tree,
  outputs: (readonly number[] | undefined)[],
): Resumable<void> {
  const fallback = new Uint16Array(outputs.length);
  const queue = new Uint16Array(outputs.length);
  let queued = 1;
  for (let index = 0; index < queued; index++) {
    if (index % STEPS_PER_PAUSE === STEPS_PER_PAUSE - 1) yield;
    const state = queue[index] ?? 0;
    const fallen = (fallback[state] ?? 0) * MAX_CLASSES;
    if (state !== 0) {
      transitions.copyWithin(state * MAX_CLASSES, fallen, fallen + MAX_CLASSES);
      outputs[state] = union(outputs[state], outputs[fallback[state] ?? 0]);
    }
    for (let next = child[state] ?? 0; next !== 0; next = sibling[next] ?? 0) {
      const unitClass = classOf[next] ?? 0;
      fallback[next] = state === 0 ? 0 : (transitions[fallen + unitClass] ?? 0);
      transitions[state * MAX_CLASSES + unitClass] = next;
      queue[queued] = next;
      queued += 1;
    }
  }
}

function union(
  own: readonly number[] | undefined,
  inherited: readonly number[] | undefined,
): readonly number[] | undefined {
  if (own === undefined || inherited === undefined) return own ?? inherited;
  return [...new Set([...own, ...inherited])];
}
