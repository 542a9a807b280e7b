import type { Span } from '#contracts/text.js';
import { runToEnd, type Resumable } from '../resumable.js';
import type { Skips } from './automaton.js';
import { MatchStarts, BLOCK_BITS } from './match-starts.js';
import { MAX_SPANS, type LinearRegex } from './linear-regex.js';
import { LiteralAutomaton } from './literal-automaton.js';
import { longestRuns, unitsIn, type MatchLength, type Runs } from './match-length.js';

interface Member {
  readonly regex: LinearRegex;
  /** `null` if no literal is required. */
  readonly clauses: readonly (readonly RequiredSet[])[] | null;
}

/**
 * Searches a text for many patterns. One pass finds the required literals of all patterns; then each pattern is run only
 * where all its literals occur. The result equals that of `LinearRegex.spans`.
 */
export class PatternSet {
  /** The patterns without required literals. */
  private readonly unconditional: readonly number[];
  /** The patterns with a clause that needs a set, by the set. Each clause is listed once, under its longest literals. */
  private readonly bySet: readonly (readonly number[])[];

  private constructor(
    private readonly members: readonly Member[],
    private readonly literals: LiteralAutomaton,
    private readonly lengths: readonly number[],
  ) {
    const unconditional: number[] = [];
    const bySet = lengths.map((): number[] => []);
    for (const [number, { clauses }] of members.entries()) {
      if (clauses === null) unconditional.push(number);
      else for (const clause of clauses) bySet[this.longestIn(clause)]?.push(number);
    }
    this.unconditional = unconditional;
    this.bySet = bySet;
  }

  static of(regexes: readonly LinearRegex[]): PatternSet {
    return runToEnd(PatternSet.build(regexes));
  }

  /** Builds the set with pauses. */
  static *build(regexes: readonly LinearRegex[]): Resumable<PatternSet> {
    const numbers = new Map<string, number>();
    const sets: (readonly string[])[] = [];
    const numberOf = (set: readonly string[]): number => {
      const key = set.toSorted().join('\0');
      const known = numbers.get(key);
      if (known !== undefined) return known;
      const number = sets.push(set) - 1;
      numbers.set(key, number);
      return number;
    };
    const members: Member[] = [];
    for (const regex of regexes) {
      const clauses = regex.required?.map((clause) =>
        clause.map(({ texts, before }) => ({ set: numberOf(texts), before })),
      );
      members.push({ regex, clauses: clauses ?? null });
      yield;
    }
    const lengths = sets.map((texts) =>
      texts.reduce((least, { length }) => Math.min(least, length), Infinity),
    );
    return new PatternSet(members, yield* LiteralAutomaton.build(sets), lengths);
  }

  /**
   * The spans that start `within`, at most 16 of each pattern, by the number of the pattern and in its order. `skips` has the
   * order of the patterns as well.
   */
  *search(
    text: string,
    within: MatchStarts = MatchStarts.anywhere,
    skips: readonly (Skips | undefined)[] = [],
  ): Resumable<ReadonlyMap<number, readonly Span[]>> {
    const map = new BlockMap(this.lengths.length, text);
    yield* this.literals.walk(text, (set, block) => map.add(set, block));
    const found = new Map<number, readonly Span[]>();
    for (const number of this.candidates(map)) {
      const { regex, clauses } = this.members[number] as Member;
      const starts = clauses === null ? within : map.starts(clauses)?.and(within);
      if (starts === undefined) continue;
      const spans = yield* regex.search(text, starts, MAX_SPANS, skips[number]);
      if (spans.length > 0) found.set(number, spans);
    }
    return found;
  }

  /** The numbers of the patterns whose literals occur in the text, in their order. */
  private candidates(map: BlockMap): readonly number[] {
    const found = new Set(this.unconditional);
    for (const set of map.found) {
      for (const number of this.bySet[set] ?? []) {
        if (!found.has(number) && map.hasOneOf(this.members[number]?.clauses ?? [])) found.add(number);
      }
    }
    return [...found].toSorted((number, other) => number - other);
  }

