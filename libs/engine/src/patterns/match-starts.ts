/** A block of text is 256 units: near enough to know where to look. */
export const BLOCK_BITS = 8;

/** In which blocks of a text a match may begin. */
export class MatchStarts {
  static readonly anywhere = new MatchStarts(null);

  /** One bit for each block; `null` stands for all. */
  constructor(private readonly bits: Uint32Array | null) {}

  /** Where both say so. */
  and({ bits }: MatchStarts): MatchStarts {
    if (bits === null || this.bits === null) return this.bits === null ? new MatchStarts(bits) : this;
    return new MatchStarts(this.bits.map((word, index) => word & (bits[index] ?? 0)));
  }

  has(block: number): boolean {
    return this.bits === null || ((this.bits[block >> 5] ?? 0) & (1 << (block & 31))) !== 0;
  }

  /** The first place from `position` on where a match may begin, `length` where there is none in the text. */
  from(position: number, length: number): number {
    let block = position >> BLOCK_BITS;
    if (this.has(block)) return Math.min(position, length);
    const blocks = length >> BLOCK_BITS;
    do block += 1;
    while (block <= blocks && !this.has(block));
    return Math.min(block << BLOCK_BITS, length);
  }
}
