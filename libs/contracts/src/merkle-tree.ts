/** Computes a SHA-256 digest. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

const LEAF = 0x00;
const INNER = 0x01;

/**
 * An append-only hash tree as in RFC 6962, of which only the right edge is kept: the roots of the perfect subtrees, the
 * largest first. The caller passes the hash function, because this layer imports nothing.
 */
export class MerkleTree {
  private readonly edge: Uint8Array[];

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
    let node = this.sha256(joined(LEAF, leaf));
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
    return this.sha256(joined(INNER, left, right));
  }
}

function joined(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 1));
  bytes[0] = prefix;
  let at = 1;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
