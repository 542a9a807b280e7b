import type { Span } from '../../../contracts/src/text.js';
import type { Resumable } from '../resumable.js';
import { Beginnings } from './beginnings.js';
import { BlockMap, type RequiredSet } from './block-map.js';
import type { LinearRegex } from './linear-regex.js';
import { LiteralAutomaton } from './literal-automaton.js';

interface Member {
  readonly regex: LinearRegex;
  /** `null` where nothing is required. */
  readonly clauses: readonly (readonly RequiredSet[])[] | null;
}

/**
 * Many patterns asked about one text. What they require is looked for by one walk over the text, and each is then
 * searched for only near to where all that it requires stands: the spans are those of `LinearRegex.spans`.
 */
export class PatternSet {
  private constructor(
    private readonly members: readonly Member[],
    private readonly literals: LiteralAutomaton,
    private readonly setCount: number,
  ) {}

  static of(regexes: readonly LinearRegex[]): PatternSet {
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
    const members = regexes.map((regex) => ({
      regex,
      clauses:
        regex.required?.map((clause) =>
          clause.map(({ texts, before }) => ({ set: numberOf(texts), before })),
        ) ?? null,
    }));
    return new PatternSet(members, LiteralAutomaton.of(sets), sets.length);
  }

  /** The spans of each pattern that begin `within`, in the order of the patterns; at most 16 each. */
  *search(text: string, within: Beginnings = Beginnings.anywhere): Resumable<readonly (readonly Span[])[]> {
    const map = new BlockMap(this.setCount, text.length);
    yield* this.literals.walk(text, (set, block) => map.add(set, block));
    const found: (readonly Span[])[] = [];
    for (const { regex, clauses } of this.members) {
      if (clauses === null) found.push(yield* regex.search(text, within));
      else if (clauses.some((clause) => map.hasAll(clause))) {
        found.push(yield* regex.search(text, map.beginnings(clauses).and(within)));
      } else found.push([]);
    }
    return found;
  }
}
