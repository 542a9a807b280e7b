import { MOST_CLASSES } from './unit-classes.js';

/** Bounds the memory of one automaton to five megabytes. */
const MOST_STATES = 20_000;

/** Literals as a tree of their beginnings, completed to an automaton: every state knows where every class leads. */
export class LiteralTrie {
  readonly width = MOST_CLASSES;
  /** From `state * width + class` to a state. State 0 is the root. */
  readonly transitions: Uint16Array;
  /** The sets of which a literal ends where the state is reached. */
  readonly outputs: readonly (readonly number[])[];
  /** 1 where there are any. */
  readonly ends: Uint8Array;

  private constructor(children: readonly Map<number, number>[], ends: readonly Set<number>[]) {
    this.transitions = new Uint16Array(children.length * MOST_CLASSES);
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
            if (children.length >= MOST_STATES) return null;
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
