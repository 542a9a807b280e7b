import type { Span } from '#contracts/text.js';
import { runToEnd, type Resumable } from '../resumable.js';
import type { Skips } from './automaton.js';
import { BLOCK_BITS, extendBackward, MatchStarts } from './match-starts.js';
import { MAX_SPANS, type LinearRegex } from './linear-regex.js';
import { LiteralAutomaton } from './literal-automaton.js';
import { longestRuns, plus, units, unitsIn, type MatchLength, type Runs } from './match-length.js';

interface Member {
  readonly regex: LinearRegex;
  /** `null` if no literal is required. */
  readonly clauses: readonly (readonly RequiredSet[])[] | null;
}

/** A clause that is looked up when one of its sets occurs in a text. */
interface Watcher {
  readonly member: number;
  readonly clause: readonly RequiredSet[];
}

/**
 * Searches a text for many patterns. One pass finds the required literals of all patterns; then each pattern is run only
 * where all its literals occur. The result equals that of `LinearRegex.spans`.
 */
export class PatternSet {
  /** The last search in which each member was a candidate. */
  private readonly lastFound: Float64Array;
  private searches = 0;

  private constructor(
    private readonly members: readonly Member[],
    private readonly literals: LiteralAutomaton,
    /** By set: the clauses of which it is the rarest one. */
    private readonly watchers: readonly (readonly Watcher[])[],
    /** The members that require no literal. */
    private readonly unconditional: readonly number[],
  ) {
    this.lastFound = new Float64Array(members.length);
  }

  static of(regexes: readonly LinearRegex[]): PatternSet {
    return runToEnd(PatternSet.build(regexes));
  }

  /** Builds the set with pauses. */
  static *build(regexes: readonly LinearRegex[]): Resumable<PatternSet> {
    const numbers = new Map<string, number>();
    const sets: (readonly string[])[] = [];
    const watchers: Watcher[][] = [];
    const numberOf = (set: readonly string[]): number => {
      const key = set.toSorted().join('\0');
      const known = numbers.get(key);
      if (known !== undefined) return known;
      const number = sets.push(set) - 1;
      numbers.set(key, number);
      watchers.push([]);
      return number;
    };
    const members: Member[] = [];
    for (const regex of regexes) {
      const clauses = regex.required?.map((clause) =>
        clause.map(({ texts, before }) => ({ set: numberOf(texts), before })),
      );
      const member = members.push({ regex, clauses: clauses ?? null }) - 1;
      for (const clause of clauses ?? []) watchers[rarestOf(clause, sets)]?.push({ member, clause });
      yield;
    }
    const unconditional = [...members.keys()].filter((member) => members[member]?.clauses === null);
    return new PatternSet(members, yield* LiteralAutomaton.build(sets), watchers, unconditional);
  }

  /**
   * The spans that start `within`, at most 16 of each pattern, by the number of the pattern and in its order. `skips` has the
   * order of the patterns as well.
   *
   * @param earlier the texts that were searched before, if this one equals one of them at every other start and in the 512
   *   units behind it. It is then read only near the starts, and only matches that differ from those of each earlier text
   *   are searched.
   */
  *search(
    text: string,
    within: MatchStarts = MatchStarts.anywhere,
    skips: readonly (Skips | undefined)[] = [],
    earlier: EarlierTexts | null = null,
  ): Resumable<ReadonlyMap<number, readonly Span[]>> {
    const map = new BlockMap(this.watchers.length, text, within, earlier);
    yield* this.literals.walk(text, (set, block) => map.add(set, block), map.parts);
    const found = new Map<number, readonly Span[]>();
    for (const number of this.candidates(map)) {
      const member = this.members[number];
      if (member === undefined) continue;
      const starts = map.starts(member);
      if (starts === null) continue;
      const spans = yield* member.regex.search(text, starts, MAX_SPANS, skips[number]);
      if (spans.length > 0) found.set(number, spans);
    }
    earlier?.add(map.seen);
    return found;
  }

  /** The patterns whose literals occur in the text, ascending. */
  private candidates(map: BlockMap): readonly number[] {
    const found = [...this.unconditional];
    this.searches += 1;
    for (const set of map.seen) {
      for (const { member, clause } of this.watchers[set] ?? []) {
        if (this.lastFound[member] === this.searches || !map.hasAll(clause)) continue;
        this.lastFound[member] = this.searches;
        found.push(member);
      }
    }
    return found.toSorted((one, other) => one - other);
  }
}

/** The set of a clause with the longest literals. */
function rarestOf(clause: readonly RequiredSet[], sets: readonly (readonly string[])[]): number {
  const lengthOf = (set: number): number => Math.min(...(sets[set] ?? []).map(({ length }) => length));
  return clause.reduce((best, { set }) => (lengthOf(set) > lengthOf(best) ? set : best), clause[0]?.set ?? 0);
}

/** A set of literals, one of which is in every match and ends at most `before` after its start. */
interface RequiredSet {
  readonly set: number;
  readonly before: MatchLength;
}

/** What is known of the earlier texts when one form of a text is searched after the other. */
export class EarlierTexts {
  /** The sets of literals in them. */
  readonly literals = new Set<number>();
  /** For some of them the blocks of the present text that differ. */
  differences: readonly MatchStarts[] = [];

  add(literals: Iterable<number>): void {
    for (const set of literals) this.literals.add(set);
  }
}

/** Units that are read after a possible start. Behind them, every literal of the earlier texts is assumed. */
const READ_AHEAD = 512;

