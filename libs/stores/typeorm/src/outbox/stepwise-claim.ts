import { EVENT_COLUMNS, type ClaimedColumns } from './outbox.rows.js';
import { StepwiseTable, type Delivery } from './stepwise-table.js';

/** How the deliveries of a sink are taken. */
export class StepwiseClaim extends StepwiseTable {
  /** Of the due ones, those that wait for nobody: the others become due when whoever stands before them does. */
  async take(limit: number, leaseMs: number, lease: string): Promise<readonly ClaimedColumns[]> {
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
       set held.due_at = greatest(held.due_at, blocker.due_at), held.lease = null
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
      `select ${EVENT_COLUMNS.map((column) => `event.${column}`).join(', ')}, delivery.attempts, delivery.queued_at
       from ${this.database.tables.outbox} event join ${this.table} delivery on delivery.position = event.position
       where delivery.sink = $1 and event.position = any($2) order by event.position`,
      positions,
    );
  }
}
