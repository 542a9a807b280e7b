import type { QueuedEvent } from '../../../../contracts/src/outbox.js';
import { scrubText } from '../../../../contracts/src/text.js';
import { StepwiseTable, type Delivery } from './stepwise-table.js';

/** A long queue behind one event goes on in strides. */
const FREED_AT_ONCE = 100;

/** How the deliveries of a sink end, or go back into its queue. */
export class StepwiseDeliveries extends StepwiseTable {
  async delivered(events: readonly QueuedEvent[]): Promise<void> {
    const ended = await this.rows<Delivery>(
      `select subject, position from ${this.table} where ${this.ofSink} and position = any($2)`,
      events.map(({ position }) => position),
    );
    await this.change(
      `delete from ${this.table} where ${this.ofSink} and position = any($2)`,
      ended.map(({ position }) => position),
    );
    await this.free(ended);
  }

  async bury({ subject, position, lease }: QueuedEvent, error: string): Promise<void> {
    const buried = await this.change(
      `update ${this.table} set dead_at = ${this.database.dialect.now}, attempts = attempts + 1, lease = null,
         last_error = $2
       where ${this.ofSink} and position = $3 and lease = $4`,
      scrubText(error),
      position,
      lease,
    );
    if (buried > 0) await this.free([{ subject: scrubText(subject), position: String(position) }]);
  }

  async retry({ position, lease }: QueuedEvent, delayMs: number, error: string): Promise<void> {
    await this.change(
      `update ${this.table} set due_at = ${this.database.dialect.fromNow('$2')}, attempts = attempts + 1, lease = null,
         last_error = $3
       where ${this.ofSink} and position = $4 and lease = $5`,
      delayMs,
      scrubText(error),
      position,
      lease,
    );
  }

  async release(events: readonly QueuedEvent[]): Promise<void> {
    for (const lease of new Set(events.map((event) => event.lease))) {
      await this.change(
        `update ${this.table} set due_at = ${this.database.dialect.now}, lease = null
         where ${this.ofSink} and position = any($2) and lease = $3`,
        events.filter((event) => event.lease === lease).map(({ position }) => position),
        lease,
      );
    }
  }

  async revive(limit: number): Promise<number> {
    const dead = await this.rows<Delivery>(
      `select subject, position from ${this.table} where sink = $1 and dead_at is not null
       order by position limit $2`,
      limit,
    );
    await this.change(
      `update ${this.table} set dead_at = null, attempts = 0, queued_at = ${this.database.dialect.now}, due_at = ${this.database.dialect.now}
       where sink = $1 and position = any($2)`,
      dead.map(({ position }) => position),
    );
    return dead.length;
  }

  /** Due since it was queued, so that it comes before what waits behind it. */
  async hasten(limit: number): Promise<void> {
    const { now } = this.database.dialect;
    await this.change(
      `update ${this.table} set due_at = queued_at
       where ${this.ofSink} and lease is null and attempts > 0 and due_at > ${now}
       order by due_at, position limit $2`,
      limit,
    );
  }

  async buryOld(waitedMs: number, limit: number, error: string): Promise<number> {
    const { dialect } = this.database;
    const old = await this.rows<Delivery>(
      `select subject, position from ${this.table}
       where ${this.ofSink} and (lease is null or due_at <= ${dialect.now}) and queued_at <= ${dialect.fromNow('$2')}
       order by position limit $3`,
      -waitedMs,
      limit,
    );
    await this.change(
      `update ${this.table} set dead_at = ${dialect.now}, lease = null, last_error = $2
       where ${this.ofSink} and position = any($3)`,
      scrubText(error),
      old.map(({ position }) => position),
    );
    await this.free(old);
    return old.length;
  }

  async requeue(positions: readonly number[]): Promise<number> {
    const { outbox } = this.database.tables;
    const kept = await this.rows(`select position from ${outbox} where position = any($2)`, positions);
    // One assignment after the other, from the left: whether it was dead is forgotten last.
    await this.change(
      `insert into ${this.table} (sink, subject, position)
       select $1, subject, position from ${outbox} where position = any($2)
       on duplicate key update attempts = if(dead_at is null, attempts, 0),
         queued_at = if(dead_at is null, queued_at, ${this.database.dialect.now}),
         due_at = if(dead_at is null, due_at, ${this.database.dialect.now}), dead_at = null`,
      positions,
    );
    return kept.length;
  }

  /** What was held behind the last of a subject to end need wait no longer. */
  private async free(ended: readonly Delivery[]): Promise<void> {
    const { now } = this.database.dialect;
    for (const subject of new Set(ended.map((delivery) => delivery.subject))) {
      const next = await this.rows<Delivery>(
        `select subject, position from ${this.table} where ${this.ofSink} and subject = $2
         order by position limit ${FREED_AT_ONCE}`,
        subject,
      );
      await this.change(
        `update ${this.table} set due_at = ${now}
         where ${this.ofSink} and subject = $2 and position = any($3) and lease is null and attempts = 0
           and due_at > ${now}`,
        subject,
        next.map(({ position }) => position),
      );
    }
  }
}
