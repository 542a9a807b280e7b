import type { Checkpoint, LogHead } from '../events/checkpoints.js';
import type { OutgoingEvent } from '../events/outbox.js';

/**
 * What a leaf is about. A record that changes by design has one leaf for each step: an approval when it is requested and
 * when it is decided, a hold when it is set and when it is released.
 */
export type LeafKind =
  | 'evidence'
  | 'approval'
  | 'approval_decided'
  | 'vote'
  | 'setting_change'
  | 'hold'
  | 'hold_released'
  | 'review'
  | 'retention_run';

/** One record of the transparency log. */
export interface Leaf {
  /** 0 is the first. */
  readonly index: number;
  readonly kind: LeafKind;
  /** The id of the record among those of its kind. It is not hashed. */
  readonly ref: number;
  /** The time of the decision or of the change that was recorded. */
  readonly time: Date;
  /** SHA-256 of the fields that never change, base64url. */
  readonly hash: string;
  /** The hashed fields of a retention run, which show what it deleted; `null` for other kinds. */
  readonly record: readonly unknown[] | null;
}

/** What the text of a leaf contains. A time as text is in ISO 8601, as `toISOString` returns it. */
type LeafFields = Pick<Leaf, 'kind' | 'hash'> & { readonly time: Date | string };

/** The text that the tree hashes: a JSON array. No member needs an escape, so it is ASCII. */
export function leafText({ kind, time, hash }: LeafFields): string {
  return `["${kind}","${typeof time === 'string' ? time : time.toISOString()}","${hash}"]`;
}

/** A signed head to store, with the events that announce it. */
export interface SignedHead {
  readonly note: string;
  readonly outgoing: readonly OutgoingEvent[];
}

/** A keyed digest of the size and the root of the log. */
export type LogSeal = (head: string) => string;

/**
 * Leaves of one append-only tree, and signed checkpoints of it. Every committed decision, approval, vote, settings change,
 * hold, review and finished retention run becomes a leaf once. Leaves contain no texts, and no
 * names except the actor in the record of a retention run. No retention run removes them.
 *
 * There is no log until `extend` is called for the first time. From then on a purge deletes only records that have a leaf.
 */
export abstract class TransparencyLog {
  /**
   * Appends leaves for committed records that have none, at most about `limit` of each kind. One caller at a time does
   * so; the others return at once. Returns whether there may be more.
   */
  abstract extend(limit: number): Promise<boolean>;

  /**
   * Appends leaves for what operators did, but for no decision or approval, and keeps a keyed digest of the log: `sealOf` of
   * `size root`. Resolves to `false`, and changes nothing, if the stored digest differs from that of the log. Stores
   * whose records nobody else can change need no digest.
   */
  async seal(_sealOf: LogSeal): Promise<boolean> {
    return true;
  }

  /**
   * From now on rows that neither a leaf nor the hash of an entry covers (events, reservations, overrides, the minimum age)
   * get a keyed digest when they are written. Stores in the memory of the process need none.
   */
  sealRows(_sealOf: LogSeal): void {}

  /** From this index on, in order. */
  abstract leaves(from: number, limit: number): Promise<readonly Leaf[]>;

  /**
   * Commits a checkpoint together with its events. `null`: the newest one is less than `everyMs` old by the store's
   * clock, or no leaf was added since, or another caller is extending the log.
   */
  abstract checkpoint(everyMs: number, sign: (head: LogHead) => SignedHead): Promise<Checkpoint | null>;

  /** Checkpoints with more than `after` leaves, the smallest first. */
  abstract checkpoints(after: number, limit: number): Promise<readonly Checkpoint[]>;

  /** `null` before the first. */
  abstract newest(): Promise<Checkpoint | null>;
}
