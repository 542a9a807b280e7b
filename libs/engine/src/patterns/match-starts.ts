import type { Span } from '#contracts/text.js';

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

  get isAnywhere(): boolean {
    return this.bits === null;
  }

  /** Sets the bits of these blocks in `bits`, and clears the others. */
  fill(bits: Uint32Array): void {
    if (this.bits === null) bits.fill(0xffffffff);
    else for (let word = 0; word < bits.length; word++) bits[word] = this.bits[word] ?? 0;
  }

  /** The parts of a text with these blocks and `ahead` units behind each, ascending and apart from each other. */
  parts(length: number, ahead: number): readonly Span[] {
    if (this.bits === null) return [[0, length]];
    const parts: [start: number, end: number][] = [];
    for (let block = 0; block << BLOCK_BITS < length; block++) {
      if (!this.has(block)) continue;
      const start = block << BLOCK_BITS;
      const end = Math.min(length, start + (1 << BLOCK_BITS) + ahead);
      const last = parts.at(-1);
      if (last !== undefined && start <= last[1]) last[1] = end;
      else parts.push([start, end]);
    }
    return parts;
  }

  /** The blocks from which a match of at most `units` can extend to these. */
  upTo(units: number): MatchStarts {
    if (this.bits === null) return this;
    const bits = this.bits.slice();
    extendBackward(bits, Math.ceil(units / (1 << BLOCK_BITS)));
    return new MatchStarts(bits);
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

/** Also sets the bits of this many blocks before each. */
export function extendBackward(bits: Uint32Array, blocks: number): void {
  if (blocks >= bits.length * 32) everythingBefore(bits);
  else spreadBackward(bits, blocks);
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
