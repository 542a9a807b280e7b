import type { Matcher, RE2JS } from 're2js';
import type { Span } from '../../../contracts/src/span.js';
import { UNITS_PER_PAUSE, type Resumable } from '../resumable.js';
import { BLOCK_BITS, type MatchStarts } from './match-starts.js';

/** What the states of one pattern may weigh. Beyond it they are forgotten, and made anew where needed. */
const MAX_BYTES = 2 ** 22;

/** Whether a match may begin anywhere, or only what began goes on. Numbers of re2js. */
const UNANCHORED = 0;
const ANCHORED = 1;

/** What a state looks back on. Numbers of re2js. */
const AT_LINE_START = 1;
const AT_TEXT_START = 4;
const AFTER_WORD = 512;

/** Read after the last character. */
const END = -1;

type LazyAutomaton = ReturnType<RE2JS['re2']>['dfa'];

interface State {
  readonly isMatch: boolean;
  readonly nfaStates: readonly number[];
  readonly next: (State | null)[] | null;
  readonly nextAnchored: (State | null)[] | null;
}

/** Units between two looks around, near to a match. */
const STRIDE = 12;

/** Where the automaton stood, and in which state. */
interface Passed {
  readonly position: number;
  readonly state: State;
}

/**
 * Drives the deterministic automaton of re2js, which makes its states while it reads. Going on only while
 * something that began is under way, it reads no unit twice to find out that there is no match, wherever
 * matches may begin. It reads internals, which is why re2js is pinned to one version.
 */
export class Automaton {
  private lazyStates: LazyAutomaton | undefined;

  constructor(private readonly program: RE2JS) {}

  /** The first matches that begin where they may, ascending and apart; at most `max`. */
  *spans(text: string, starts: MatchStarts, max: number): Resumable<readonly Span[]> {
    const spans: Span[] = [];
    let from = nextBeginning(text, 0, starts);
    if (from === text.length) return spans;
    const matcher = this.program.matcher(text);
    while (from < text.length && spans.length < max) {
      const stretch = yield* this.firstStretch(text, from, starts);
      if (stretch === text.length || !matcher.find(stretch)) break;
      spans.push([startBehind(matcher), matcher.end()]);
      from = nextBeginning(text, matcher.end(), starts);
    }
    return spans;
  }

  /** A place at or a little before the first match; the end of the text where there is no match. */
  private *firstStretch(text: string, from: number, starts: MatchStarts): Resumable<number> {
    const progress = { resetPos: -1 };
    let pause = from + UNITS_PER_PAUSE;
    let stretch = from;
    let position = from;
    let passed: Passed[] = [];
    let state = this.begin(text, from);
    while (position < text.length) {
      const block = position >> BLOCK_BITS;
      // Wherever a match may begin, the unit before it is read as one that may be followed by a beginning.
      const anchor = starts.has(block) || starts.has(block + 1) ? UNANCHORED : ANCHORED;
      const end = Math.min(text.length, (block + 1) << BLOCK_BITS);
      if (state !== null) passed.push({ position, state });
      while (position < end) {
        const codePoint = text.codePointAt(position) ?? 0;
        state = state === null ? null : this.step(state, codePoint, anchor, position, progress);
        // Too many states: the simulation that tells where is slower, and needs none.
        if (state === null) return stretch;
        if (state.isMatch) return this.narrowed(text, stretch, passed, position, progress);
        position += codePoint > 0xffff ? 2 : 1;
      }
      if (anchor === ANCHORED && state?.nfaStates.length === 0) {
        position = stretch = nextBeginning(text, position, starts);
        state = this.begin(text, position);
        passed = [];
      }
      if (position >= pause) {
        pause = position + UNITS_PER_PAUSE;
        yield;
      }
    }
    state = state === null ? null : this.step(state, END, UNANCHORED, position, progress);
    if (state === null) return stretch;
    return state.isMatch ? this.narrowed(text, stretch, passed, position, progress) : text.length;
  }

