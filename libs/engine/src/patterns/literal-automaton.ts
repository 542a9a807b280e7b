import type { Utf16Span } from '#contracts/common/spans.js';
import { UNITS_PER_PAUSE, type Resumable } from '../shared/resumable.js';
import { BLOCK_BITS } from './match-starts.js';
import { unitClasses, type UnitClasses } from './unit-folding.js';

/** Called where literals end, once per state and block. */
type LiteralHit = (set: number, block: number) => void;

/** Literals are truncated until the automaton fits. A prefix of a required literal is required as well. */
const LENGTHS = [12, 8, 6, 5, 4, 3, 2];

/** Limits the memory of one automaton to one megabyte. */
const MAX_STATES = 20_000;

/** So many states have a table of the next states. The others, which texts seldom reach, have few children. */
const TABLE_ROWS = 1000;

/** Literals between two pauses of building. */
const LITERALS_PER_PAUSE = 4096;

/**
 * Finds folded literals in one pass (Aho–Corasick). May report a literal that is not in the text, but misses none. State 0 is
 * the beginning, and states of longer literals have higher numbers.
 */
export class LiteralAutomaton {
  private size = 1;
  /** The children of each state as a list, 0 at its end, and the class that leads to each state. */
  private readonly child = new Uint16Array(MAX_STATES);
  private readonly sibling = new Uint16Array(MAX_STATES);
  private readonly classOf = new Uint8Array(MAX_STATES);
  /** The state of the longest proper suffix. */
  private readonly fallback = new Uint16Array(MAX_STATES);
  /** The longest suffix that is a literal, which can be the state itself; 0 if there is none. */
  private readonly longestEnd = new Uint16Array(MAX_STATES);
  /** The sets with a literal that ends in each state as a list: its last place in `sets`, and the place before each. */
  private readonly last = new Uint32Array(MAX_STATES);
  private readonly sets: Int32Array;
  private readonly before: Uint32Array;
  private ends = 1;
  /** The next state at `state * width + class`. */
  private readonly table: Uint16Array;
  private readonly width: number;
  private readonly classes: Uint8Array;
  private rows = 0;
  /** The block and search in which each state last reported its sets. */
  private readonly reported = new Float64Array(MAX_STATES);
  private blocksWalked = 1;

  private constructor({ classes, count }: UnitClasses, literals: number) {
    this.classes = classes;
    this.width = count;
    this.table = new Uint16Array(TABLE_ROWS * count);
    this.sets = new Int32Array(literals + 1).fill(-1);
    this.before = new Uint32Array(literals + 1);
  }

  /** Builds the automaton with pauses. A set is identified by its index. */
  static *build(sets: readonly (readonly string[])[]): Resumable<LiteralAutomaton> {
    const literals = sets.flat();
    const setOf = sets.flatMap((texts, set) => texts.map(() => set));
    const classes = unitClasses(literals);
    for (const length of LENGTHS) {
      const automaton = new LiteralAutomaton(classes, literals.length);
      if (yield* automaton.addAll(literals, setOf, length)) return automaton;
    }
    throw new RangeError('Literals of two units always fit.');
  }

  /** @param parts the parts of the text to read, which begin and end with a block and are ascending */
  *walk(text: string, hit: LiteralHit, parts: readonly Utf16Span[] = [[0, text.length]]): Resumable<void> {
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
    const { classes, reported, fallback, longestEnd } = this;
    let state = begin;
    for (let index = from; index < to; index++) {
      state = this.step(state, classes[text.charCodeAt(index)] ?? 0);
      const block = index >> BLOCK_BITS;
      let end = longestEnd[state] ?? 0;
      while (end !== 0 && reported[end] !== stamp + block) {
        reported[end] = stamp + block;
        for (let place = this.last[end] ?? 0; place !== 0; place = this.before[place] ?? 0)
          hit(this.sets[place] ?? 0, block);
        end = longestEnd[fallback[end] ?? 0] ?? 0;
      }
    }
    return state;
  }
  /** Returns `false` if the literals, truncated to `length`, need too many states. */
  private *addAll(literals: readonly string[], setOf: readonly number[], length: number): Resumable<boolean> {
    const states = new Uint16Array(literals.length);
    for (let depth = 0; depth < length; depth++) {
      for (let number = 0; number < literals.length; number++) {
        const literal = literals[number] ?? '';
        if (number % LITERALS_PER_PAUSE === LITERALS_PER_PAUSE - 1) yield;
        if (depth >= literal.length) continue;
        const state = this.grow(states[number] ?? 0, this.classes[literal.charCodeAt(depth)] ?? 0);
        if (state === MAX_STATES) return false;
        states[number] = state;
        if (depth === Math.min(length, literal.length) - 1) this.addEnd(state, setOf[number] ?? 0);
      }
    }
    for (let state = 1; state < this.size; state++)
      this.longestEnd[state] =
        this.last[state] === 0 ? (this.longestEnd[this.fallback[state] ?? 0] ?? 0) : state;
    this.fillTable();
    return true;
  }

  /** The state after a unit of this class. */
  private step(from: number, unitClass: number) {
    let state = from;
    while (state >= this.rows) {
      const next = this.childOf(state, unitClass);
      if (next !== 0 || state === 0) return next;
      state = this.fallback[state] ?? 0;
    }
    return this.table[state * this.width + unitClass] ?? 0;
  }

  private childOf(state: number, unitClass: number) {
    let next = this.child[state] ?? 0;
    while (next !== 0 && this.classOf[next] !== unitClass) next = this.sibling[next] ?? 0;
    return next;
  }

  /** The child, which is added where there is none. The states of all shorter literals are there. */
  private grow(state: number, unitClass: number) {
    const known = this.childOf(state, unitClass);
    if (known !== 0) return known;
    if (this.size === MAX_STATES) return MAX_STATES;
    const added = this.size++;
    this.fallback[added] = state === 0 ? 0 : this.step(this.fallback[state] ?? 0, unitClass);
    this.classOf[added] = unitClass;
    this.sibling[added] = this.child[state] ?? 0;
    this.child[state] = added;
    return added;
  }

  private addEnd(state: number, set: number) {
    const last = this.last[state] ?? 0;
    // Two literals of a set can be equal after truncation.
    if (this.sets[last] === set) return;
    this.sets[this.ends] = set;
    this.before[this.ends] = last;
    this.last[state] = this.ends++;
  }

  private fillTable() {
    const { table, width, child, sibling } = this;
    this.rows = Math.min(this.size, TABLE_ROWS);
    for (let state = 0; state < this.rows; state++) {
      const row = state * width;
      const fallen = (this.fallback[state] ?? 0) * width;
      table.copyWithin(row, fallen, fallen + width);
      for (let next = child[state] ?? 0; next !== 0; next = sibling[next] ?? 0)
        table[row + (this.classOf[next] ?? 0)] = next;
    }
  }
}
