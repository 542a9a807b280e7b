import type { Matcher, RE2JS } from 're2js';
import type { Span } from '#contracts/common/text.js';
import { UNITS_PER_PAUSE, type Resumable } from '../shared/resumable.js';
import { BLOCK_BITS, type MatchStarts } from './match-starts.js';

/** Maximum memory of the states of one pattern. If it is exceeded, they are discarded and created again. */
const MAX_BYTES = 2 ** 22;

/** Anchors of re2js: a match can start at every position, or only started matches continue. */
const UNANCHORED = 0;
const ANCHORED = 1;

/** Flags of re2js for the context before a position. */
const AT_LINE_START = 1;
const AT_TEXT_START = 4;
const AFTER_WORD = 512;

/** The symbol after the last character. */
const END = -1;

type LazyAutomaton = ReturnType<RE2JS['re2']>['dfa'];

/** Whether a match does not count. */
export type Skips = (span: Span) => boolean;

interface State {
  readonly isMatch: boolean;
  readonly nfaStates: readonly number[];
  readonly next: (State | null)[] | null;
  readonly nextAnchored: (State | null)[] | null;
}

/** Units between two recorded positions, and between two of them near a match. */
const LONG_STRIDE = 256;
const STRIDE = 12;

/** A position and the state of the automaton at it. */
interface Passed {
  readonly position: number;
  readonly state: State;
}

/**
 * Runs the lazy deterministic automaton of re2js. Every unit is read once to find out that there is no match from any start. It uses internals of re2js, which is therefore pinned to one version.
 */
export class Automaton {
  private lazyStates: LazyAutomaton | undefined;
  private reached: State | undefined;

  constructor(
    private readonly program: RE2JS,
    /** The same pattern, whose matches are as long as possible. */
    private readonly longest: () => RE2JS,
  ) {}

  /**
   * The first matches at the given starts, ascending and without overlap; at most `max`. After a match that is skipped,
   * the search continues at the next character, because a match that starts within the skipped one can end behind it.
   * A match is skipped only if the longest one at its start is, because a lazy pattern hides the longer ones.
   */
  *spans(text: string, starts: MatchStarts, max: number, skips?: Skips): Resumable<readonly Span[]> {
    const spans: Span[] = [];
    let from = nextBeginning(text, 0, starts);
    let matcher: Matcher | undefined;
    while (from < text.length && spans.length < max) {
      const stretch = yield* this.firstStretch(text, from, starts);
      if (stretch === text.length) break;
      matcher ??= this.program.matcher(text);
      if (!matcher.find(stretch)) break;
      const span: Span = [startBehind(matcher), matcher.end()];
      const isSkipped = skips?.([span[0], this.longestEnd(text, matcher)]) === true;
      if (isSkipped) yield;
      else spans.push(span);
      from = nextBeginning(text, isSkipped ? matcher.start() + 1 : matcher.end(), starts);
    }
    return spans;
  }

  private longestEnd(text: string, found: Matcher): number {
    const matcher = this.longest().matcher(text);
    return matcher.find(found.start()) ? Math.max(found.end(), matcher.end()) : found.end();
  }

