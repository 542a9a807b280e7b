import type { EntityManager } from 'typeorm';
import type { QueuedEvent } from '../../../../contracts/src/outbox.js';
import { scrubText } from '../../../../contracts/src/text.js';
import type { Database } from '../database.js';
import { perform, rowsOf } from '../rows.js';
import { EVENT_COLUMNS, type ClaimedColumns } from './outbox.rows.js';

interface Delivery {
  readonly subject: string;
  readonly position: string;
}

/** A long queue behind one event goes on in strides. */
const FREED_AT_ONCE = 100;

/** The deliveries of one sink, in the hands of whoever alone may change them. */
export class StepwiseDeliveries {
  private readonly table: string;
  private readonly ofSink = 'sink = $1 and dead_at is null';

  constructor(
    private readonly manager: EntityManager,
    private readonly database: Database,
    private readonly sink: string,
  ) {
    this.table = database.tables.deliveries;
  }

  /** Of the due ones, those that wait for nobody: the others become due when whoever stands before them does. */
  async claim(limit: number, leaseMs: number, lease: string): Promise<readonly ClaimedColumns[]> {
    const { now } = this.database.dialect;
    const due = await this.rows<Delivery>(
      `select subject, position from ${this.table} where ${this.ofSink} and due_at <= ${now}
       order by due_at, position limit $2`,
      limit,
    );
    if (due.length === 0) return [];
    const blockers = await this.blockersOf(due);
    const isHeld = ({ subject, position }: Delivery): boolean =>
      Number(position) > (blockers.get(subject) ?? Number.POSITIVE_INFINITY);
    await this.hold(due.filter(isHeld), [...blockers.values()]);
    return this.lease(
      due.filter((delivery) => !isHeld(delivery)),
      leaseMs,
      lease,
    );
  }

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
      `update ${this.table} set dead_at = null, attempts = 0, due_at = ${this.database.dialect.now}
       where sink = $1 and position = any($2)`,
      dead.map(({ position }) => position),
    );
    return dead.length;
  }

  async hasten(): Promise<void> {
    const { now } = this.database.dialect;
    await this.change(
      `update ${this.table} set due_at = ${now}
       where ${this.ofSink} and lease is null and attempts > 0 and due_at > ${now}`,
    );
  }

  async requeue(positions: readonly number[]): Promise<number> {
    const { outbox } = this.database.tables;
    const kept = await this.rows(`select position from ${outbox} where position = any($2)`, positions);
    // One assignment after the other, from the left: whether it was dead is forgotten last.
    await this.change(
      `insert into ${this.table} (sink, subject, position)
       select $1, subject, position from ${outbox} where position = any($2)
       on duplicate key update attempts = if(dead_at is null, attempts, 0),
         due_at = if(dead_at is null, due_at, ${this.database.dialect.now}), dead_at = null`,
      positions,
    );
    return kept.length;
  }

  /** Subject → the first that waits, and is not among these. */
  private async blockersOf(due: readonly Delivery[]): Promise<ReadonlyMap<string, number>> {
    const blockers = await this.rows<Delivery>(
      `select subject, min(position) as position from ${this.table}
       where ${this.ofSink} and subject = any($2) and not (position = any($3)) group by subject`,
      [...new Set(due.map(({ subject }) => subject))],
      due.map(({ position }) => position),
    );
    return new Map(blockers.map(({ subject, position }) => [subject, Number(position)]));
  }

  private async hold(held: readonly Delivery[], blockers: readonly number[]): Promise<void> {
    if (held.length === 0) return;
    await this.change(
      `update ${this.table} held join ${this.table} blocker
         on blocker.sink = held.sink and blocker.subject = held.subject and blocker.position = any($2)
       set held.due_at = greatest(held.due_at, blocker.due_at)
       where held.sink = $1 and held.position = any($3)`,
      blockers,
      held.map(({ position }) => position),
    );
  }

  private async lease(
    taken: readonly Delivery[],
    leaseMs: number,
    lease: string,
  ): Promise<readonly ClaimedColumns[]> {
    const positions = taken.map(({ position }) => position);
    await this.change(
      `update ${this.table} set due_at = ${this.database.dialect.fromNow('$2')}, lease = $3
       where ${this.ofSink} and position = any($4)`,
      leaseMs,
      lease,
      positions,
    );
    return this.rows<ClaimedColumns>(
      `select ${EVENT_COLUMNS.map((column) => `event.${column}`).join(', ')}, delivery.attempts
       from ${this.database.tables.outbox} event join ${this.table} delivery on delivery.position = event.position
       where delivery.sink = $1 and event.position = any($2) order by event.position`,
      positions,
    );
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

  /** `$1` is the sink. */
  private rows<Row>(statement: string, ...parameters: readonly unknown[]): Promise<Row[]> {
    return rowsOf<Row>(this.manager, statement, [this.sink, ...parameters]);
  }

  private async change(statement: string, ...parameters: readonly unknown[]): Promise<number> {
    const answer = await perform<{ affectedRows: number }>(this.manager, statement, [
      this.sink,
      ...parameters,
    ]);
    return answer.affectedRows;
  }
}
