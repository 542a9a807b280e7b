const SEED = 20_240_229;

/** The seed from `--seed`: a whole number or `random`. The default is fixed, so that a commit always gives the same result. */
export function seedFrom(/** @type {string | undefined} */ given) {
  const seed = given === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(given ?? SEED);
  if (!Number.isInteger(seed)) throw new Error('--seed is a whole number, or "random".');
  console.log(`seed ${seed}; another one: --seed NUMBER, or --seed random`);
  return seed;
}

/** A pseudo-random generator that depends only on its seed (mulberry32). */
export class Random {
  /** @param {number} seed */
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} count */
  below(count) {
    return Math.floor(this.next() * count);
  }

  /**
   * @template Item
   * @param {readonly Item[]} items
   */
  one(items) {
    return items[this.below(items.length)];
  }

  /**
   * @template Item
   * @param {number} most
   * @param {() => Item} make
   */
  some(most, make) {
    return Array.from({ length: 1 + this.below(most) }, make);
  }
}