  /** A position at or shortly before the first match, or the end of the text if there is no match. */
  private *firstStretch(text: string, from: number, starts: MatchStarts): Resumable<number> {
    const progress = { resetPos: -1 };
    let pause = from + UNITS_PER_PAUSE;
    let stretch = from;
    let position = from;
    let passed: Passed[] = [];
    let recorded = -LONG_STRIDE;
    let state = this.begin(text, from);
    if (state === null) return stretch;
    while (position < text.length) {
      if (position >= recorded + LONG_STRIDE) {
        passed.push({ position, state });
        recorded = position;
      }
      const anchor = anchorAt(position >> BLOCK_BITS, starts);
      const end = endOfBlocks(position, Math.min(text.length, recorded + LONG_STRIDE), starts);
      while (position < end) {
        position = this.follow(text, position, end, state, anchor);
        state = this.reached ?? state;
        if (position >= end || (anchor === ANCHORED && state.nfaStates.length === 0)) break;
        const codePoint = text.codePointAt(position) ?? 0;
        const next: State | null = this.step(state, codePoint, anchor, position, progress);
        // There are too many states. The matcher of re2js runs next: it is slower and needs no states.
        if (next === null) return stretch;
        if (next.isMatch) return this.narrowed(text, stretch, passed, position, progress);
        state = next;
        position += codePoint > 0xffff ? 2 : 1;
      }
      if (anchor === ANCHORED && state.nfaStates.length === 0) {
        position = stretch = nextBeginning(text, position, starts);
        const begin = this.begin(text, position);
        if (begin === null) return stretch;
        state = begin;
        passed = [];
        recorded = -LONG_STRIDE;
      }
      if (position >= pause) {
        pause = position + UNITS_PER_PAUSE;
        yield;
      }
    }
    const last = this.step(state, END, UNANCHORED, position, progress);
    if (last === null) return stretch;
    return last.isMatch ? this.narrowed(text, stretch, passed, position, progress) : text.length;
  }

  /**
   * Follows steps for units of Latin-1 that were computed before and lead to no match, at most to `end`, and anchored until no
   * match is possible. Sets `reached` to the state at the returned position. Not a generator, and with one loop for each table,
   * because most of the time of a search is spent here.
   */
  private follow(text: string, from: number, end: number, begin: State, anchor: number): number {
    const classes = this.states.latin1Class;
    let state = begin;
    let position = from;
    if (anchor === UNANCHORED) {
      for (; position < end; position++) {
        const unit = text.charCodeAt(position);
        if (unit > 0xff || state.next === null) break;
        const next = state.next[classes[unit] ?? 0];
        if (next === undefined || next === null || next.isMatch) break;
        state = next;
      }
    } else {
      while (position < end && state.nfaStates.length > 0) {
        const unit = text.charCodeAt(position);
        if (unit > 0xff || state.nextAnchored === null) break;
        const next = state.nextAnchored[classes[unit] ?? 0];
        if (next === undefined || next === null || next.isMatch) break;
        state = next;
        position += 1;
      }
    }
    this.reached = state;
    return position;
  }

  /**
   * Finds a later position before the start of the first match, which ends at `end` or later: one at which no match that
   * had started is still possible at `end`. Searches backwards from the end in doubling steps.
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

  /** Runs the range again and records a position every few units. */
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

  /** Created on first use, because most custom patterns are rarely run: their required literals are missing. */
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

/** The block before a possible start is read unanchored as well, because its last unit is the context of the start. */
function anchorAt(block: number, starts: MatchStarts): number {
  return starts.has(block) || starts.has(block + 1) ? UNANCHORED : ANCHORED;
}

/** The end of the blocks from `position` that are read with the same anchor, at most `limit`. */
function endOfBlocks(position: number, limit: number, starts: MatchStarts): number {
  let block = position >> BLOCK_BITS;
  const anchor = anchorAt(block, starts);
  do block += 1;
  while (block << BLOCK_BITS < limit && anchorAt(block, starts) === anchor);
  return Math.min(limit, block << BLOCK_BITS);
}

/** The start of the match after the `before` group. */
function startBehind(matcher: Matcher): number {
  let start = matcher.start();
  for (let group = 1; group <= matcher.groupCount(); group++) start = Math.max(start, matcher.end(group));
  return start;
}

function nextBeginning(text: string, position: number, starts: MatchStarts): number {
  const next = starts.from(position, text.length);
  // A match cannot start within a surrogate pair. One that starts with the pair belongs to the block before.
  return isInsidePair(text, next) ? next + 1 : next;
}

function isInsidePair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

function wordFlag(unit: number): number {
  return unit < 0x80 && /\w/.test(String.fromCharCode(unit)) ? AFTER_WORD : 0;
}