  /** The set of a clause that is in the fewest texts. */
  private longestIn(clause: readonly RequiredSet[]): number {
    const lengthOf = ({ set }: RequiredSet): number => this.lengths[set] ?? 0;
    return clause.reduce((longest, each) => (lengthOf(each) > lengthOf(longest) ? each : longest)).set;
  }
}

/** A set of literals, one of which is in every match and ends at most `before` after its start. */
interface RequiredSet {
  readonly set: number;
  readonly before: MatchLength;
}

/** The blocks of a text that contain each set of literals: one bit per set and block. */
class BlockMap {
  /** The sets that occur in the text. */
  readonly found: number[] = [];
  private readonly words: number;
  private readonly bits: Uint32Array;
  private readonly seen: Uint8Array;
  /** Reused, so that a search allocates little. */
  private readonly near: Uint32Array;
  private readonly all: Uint32Array;

  private runs: Runs | null = null;

  constructor(
    sets: number,
    private readonly text: string,
  ) {
    this.words = (text.length >> (BLOCK_BITS + 5)) + 1;
    this.bits = new Uint32Array(sets * this.words);
    this.seen = new Uint8Array(sets);
    this.near = new Uint32Array(this.words);
    this.all = new Uint32Array(this.words);
  }

  add(set: number, block: number): void {
    if (this.seen[set] === 0) this.found.push(set);
    this.seen[set] = 1;
    const word = set * this.words + (block >> 5);
    this.bits[word] = (this.bits[word] ?? 0) | (1 << (block & 31));
  }

  hasOneOf(clauses: readonly (readonly RequiredSet[])[]): boolean {
    for (const clause of clauses) if (this.hasAll(clause)) return true;
    return false;
  }

  /** Every set of the clause occurs in the text. */
  private hasAll(clause: readonly RequiredSet[]): boolean {
    for (const { set } of clause) if (this.seen[set] === 0) return false;
    return true;
  }

  /** The starts from which a match can satisfy one of the clauses, `null` if there are none. */
  starts(clauses: readonly (readonly RequiredSet[])[]): MatchStarts | null {
    let any: Uint32Array | null = null;
    for (const clause of clauses) {
      if (!this.hasAll(clause) || !this.meet(clause)) continue;
      if (any === null) any = this.all.slice();
      else for (let word = 0; word < this.words; word++) any[word] = (any[word] ?? 0) | (this.all[word] ?? 0);
    }
    return any === null ? null : new MatchStarts(any);
  }

  /** Sets `all` to the blocks in which every set of the clause is near. Returns whether there are any. */
  private meet(clause: readonly RequiredSet[]): boolean {
    this.all.fill(0xffffffff);
    return clause.every((required) => {
      this.spread(required);
      let isNear = false;
      for (let word = 0; word < this.words; word++) {
        const both = (this.all[word] ?? 0) & (this.near[word] ?? 0);
        this.all[word] = both;
        if (both !== 0) isNear = true;
      }
      return isNear;
    });
  }

  /** Sets `near` to the blocks of a set and the blocks before them from which a match can extend to it. */
  private spread({ set, before }: RequiredSet): void {
    for (let word = 0; word < this.words; word++) this.near[word] = this.bits[set * this.words + word] ?? 0;
    this.runs ??= longestRuns(this.text);
    const blocks = Math.ceil(unitsIn(before, this.runs) / (1 << BLOCK_BITS));
    if (blocks >= this.words * 32) everythingBefore(this.near);
    else spreadBackward(this.near, blocks);
  }
}

function everythingBefore(bits: Uint32Array): void {
  const last = bits.findLastIndex((word) => word !== 0);
  bits.fill(0xffffffff, 0, last + 1);
}

function spreadBackward(bits: Uint32Array, blocks: number): void {
  for (let done = 0; done < blocks;) {
    const shift = Math.min(blocks - done, done + 1, 31);
    for (let word = 0; word < bits.length; word++) {
      const here = bits[word] ?? 0;
      bits[word] = here | (here >>> shift) | ((bits[word + 1] ?? 0) << (32 - shift));
    }
    done += shift;
  }
}
