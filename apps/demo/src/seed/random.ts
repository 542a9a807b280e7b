/** Chance that comes out the same on every run. */
export class Random {
  constructor(private state: number) {}

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x9e37_79b9) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to, and without, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<Entry>(entries: readonly Entry[]): Entry {
    const entry = entries[this.below(entries.length)];
    if (entry === undefined) throw new Error('There is nothing to pick from.');
    return entry;
  }
}
