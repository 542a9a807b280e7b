import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MerkleTree, type Sha256 } from './merkle-tree.js';

const sha256: Sha256 = (bytes) => createHash('sha256').update(bytes, 'latin1').digest('binary');
const hex = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('hex');
const leaves = Array.from({ length: 40 }, (_, index) => `leaf ${index}`);

/** RFC 6962, 2.1, as it is written there. */
function definedRoot(entries: readonly string[]): string {
  const [first = ''] = entries;
  if (entries.length === 0) return sha256(first);
  if (entries.length === 1) return sha256(`\0${first}`);
  let half = 1;
  while (half * 2 < entries.length) half *= 2;
  return sha256(`\x01${definedRoot(entries.slice(0, half))}${definedRoot(entries.slice(half))}`);
}

describe('the Merkle tree', () => {
  it('has the root that RFC 6962 defines, at every size', () => {
    const tree = new MerkleTree(sha256);
    expect(hex(tree.root())).toBe(hex(definedRoot([])));
    for (const [index, leaf] of leaves.entries()) {
      tree.append(leaf);
      expect([tree.size, hex(tree.root())]).toEqual([
        index + 1,
        hex(definedRoot(leaves.slice(0, index + 1))),
      ]);
    }
  });

  it('continues from its size and the hashes of its right edge', () => {
    for (let size = 0; size <= leaves.length; size++) {
      const tree = new MerkleTree(sha256);
      for (const leaf of leaves.slice(0, size)) tree.append(leaf);
      const continued = new MerkleTree(sha256, tree.size, tree.frontier);
      for (const leaf of leaves.slice(size)) continued.append(leaf);
      expect(hex(continued.root())).toBe(hex(definedRoot(leaves)));
    }
  });
});
