/**
 * The private part of re2js, and the only file that uses it: the lazy states of its automaton (`RE2JS.re2().dfa`), their tables,
 * and the numbers of its anchors and flags. re2js is pinned to one version, and a test fails where version or shape differ.
 */
import type { RE2JS } from 're2js';

/** Maximum memory of the states of one pattern. If it is exceeded, they are discarded and created again. */
const MAX_BYTES = 2 ** 22;

/** A match can start at every position, or only started matches continue. */
export const UNANCHORED = 0;
export const ANCHORED = 1;

/** The symbol after the last character. */
export const END = -1;

/** What is known of the context before a position. */
const AT_LINE_START = 1;
const AT_TEXT_START = 4;
const AFTER_WORD = 512;

export interface State {
  readonly isMatch: boolean;
  /** Empty if no match is possible any more. */
  readonly nfaStates: readonly number[];
  /** The next states by class of character, as far as they were computed. */
  readonly next: (State | null)[] | null;
  readonly nextAnchored: (State | null)[] | null;
}

/** Of one search: where re2js last discarded the states. */
export interface Progress {
  resetPos: number;
}

/** The states of one pattern. */
export class LazyStates {
  private readonly dfa: ReturnType<RE2JS['re2']>['dfa'];

  constructor(program: RE2JS) {
    this.dfa = program.re2().dfa;
    this.dfa.stateBudget = MAX_BYTES;
    this.dfa.memBudget = MAX_BYTES;
  }

  /** The classes of the units of Latin-1. */
  get classes(): ArrayLike<number> {
    return this.dfa.latin1Class;
  }

  /** The state before the first character; `null` if there are too many states. */
  begin(text: string, position: number): State | null {
    const before = position === 0 ? -1 : text.charCodeAt(position - 1);
    const flags =
      before === -1 ? AT_TEXT_START | AT_LINE_START : before === 0x0a ? AT_LINE_START : wordFlag(before);
    const known = this.dfa.startStates.get(flags) as State | undefined;
    if (known !== undefined) return known;
    const begin = () => this.dfa.makeState([this.dfa.prog.start], flags, []) as State | null;
    let state = begin();
    if (state === null) {
      this.dfa.clearCache();
      state = begin();
    }
    if (state !== null) this.dfa.startStates.set(flags, state);
    return state;
  }

  /** The state after a character; `null` if there are too many states. */
  step(state: State, codePoint: number, anchor: number, position: number, progress: Progress): State | null {
    const { dfa } = this;
    const unitClass =
      codePoint === END
        ? dfa.numClasses
        : codePoint <= 0xff
          ? (dfa.latin1Class[codePoint] ?? 0)
          : dfa.searchClass(codePoint);
    const table = anchor === UNANCHORED ? state.next : state.nextAnchored;
    return (
      table?.[unitClass] ??
      (dfa.stepOrReset(state, unitClass, codePoint, anchor, position, progress) as State | null)
    );
  }
}

function wordFlag(unit: number): number {
  return unit < 0x80 && /\w/.test(String.fromCharCode(unit)) ? AFTER_WORD : 0;
}
