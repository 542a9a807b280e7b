/** Computes a SHA-256 digest. It must not keep `bytes`, which are overwritten after the call. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

const LEAF = 0x00;
const INNER = 0x01;
const NOTHING = new Uint8Array();

/**
 * An append-only hash tree as in RFC 6962, of which only the right edge is kept: the roots of the perfect subtrees, the
 * largest first. The caller passes the hash function, because this layer imports nothing.
 */
export class MerkleTree {
  private readonly edge: Uint8Array[];
  private buffer = new Uint8Array(256);

  constructor(
    private readonly sha256: Sha256,
    private count = 0,
    edge: readonly Uint8Array[] = [],
  ) {
    this.edge = [...edge];
  }

  get size(): number {
    return this.count;
  }

  /** Pass it, with the size, to continue this tree. */
  get frontier(): readonly Uint8Array[] {
    return this.edge;
  }

  append(leaf: Uint8Array): void {
    let node = this.hashOf(LEAF, leaf);
    for (let left = this.count; left % 2 === 1; left = Math.floor(left / 2)) {
      node = this.inner(this.edge.pop() ?? node, node);
    }
    this.edge.push(node);
    this.count += 1;
  }

  root(): Uint8Array {
    const [last, ...others] = this.edge.toReversed();
    if (last === undefined) return this.sha256(new Uint8Array());
    return others.reduce((right, left) => this.inner(left, right), last);
  }

  private inner(left: Uint8Array, right: Uint8Array): Uint8Array {
    return this.hashOf(INNER, left, right);
  }

  /** Reuses one buffer, because allocating it would take longer than hashing. */
  private hashOf(prefix: number, first: Uint8Array, second: Uint8Array = NOTHING): Uint8Array {
    const length = 1 + first.length + second.length;
    if (length > this.buffer.length) this.buffer = new Uint8Array(2 * length);
    this.buffer[0] = prefix;
    this.buffer.set(first, 1);
    this.buffer.set(second, 1 + first.length);
    return this.sha256(this.buffer.subarray(0, length));
  }
}
