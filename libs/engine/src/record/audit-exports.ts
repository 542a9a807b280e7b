// The routes of exports call it.
import { randomUUID } from 'node:crypto';
import type { AuditFilter } from '#contracts/audit/filter.js';
import type { AuditStore, ExportOrder } from '#contracts/audit/store.js';
import type { ExportedEntry } from '#contracts/audit/record.js';
import type { Checkpoint } from '#contracts/events/checkpoints.js';
import type { Clock } from '#contracts/common/clock.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { AuditExported, type ExportFacts } from '#contracts/events/operation-events.js';
import type { Leaf, TransparencyLog } from '#contracts/log/transparency-log.js';
import type { OperationAuthor, OperationLog } from '../shared/operation-log.js';

/** The key of exports in the change records. */
const EXPORT_KEY = 'audit.export';
/** Exports that one instance serves at the same time. */
const MAX_EXPORTS = 3;

/** Slices hold about this many characters of text, so that memory does not grow with the length of prompts. */
const SLICE_LENGTH = 500_000;
const MIN_SLICE_ROWS = 20;
const MAX_SLICE_ROWS = 2_000;
const FIRST_SLICE = 100;
const LEAVES_AT_ONCE = 2_000;

/** A leaf, or the checkpoint of all leaves before it. */
export type LogItem = Leaf | Checkpoint;

/** Exports audit entries and the transparency log in slices, oldest first. The caller must read to the end or `return`. */
export class AuditExports {
  private running = 0;
  private isClosed = false;

  constructor(
    private readonly audit: AuditStore,
    private readonly transparencyLog: TransparencyLog,
    private readonly operations: OperationLog,
    private readonly clock: Clock,
  ) {}

  /** Entries that are appended after the start are not included. Records who exported what before the first slice. */
  entries(order: ExportOrder, author: OperationAuthor): AsyncGenerator<readonly ExportedEntry[]> {
    return this.limited(this.recordedEntries(order, author));
  }

  /** The log from its first leaf to the newest checkpoint. Empty without a checkpoint. */
  log(): AsyncGenerator<readonly LogItem[]> {
    return this.limited(this.logItems());
  }

  /** Running exports fail, so that their receivers see that they are incomplete. */
  close(): void {
    this.isClosed = true;
  }

  private async *limited<Slice>(slices: AsyncGenerator<Slice>): AsyncGenerator<Slice> {
    if (this.running >= MAX_EXPORTS)
      throw new GuardrailsError(
        'rate_limited',
        `This instance already serves ${MAX_EXPORTS} exports. Retry when one of them has ended.`,
      );
    this.running += 1;
    try {
      yield* slices;
    } finally {
      this.running -= 1;
    }
  }

  private async *recordedEntries(
    order: ExportOrder,
    author: OperationAuthor,
  ): AsyncGenerator<readonly ExportedEntry[]> {
    const { actorId, requestId } = author;
    const { principal_id: principalId = null } = order.filter;
    const facts = factsOf(order);
    const now = this.clock.now();
    const event = new AuditExported(randomUUID(), facts, principalId, actorId, requestId, now);
    const { withContent, ...recorded } = facts;
    await this.operations.record(EXPORT_KEY, { ...recorded, with_content: withContent }, event, author);
    yield* this.slices(order);
  }

  private async *slices(order: ExportOrder): AsyncGenerator<readonly ExportedEntry[]> {
    const { filter, withContent } = order;
    const through = await this.audit.newestId();
    let left = order.limit ?? Number.POSITIVE_INFINITY;
    let size = FIRST_SLICE;
    for (let after: number | null = order.after; after !== null && left > 0;) {
      this.assertOpen();
      const limit = Math.min(size, left);
      const slice = await this.audit.exportSlice(filter, { after, through }, { limit, withContent });
      const { entries } = slice;
      after = slice.next;
      left -= entries.length;
      if (entries.length === 0) continue;
      size = sizeAfter(entries);
      yield entries;
    }
  }

  private async *logItems(): AsyncGenerator<readonly LogItem[]> {
    const log = this.transparencyLog;
    const end = (await log.newest())?.size ?? 0;
    let [next, ...others] = await log.checkpoints(0, LEAVES_AT_ONCE);
    for (let size = 0; size < end;) {
      this.assertOpen();
      const leaves = await log.leaves(size, Math.min(LEAVES_AT_ONCE, end - size));
      if (leaves.length === 0) throw new Error(`The log has no leaf ${size}, but a checkpoint covers it.`);
      const items: LogItem[] = [];
      for (const leaf of leaves) {
        items.push(leaf);
        size += 1;
        if (next?.size !== size) continue;
        items.push(next);
        if (others.length === 0) others = [...(await log.checkpoints(size, LEAVES_AT_ONCE))];
        next = others.shift();
      }
      yield items;
    }
  }

  private assertOpen() {
    if (this.isClosed)
      throw new GuardrailsError('store_unavailable', 'The service is stopping. Continue the export later.');
  }
}

function sizeAfter(entries: readonly ExportedEntry[]) {
  const length = entries.reduce((sum, { content }) => sum + (content?.prompt.length ?? 0), 1);
  const fitting = Math.floor((SLICE_LENGTH * entries.length) / length);
  return Math.min(Math.max(fitting, MIN_SLICE_ROWS), MAX_SLICE_ROWS);
}

/**
 * The change record is never deleted, so it contains neither the principal nor the searched text. The event names the
 * principal, and is deleted with the principal.
 */
function factsOf({ format, withContent, after, limit, filter }: ExportOrder): ExportFacts {
  return { format, withContent, after, limit, filters: filtersOf(filter) };
}

function filtersOf({ principal_id, q, ...filter }: AuditFilter): Readonly<Record<string, unknown>> {
  return {
    ...filter,
    ...(filter.from !== undefined && { from: filter.from.toISOString() }),
    ...(filter.to !== undefined && { to: filter.to.toISOString() }),
    ...(principal_id !== undefined && { principal_id: true }),
    ...(q !== undefined && { q: true }),
  };
}
