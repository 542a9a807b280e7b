import type { Matcher, RE2JS } from 're2js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { UNITS_PER_PAUSE, type Resumable } from '../shared/resumable.js';
import { BLOCK_BITS, type MatchStarts } from './match-starts.js';
import { ANCHORED, END, LazyStates, type Progress, type State, UNANCHORED } from './re2js-states.js';

/** Whether a match does not count. */
export type Skips = (span: Utf16Span) => boolean;

/** Units between two recorded positions, and between two of them near a match. */
const LONG_STRIDE = 256;
const STRIDE = 12;

/** A position and the state of the automaton at it. */
interface Passed {
  readonly position: number;
  readonly state: State;
}

/**
 * Runs the lazy deterministic automaton of re2js. Every unit is read once to find out that there is no match from any start.
 */
export class Automaton {
  private lazyStates: LazyStates | undefined;
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
  *spans(text: string, starts: MatchStarts, max: number, skips?: Skips): Resumable<readonly Utf16Span[]> {
    const spans: Utf16Span[] = [];
    let from = nextBeginning(text, 0, starts);
    let matcher: Matcher | undefined;
    while (from < text.length && spans.length < max) {
      const stretch = yield* this.firstStretch(text, from, starts);
      if (stretch === text.length) break;
      matcher ??= this.program.matcher(text);
      if (!matcher.find(stretch)) break;
      const span: Utf16Span = [startBehind(matcher), matcher.end()];
      const isSkipped = skips?.([span[0], this.longestEnd(text, matcher)]) === true;
      if (isSkipped) yield;
      else spans.push(span);
      from = nextBeginning(text, isSkipped ? matcher.start() + 1 : matcher.end(), starts);
    }
    return spans;
  }

  private longestEnd(text: string, found: Matcher) {
    const matcher = this.longest().matcher(text);
    return matcher.find(found.start()) ? Math.max(found.end(), matcher.end()) : found.end();
  }

  /** A position at or shortly before the first match, or the end of the text if there is no match. */
  private *firstStretch(text: string, from: number, starts: MatchStarts): Resumable<number> {
    const progress: Progress = { resetPos: -1 };
    let pause = from + UNITS_PER_PAUSE;
    let stretch = from;
    let position = from;
    let passed: Passed[] = [];
    let recorded = -LONG_STRIDE;
    let state = this.states.begin(text, from);
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
        const next: State | null = this.states.step(state, codePoint, anchor, position, progress);
        // There are too many states. The matcher of re2js runs next: it is slower and needs no states.
        if (next === null) return stretch;
        if (next.isMatch) return this.narrowed(text, stretch, passed, position, progress);
        state = next;
        position += codePoint > 0xffff ? 2 : 1;
      }
      if (anchor === ANCHORED && state.nfaStates.length === 0) {
        position = stretch = nextBeginning(text, position, starts);
        const begin = this.states.begin(text, position);
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
    const last = this.states.step(state, END, UNANCHORED, position, progress);
    if (last === null) return stretch;
    return last.isMatch ? this.narrowed(text, stretch, passed, position, progress) : text.length;
  }

  /**
   * Follows steps for units of Latin-1 that were computed before and lead to no match, at most to `end`, and anchored until no
   * match is possible. Sets `reached` to the state at the returned position. Not a generator, and with one loop for each table,
   * because most of the time of a search is spent here.
   */
  private follow(text: string, from: number, end: number, begin: State, anchor: number): number {
    const classes = this.states.classes;
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
    progress: Progress,
  ) {
    const place = this.lastQuiet(text, passed, end, progress);
    if (place === undefined) return stretch;
    const near = this.passedBetween(text, place, end, progress);
    return (this.lastQuiet(text, near, end, progress) ?? place).position;
  }

  private lastQuiet(text: string, passed: readonly Passed[], end: number, progress: Progress) {
    for (let back = 1; back < passed.length; back *= 2) {
      const place = passed[passed.length - back];
      if (place !== undefined && !this.survives(text, place, end, progress)) return place;
    }
    return undefined;
  }

  /** Runs the range again and records a position every few units. */
  private passedBetween(text: string, from: Passed, end: number, progress: Progress): readonly Passed[] {
    const passed: Passed[] = [];
    let state: State | null = from.state;
    for (let position = from.position; position < end && state !== null;) {
      if (position >= (passed.at(-1)?.position ?? -STRIDE) + STRIDE) passed.push({ position, state });
      const codePoint = text.codePointAt(position) ?? 0;
      state = this.states.step(state, codePoint, UNANCHORED, position, progress);
      position += codePoint > 0xffff ? 2 : 1;
    }
    return passed;
  }

  private survives(text: string, from: Passed, end: number, progress: Progress) {
    let state: State | null = from.state;
    for (let position = from.position; position < end;) {
      const codePoint = text.codePointAt(position) ?? 0;
      state = this.states.step(state, codePoint, ANCHORED, position, progress);
      if (state === null) return true;
      if (state.nfaStates.length === 0) return false;
      position += codePoint > 0xffff ? 2 : 1;
    }
    return true;
  }

  /** Created on first use, because most custom patterns are rarely run: their required literals are missing. */
  private get states(): LazyStates {
    this.lazyStates ??= new LazyStates(this.program);
    return this.lazyStates;
  }
}

/** The block before a possible start is read unanchored as well, because its last unit is the context of the start. */
function anchorAt(block: number, starts: MatchStarts): number {
  return starts.has(block) || starts.has(block + 1) ? UNANCHORED : ANCHORED;
}

/** The end of the blocks from `position` that are read with the same anchor, at most `limit`. */
function endOfBlocks(position: number, limit: number, starts: MatchStarts) {
  let block = position >> BLOCK_BITS;
  const anchor = anchorAt(block, starts);
  do block += 1;
  while (block << BLOCK_BITS < limit && anchorAt(block, starts) === anchor);
  return Math.min(limit, block << BLOCK_BITS);
}

/** The start of the match after the `before` group. */
function startBehind(matcher: Matcher) {
  let start = matcher.start();
  for (let group = 1; group <= matcher.groupCount(); group++) start = Math.max(start, matcher.end(group));
  return start;
}

function nextBeginning(text: string, position: number, starts: MatchStarts) {
  const next = starts.from(position, text.length);
  // A match cannot start within a surrogate pair. One that starts with the pair belongs to the block before.
  return isInsidePair(text, next) ? next + 1 : next;
}

function isInsidePair(text: string, index: number) {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
