import { hash } from 'node:crypto';
import { MerkleTree } from '#contracts/log/merkle-tree.js';
import { leafText, type LeafKind, type LogSeal } from '#contracts/log/transparency-log.js';
import { raw } from '../database/sql.js';

const HASH_BYTES = 32;

/** A row of `log_leaves`: leaves of one kind that were appended together. Many in one row cost far less than a row each. */
interface LeafPage {
  /** Of the first leaf. */
  readonly index: number;
  readonly kind: LeafKind;
  readonly refs: readonly number[];
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
  /** 32 bytes for each leaf. */
  readonly hashes: Buffer;
}

/** As the driver returns it: the elements of arrays are texts. */
export type StoredPage = Omit<LeafPage, 'refs' | 'times'> & {
  readonly refs: readonly string[];
  readonly times: readonly string[];
};

export interface PagedLeaf {
  readonly index: number;
  readonly kind: LeafKind;
  readonly ref: number;
  readonly time: Date;
  readonly hash: Buffer;
}

export const PAGE_COLUMNS = raw('index, kind, refs, times, hashes');

/** `occurred_at` as it is stored in `times`. */
export function millisecondsOf(column: string): string {
  return `(date_part('epoch', ${column}) * 1000)::bigint`;
}

/** `null` if the row was changed and is not a valid page. */
export function leavesOf({ index, kind, refs, times, hashes }: StoredPage): readonly PagedLeaf[] | null {
  const isWhole = refs.length === times.length && hashes.length === refs.length * HASH_BYTES;
  const leaves = refs.map((ref, place) => ({
    index: index + place,
    kind,
    ref: Number(ref),
    time: new Date(Number(times[place])),
    hash: hashes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES),
  }));
  return isWhole && leaves.every(({ time }) => !Number.isNaN(time.getTime())) ? leaves : null;
}

export function logTree(size = 0, frontier: Buffer = Buffer.alloc(0)): MerkleTree {
  const nodes = Array.from({ length: frontier.length / HASH_BYTES }, (_, place) =>
    frontier.toString('latin1', place * HASH_BYTES, (place + 1) * HASH_BYTES),
  );
  return new MerkleTree(sha256, size, nodes);
}

/** As it is stored with the state of the log. */
export function frontierOf({ frontier }: MerkleTree): Buffer {
  return Buffer.from(frontier.join(''), 'latin1');
}

export function rootOf(tree: MerkleTree): Buffer {
  return Buffer.from(tree.root(), 'latin1');
}

/** As it is stored with the state of the log. */
export function sealOfTree(tree: MerkleTree, sealOf: LogSeal): string {
  return `${tree.size} ${sealOf(`${tree.size} ${rootOf(tree).toString('base64')}`)}`;
}

/** Appends leaves of one kind. Entries of a batch often have the same time, and formatting it takes as long as a hash. */
export function appendLeaves(
  tree: MerkleTree,
  { kind, times, hashes }: Pick<LeafPage, 'kind' | 'times' | 'hashes'>,
): void {
  let text = '';
  times.forEach((time, place) => {
    if (time !== times[place - 1]) text = new Date(time).toISOString();
    appendLeaf(tree, kind, text, hashes.toString('base64url', place * HASH_BYTES, (place + 1) * HASH_BYTES));
  });
}

/** @param hashed base64url */
export function appendLeaf(tree: MerkleTree, kind: LeafKind, time: Date | string, hashed: string): void {
  tree.append(leafText({ kind, time, hash: hashed }));
}

/** What the tree hashes for a node that is no leaf. */
const innerNode = Buffer.alloc(1 + 2 * HASH_BYTES);

/** Leaves are ASCII. */
function sha256(bytes: string) {
  if (bytes.length !== innerNode.length) return hash('sha256', bytes, 'binary');
  innerNode.write(bytes, 'latin1');
  return hash('sha256', innerNode, 'binary');
}
