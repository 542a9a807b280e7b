import type { Utf16Span } from '#contracts/common/spans.js';
import { runToEnd, UNITS_PER_PAUSE, type Resumable } from '../shared/resumable.js';
import type { Skips } from './automaton.js';
import { BlockMap, MatchStarts, type EarlierTexts, type RequiredSet } from './match-starts.js';
import { MAX_SPANS, type LinearRegex } from './linear-regex.js';
import { LiteralAutomaton } from './literal-automaton.js';

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
  /** For the next short text, because to allocate it takes as long as to read the text. */
  private idleMap: BlockMap | null = null;

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
    const shortest: number[] = [];
    const watchers: Watcher[][] = [];
    const numberOf = (set: readonly string[]) => {
      const key = set.join('\0');
      const known = numbers.get(key);
      if (known !== undefined) return known;
      const number = sets.push(set) - 1;
      numbers.set(key, number);
      watchers.push([]);
      shortest.push(Math.min(...set.map(({ length }) => length)));
      return number;
    };
    const members: Member[] = [];
    for (const regex of regexes) {
      const clauses = regex.facts.required?.map((clause) =>
        clause.map(({ texts, before }) => ({ set: numberOf(texts), before })),
      );
      const member = members.push({ regex, clauses: clauses ?? null }) - 1;
      for (const clause of clauses ?? []) watchers[rarestOf(clause, shortest)]?.push({ member, clause });
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
  ): Resumable<ReadonlyMap<number, readonly Utf16Span[]>> {
    // Another search can begin while this one pauses.
    const map = this.idleMap ?? new BlockMap(this.watchers.length);
    this.idleMap = null;
    map.read(text, within, earlier);
    yield* this.literals.walk(text, (set, block) => map.add(set, block), map.parts);
    const found = new Map<number, readonly Utf16Span[]>();
    const candidates = this.candidates(map, earlier);
    for (const number of candidates) {
      const member = this.members[number];
      if (member === undefined) continue;
      const starts = map.starts(member.regex.facts, member.clauses);
      if (starts === null) continue;
      const spans = yield* member.regex.search(text, starts, MAX_SPANS, skips[number]);
      if (spans.length > 0) found.set(number, spans);
    }
    earlier?.add(map.seen, candidates);
    if (text.length <= UNITS_PER_PAUSE) this.idleMap = map;
    return found;
  }

  /** The patterns whose literals occur in the text, ascending. */
  private candidates(map: BlockMap, earlier: EarlierTexts | null): readonly number[] {
    if (earlier !== null && earlier.candidates !== null && map.hasOnlyEarlier) return earlier.candidates;
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
function rarestOf(clause: readonly RequiredSet[], shortest: readonly number[]) {
  const lengthOf = (set: number) => shortest[set] ?? 0;
  return clause.reduce((best, { set }) => (lengthOf(set) > lengthOf(best) ? set : best), clause[0]?.set ?? 0);
}
