/** Possible starts are tracked per block of 16 units. */
export const BLOCK_BITS = 4;

/** The blocks of a text in which a match can start. */
export class MatchStarts {
  static readonly anywhere = new MatchStarts(null);

  /** One bit per block; `null` means all blocks. */
  constructor(private readonly bits: Uint32Array | null) {}

  get isEmpty(): boolean {
    return this.bits !== null && this.bits.every((word) => word === 0);
  }

  and({ bits }: MatchStarts): MatchStarts {
    if (bits === null || this.bits === null) return this.bits === null ? new MatchStarts(bits) : this;
    return new MatchStarts(this.bits.map((word, index) => word & (bits[index] ?? 0)));
  }

  has(block: number): boolean {
    return this.bits === null || ((this.bits[block >> 5] ?? 0) & (1 << (block & 31))) !== 0;
  }

  /** The first possible start at or after `position`, `length` if there is none. */
  from(position: number, length: number): number {
    let block = position >> BLOCK_BITS;
    if (this.has(block)) return Math.min(position, length);
    const blocks = length >> BLOCK_BITS;
    do block += 1;
    while (block <= blocks && !this.has(block));
    return Math.min(block << BLOCK_BITS, length);
  }
}