  /**
   * The first match ends at `end` or later. It begins after any place where nothing that had begun by then
   * is still under way at `end`: such a place is looked for from the end on, in steps that double.
   */
  private narrowed(
    text: string,
    stretch: number,
    passed: readonly Passed[],
    end: number,
    progress: { resetPos: number },
  ): number {
    const place = this.lastQuiet(text, passed, end, progress);
    if (place === undefined) return stretch;
    const near = this.passedBetween(text, place, end, progress);
    return (this.lastQuiet(text, near, end, progress) ?? place).position;
  }

  private lastQuiet(
    text: string,
    passed: readonly Passed[],
    end: number,
    progress: { resetPos: number },
  ): Passed | undefined {
    for (let back = 1; back < passed.length; back *= 2) {
      const place = passed[passed.length - back];
      if (place !== undefined && !this.survives(text, place, end, progress)) return place;
    }
    return undefined;
  }

  /** The way once more, with a look around every few units. */
  private passedBetween(
    text: string,
    from: Passed,
    end: number,
    progress: { resetPos: number },
  ): readonly Passed[] {
    const passed: Passed[] = [];
    let state: State | null = from.state;
    for (let position = from.position; position < end && state !== null;) {
      if (position >= (passed.at(-1)?.position ?? -STRIDE) + STRIDE) passed.push({ position, state });
      const codePoint = text.codePointAt(position) ?? 0;
      state = this.step(state, codePoint, UNANCHORED, position, progress);
      position += codePoint > 0xffff ? 2 : 1;
    }
    return passed;
  }

  private survives(text: string, from: Passed, end: number, progress: { resetPos: number }): boolean {
    let state: State | null = from.state;
    for (let position = from.position; position < end;) {
      const codePoint = text.codePointAt(position) ?? 0;
      state = this.step(state, codePoint, ANCHORED, position, progress);
      if (state === null) return true;
      if (state.nfaStates.length === 0) return false;
      position += codePoint > 0xffff ? 2 : 1;
    }
    return true;
  }

  /** Made when first asked: most patterns of an operator wait long for the literals that they require. */
  private get states(): LazyAutomaton {
    if (this.lazyStates === undefined) {
      this.lazyStates = this.program.re2().dfa;
      this.lazyStates.stateBudget = MAX_BYTES;
      this.lazyStates.memBudget = MAX_BYTES;
    }
    return this.lazyStates;
  }

  private begin(text: string, position: number): State | null {
    const before = position === 0 ? -1 : text.charCodeAt(position - 1);
    const flags =
      before === -1 ? AT_TEXT_START | AT_LINE_START : before === 0x0a ? AT_LINE_START : wordFlag(before);
    const known = this.states.startStates.get(flags) as State | undefined;
    if (known !== undefined) return known;
    const begin = (): State | null =>
      this.states.makeState([this.states.prog.start], flags, []) as State | null;
    let state = begin();
    if (state === null) {
      this.states.clearCache();
      state = begin();
    }
    if (state !== null) this.states.startStates.set(flags, state);
    return state;
  }

  private step(
    state: State,
    codePoint: number,
    anchor: number,
    position: number,
    progress: { resetPos: number },
  ): State | null {
    const { states } = this;
    const unitClass =
      codePoint === END
        ? states.numClasses
        : codePoint <= 0xff
          ? (states.latin1Class[codePoint] ?? 0)
          : states.searchClass(codePoint);
    const table = anchor === UNANCHORED ? state.next : state.nextAnchored;
    return (
      table?.[unitClass] ??
      (states.stepOrReset(state, unitClass, codePoint, anchor, position, progress) as State | null)
    );
  }
}

/** Where the match begins, without what only had to stand before it. */
function startBehind(matcher: Matcher): number {
  let start = matcher.start();
  for (let group = 1; group <= matcher.groupCount(); group++) start = Math.max(start, matcher.end(group));
  return start;
}

function nextBeginning(text: string, position: number, starts: MatchStarts): number {
  const next = starts.from(position, text.length);
  // Nothing begins within a pair; what begins with it belongs to the block before.
  return isInsidePair(text, next) ? next + 1 : next;
}

function isInsidePair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

function wordFlag(unit: number): number {
  return unit < 0x80 && /\w/.test(String.fromCharCode(unit)) ? AFTER_WORD : 0;
}
