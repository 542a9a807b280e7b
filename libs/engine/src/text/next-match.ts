/** Finds the next match after a place. Keeps the last one, so that many places before one match cost one search. */
export class NextMatch {
  private searchedFrom = Infinity;
  private found = -1;

  /** @param pattern an expression with the flag `g`, or the text itself */
  constructor(
    private readonly pattern: RegExp | string,
    private readonly text: string,
  ) {}

  /** The start of the first match at or after `at`; the length of the text if there is none. */
  from(at: number): number {
    if (at < this.searchedFrom || this.found < at) {
      this.found = this.search(at);
      this.searchedFrom = at;
    }
    return this.found;
  }

  private search(at: number) {
    const { pattern, text } = this;
    if (typeof pattern === 'string') {
      const found = text.indexOf(pattern, at);
      return found < 0 ? text.length : found;
    }
    pattern.lastIndex = at;
    return pattern.exec(text)?.index ?? text.length;
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