/** The blocks of a text that contain each set of literals: one bit per set and block. */
class BlockMap {
  /** The parts of the text that are read. */
  readonly parts: readonly Span[];
  /** The sets that occur in the text, or are assumed to. */
  readonly seen: number[] = [];
  private readonly words: number;
  /** The number of each seen set, from 1. */
  private readonly numbers: Uint32Array;
  private bits: Uint32Array;
  /** The first of `seen`, which are assumed in the blocks that are not read. */
  private readonly earlierSets: number;
  /** Blocks that are not read. */
  private readonly unread: Uint32Array;
  private readonly near: Uint32Array;
  private readonly all: Uint32Array;
  /** The starts that are possible for the present pattern. */
  private readonly allowed: Uint32Array;
  private runs: Runs | null = null;

  constructor(
    sets: number,
    private readonly text: string,
    private readonly within: MatchStarts,
    private readonly earlier: EarlierTexts | null,
  ) {
    this.words = (text.length >> (BLOCK_BITS + 5)) + 1;
    this.numbers = new Uint32Array(sets);
    this.bits = new Uint32Array(16 * this.words);
    this.near = new Uint32Array(this.words);
    this.all = new Uint32Array(this.words);
    this.allowed = new Uint32Array(this.words);
    this.unread = new Uint32Array(this.words);
    this.parts = (earlier === null ? MatchStarts.anywhere : within).parts(text.length, READ_AHEAD);
    if (earlier !== null && !within.isAnywhere) {
      this.markUnread();
      for (const set of earlier.literals) this.number(set);
    }
    this.earlierSets = this.seen.length;
  }

  add(set: number, block: number): void {
    const word = this.number(set) * this.words + (block >> 5);
    this.bits[word] = (this.bits[word] ?? 0) | (1 << (block & 31));
  }

  /** Every set of the clause occurs in the text. */
  hasAll(clause: readonly RequiredSet[]): boolean {
    for (const { set } of clause) if (this.numbers[set] === 0) return false;
    return true;
  }

  /** The starts from which a match can satisfy one of the clauses and differs, `null` if there are none. */
  starts({ regex, clauses }: Member): MatchStarts | null {
    if (!this.differs(regex)) return null;
    if (clauses === null) return new MatchStarts(this.allowed.slice());
    let any: Uint32Array | null = null;
    for (const clause of clauses) {
      if (!this.hasAll(clause) || !this.meet(clause)) continue;
      if (any === null) any = this.all.slice();
      else for (let word = 0; word < this.words; word++) any[word] = (any[word] ?? 0) | (this.all[word] ?? 0);
    }
    return any === null ? null : new MatchStarts(any);
  }

  /** Sets `allowed` to the starts of matches that can extend to a difference from each earlier text. */
  private differs(regex: LinearRegex): boolean {
    this.within.fill(this.allowed);
    return (this.earlier?.differences ?? []).every((difference) => {
      difference.fill(this.near);
      this.spread(plus(regex.length, CONTEXT));
      return this.keepNear(this.allowed);
    });
  }

  /** The place of a set in `bits`. */
  private number(set: number): number {
    const known = this.numbers[set] ?? 0;
    if (known !== 0) return known - 1;
    const number = this.seen.push(set);
    this.numbers[set] = number;
    if (number * this.words > this.bits.length) {
      const larger = new Uint32Array(this.bits.length * 2);
      larger.set(this.bits);
      this.bits = larger;
    }
    return number - 1;
  }

  private markUnread(): void {
    const blocks = (this.text.length >> BLOCK_BITS) + 1;
    let block = 0;
    for (const [start, end] of this.parts) {
      for (; block < start >> BLOCK_BITS; block++) this.setUnread(block);
      block = Math.ceil(end / (1 << BLOCK_BITS));
    }
    for (; block < blocks; block++) this.setUnread(block);
  }

  private setUnread(block: number): void {
    this.unread[block >> 5] = (this.unread[block >> 5] ?? 0) | (1 << (block & 31));
  }

  /** Sets `all` to the allowed blocks in which every set of the clause is near. Returns whether there are any. */
  private meet(clause: readonly RequiredSet[]): boolean {
    this.all.set(this.allowed);
    return clause.every(({ set, before }) => {
      const number = this.number(set);
      const assumed = number < this.earlierSets ? 0xffffffff : 0;
      for (let word = 0; word < this.words; word++)
        this.near[word] = (this.bits[number * this.words + word] ?? 0) | ((this.unread[word] ?? 0) & assumed);
      this.spread(before);
      return this.keepNear(this.all);
    });
  }

  /** Extends `near` to the blocks from which a match of this length can extend to it. */
  private spread(length: MatchLength): void {
    this.runs ??= longestRuns(this.text, this.parts);
    const blocks = Math.ceil(unitsIn(length, this.runs) / (1 << BLOCK_BITS));
    extendBackward(this.near, blocks);
  }

  /** Removes the blocks that are not in `near`. Returns whether others are left. */
  private keepNear(bits: Uint32Array): boolean {
    let isNear = false;
    for (let word = 0; word < this.words; word++) {
      const both = (bits[word] ?? 0) & (this.near[word] ?? 0);
      bits[word] = both;
      if (both !== 0) isNear = true;
    }
    return isNear;
  }
}

/** The unit behind a match, on which an assertion at its end depends, and half of a pair. */
const CONTEXT = units(2);
