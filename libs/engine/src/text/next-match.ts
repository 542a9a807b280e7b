/** Finds the next match after a place. Keeps the last one, so that many places before one match cost one search. */
export class NextMatch {
  private searchedFrom = Infinity;
  private found = -1;

  /** @param pattern with the flag `g` */
  constructor(
    private readonly pattern: RegExp,
    private readonly text: string,
  ) {}

  /** The start of the first match at or after `at`; the length of the text if there is none. */
  from(at: number): number {
    if (at < this.searchedFrom || this.found < at) {
      this.pattern.lastIndex = at;
      this.found = this.pattern.exec(this.text)?.index ?? this.text.length;
      this.searchedFrom = at;
    }
    return this.found;
  }
}

/** The end of a match at `at`; -1 where there is none. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The match at `at`; empty where there is none. */
export function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
