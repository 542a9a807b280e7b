import type { Utf16Span } from '#contracts/common/spans.js';
import { longestRuns, plus, units, unitsIn, type MatchLength, type Runs } from './match-length.js';

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
  writeTo(bits: Uint32Array): void {
    if (this.bits === null) bits.fill(0xffffffff);
    else for (let word = 0; word < bits.length; word++) bits[word] = this.bits[word] ?? 0;
  }

  /** The parts of a text with these blocks and `ahead` units behind each, ascending and apart from each other. */
  parts(length: number, ahead: number): readonly Utf16Span[] {
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

  /** The blocks from which a match of at most `length` units can extend to these. */
  upTo(length: number): MatchStarts {
    if (this.bits === null) return this;
    const bits = this.bits.slice();
    extendBackward(bits, Math.ceil(length / (1 << BLOCK_BITS)));
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

/** A set of literals, one of which is in every match and ends at most `before` after its start. */
export interface RequiredSet {
  readonly set: number;
  readonly before: MatchLength;
}

/** What is known of the earlier texts when one form of a text is searched after the other. */
export class EarlierTexts {
  /** The sets of literals in them. */
  readonly literals = new Set<number>();
  /** For some of them the blocks of the present text that differ. */
  differences: readonly MatchStarts[] = [];

  /** The patterns whose literals are among them, if they are known. */
  candidates: readonly number[] | null = null;

  add(literals: readonly number[], candidates: readonly number[]): void {
    for (const set of literals) this.literals.add(set);
    this.candidates = this.literals.size === literals.length ? candidates : null;
  }
}

/** A pattern with the maximum length of its matches. */
interface Lengthy {
  readonly length: MatchLength;
}

/** Lengths of matches in blocks, to which they are rounded up. */
const REACHES = [2, 4, 8, 16, 32, Infinity];

/** Units that are read after a possible start. Behind them, every literal of the earlier texts is assumed. */
const READ_AHEAD = 512;

/** The blocks of a text that contain each set of literals: one bit per set and block. Reads one text after the other. */
export class BlockMap {
  /** The parts of the text that are read. */
  parts: readonly Utf16Span[] = [];
  /** The sets that occur in the text, or are assumed to. */
  seen: number[] = [];
  private text = '';
  private within = MatchStarts.anywhere;
  private earlier: EarlierTexts | null = null;
  private words = 0;
  /** The number of each seen set, from 1. */
  private readonly numbers: Uint32Array;
  private bits = new Uint32Array(0);
  /** The first of `seen`, which are assumed in the blocks that are not read. */
  private earlierSets = 0;
  /** Blocks that are not read. */
  private unread = new Uint32Array(0);
  private near = new Uint32Array(0);
  private all = new Uint32Array(0);
  /** By the number of the reach; `null` if there are none. */
  private startsByReach: (Uint32Array | null | undefined)[] = [];
  private runs: Runs | null = null;

  constructor(sets: number) {
    this.numbers = new Uint32Array(sets);
  }

  /** Replaces the text. */
  read(text: string, within: MatchStarts, earlier: EarlierTexts | null): void {
    for (const set of this.seen) this.numbers[set] = 0;
    this.bits.fill(0, 0, this.seen.length * this.words);
    this.seen = [];
    this.text = text;
    this.within = within;
    this.earlier = earlier;
    this.runs = null;
    this.startsByReach = [];
    const words = (text.length >> (BLOCK_BITS + 5)) + 1;
    if (words === this.words) this.unread.fill(0);
    else {
      this.words = words;
      this.near = new Uint32Array(words);
      this.all = new Uint32Array(words);
      this.unread = new Uint32Array(words);
      if (this.bits.length < 16 * words) this.bits = new Uint32Array(16 * words);
    }
    this.parts = (earlier === null ? MatchStarts.anywhere : within).parts(text.length, READ_AHEAD);
    if (earlier !== null && !within.isAnywhere) {
      this.markUnread();
      for (const set of earlier.literals) this.number(set);
    }
    this.earlierSets = this.seen.length;
  }

  get hasOnlyEarlier(): boolean {
    return this.earlierSets > 0 && this.earlierSets === this.seen.length;
  }

  add(set: number, block: number): void {
    const word = this.number(set) * this.words + (block >> 5);
    this.bits[word] = (this.bits[word] ?? 0) | (1 << (block & 31));
  }

  /** Every set of the clause occurs in the text. */
  hasAll(clause: readonly RequiredSet[]): boolean {
    for (const { set } of clause) if (this.numbers[set] === 0) return false;
    return true;
  }

  /** The starts from which a match can satisfy one of the clauses and differs, `null` if there are none. */
  starts(regex: Lengthy, clauses: readonly (readonly RequiredSet[])[] | null): MatchStarts | null {
    const allowed = this.allowedStarts(regex);
    if (allowed === null || clauses === null) return allowed === null ? null : new MatchStarts(allowed);
    let any: Uint32Array | null = null;
    for (const clause of clauses) {
      if (!this.hasAll(clause) || !this.meet(clause, allowed)) continue;
      if (any === null) any = this.all.slice();
      else for (let word = 0; word < this.words; word++) any[word] = (any[word] ?? 0) | (this.all[word] ?? 0);
    }
    return any === null ? null : new MatchStarts(any);
  }

  /** The starts of matches of this pattern that can extend to a difference from each earlier text; `null` if there are none. */
  private allowedStarts(regex: Lengthy) {
    const blocks = this.earlier === null ? Infinity : this.blocksIn(plus(regex.length, CONTEXT));
    const reach = REACHES.findIndex((most) => blocks <= most);
    let starts = this.startsByReach[reach];
    if (starts === undefined) {
      starts = this.startsWithin(REACHES[reach] ?? Infinity);
      this.startsByReach[reach] = starts;
    }
    return starts;
  }

  private startsWithin(blocks: number): Uint32Array | null {
    const starts = new Uint32Array(this.words);
    this.within.writeTo(starts);
    if (blocks === Infinity) return starts;
    const differ = this.earlier?.differences.every((difference) => {
      difference.writeTo(this.near);
      extendBackward(this.near, blocks);
      return this.keepNear(starts);
    });
    return differ === false ? null : starts;
  }

  /** The place of a set in `bits`. */
  private number(set: number) {
    const known = this.numbers[set] ?? 0;
    if (known !== 0) return known - 1;
    const number = this.seen.push(set);
    this.numbers[set] = number;
    if (number * this.words > this.bits.length) {
      const larger = new Uint32Array(this.bits.length * 2);
      larger.set(this.bits);
      this.bits = larger;
    }
    return number - 1;
  }

  private markUnread() {
    const blocks = (this.text.length >> BLOCK_BITS) + 1;
    let block = 0;
    for (const [start, end] of this.parts) {
      for (; block < start >> BLOCK_BITS; block++) this.setUnread(block);
      block = Math.ceil(end / (1 << BLOCK_BITS));
    }
    for (; block < blocks; block++) this.setUnread(block);
  }

  private setUnread(block: number) {
    this.unread[block >> 5] = (this.unread[block >> 5] ?? 0) | (1 << (block & 31));
  }

  /** Sets `all` to the allowed blocks in which every set of the clause is near. Returns whether there are any. */
  private meet(clause: readonly RequiredSet[], allowed: Uint32Array) {
    this.all.set(allowed);
    return clause.every(({ set, before }) => {
      const number = this.number(set);
      const assumed = number < this.earlierSets ? 0xffffffff : 0;
      for (let word = 0; word < this.words; word++)
        this.near[word] = (this.bits[number * this.words + word] ?? 0) | ((this.unread[word] ?? 0) & assumed);
      extendBackward(this.near, this.blocksIn(before));
      return this.keepNear(this.all);
    });
  }

  /** The number of blocks in which a match of this length extends beyond the first. */
  private blocksIn(length: MatchLength) {
    this.runs ??= longestRuns(this.text, this.parts);
    return Math.ceil(unitsIn(length, this.runs) / (1 << BLOCK_BITS));
  }

  /** Removes the blocks that are not in `near`. Returns whether any is left. */
  private keepNear(bits: Uint32Array) {
    let isNear = false;
    for (let word = 0; word < this.words; word++) {
      const both = (bits[word] ?? 0) & (this.near[word] ?? 0);
      bits[word] = both;
      if (both !== 0) isNear = true;
    }
    return isNear;
  }
}

/** The unit behind a match, on which an assertion at its end depends, and half of a pair. */
const CONTEXT = units(2);

/** Also sets the bits of this many blocks before each. */
function extendBackward(bits: Uint32Array, blocks: number): void {
  if (blocks >= bits.length * 32) everythingBefore(bits);
  else spreadBackward(bits, blocks);
}

function everythingBefore(bits: Uint32Array) {
  const last = bits.findLastIndex((word) => word !== 0);
  bits.fill(0xffffffff, 0, last + 1);
}

function spreadBackward(bits: Uint32Array, blocks: number) {
  for (let done = 0; done < blocks;) {
    const shift = Math.min(blocks - done, done + 1, 31);
    for (let word = 0; word < bits.length; word++) {
      const here = bits[word] ?? 0;
      bits[word] = here | (here >>> shift) | ((bits[word + 1] ?? 0) << (32 - shift));
    }
    done += shift;
  }
}
