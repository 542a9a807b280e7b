import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { OutgoingEvent, QueuedEvent } from '../../../../contracts/src/outbox.js';
import { perform, rowsOf } from '../rows.js';
import { hasUnnumbered } from './outbox-numbering.js';
import { TypeormOutboxStore } from './outbox.store.js';
import { queuedEvent } from './outbox.rows.js';
import { StepwiseClaim } from './stepwise-claim.js';
import { StepwiseDeliveries } from './stepwise-deliveries.js';
import { numberStepwise } from './stepwise-numbering.js';
import { pruneStepwise } from './stepwise-pruning.js';

/**
 * The outbox of a database whose statements cannot both write and answer: each act is a transaction of a few, and only
 * one at a time on a database. Nothing of it holds up those who put events there.
 */
export class StepwiseOutboxStore extends TypeormOutboxStore {
  override claim(sink: string, limit: number, leaseMs: number): Promise<readonly QueuedEvent[]> {
    const lease = randomUUID();
    return this.database.transaction(async (manager) => {
      await this.waitForTurn(manager);
      const rows = await new StepwiseClaim(manager, this.database, sink).take(limit, leaseMs, lease);
      return rows.map((row) => queuedEvent(row, lease));
    });
  }

  override async delivered(sink: string, events: readonly QueuedEvent[]): Promise<void> {
    if (events.length > 0) await this.alone(sink, (deliveries) => deliveries.delivered(events));
  }

  override retry(sink: string, event: QueuedEvent, delayMs: number, error: string): Promise<void> {
    return this.alone(sink, (deliveries) => deliveries.retry(event, delayMs, error));
  }

  override bury(sink: string, event: QueuedEvent, error: string): Promise<void> {
    return this.alone(sink, (deliveries) => deliveries.bury(event, error));
  }

  override async release(sink: string, events: readonly QueuedEvent[]): Promise<void> {
    if (events.length > 0) await this.alone(sink, (deliveries) => deliveries.release(events));
  }

  override revive(sink: string, limit: number): Promise<number> {
    return this.alone(sink, (deliveries) => deliveries.revive(limit));
  }

  override buryOld(sink: string, waitedMs: number, limit: number, error: string): Promise<number> {
    return this.alone(sink, (deliveries) => deliveries.buryOld(waitedMs, limit, error));
  }

  override hasten(sink: string, limit = Number.MAX_SAFE_INTEGER): Promise<void> {
    return this.alone(sink, (deliveries) => deliveries.hasten(limit));
  }

  override requeue(sink: string, positions: readonly number[]): Promise<number> {
    return this.alone(sink, (deliveries) => deliveries.requeue(positions));
  }

  override async add(events: readonly OutgoingEvent[]): Promise<void> {
    const { dialect, tables } = this.database;
    await this.database.transaction((manager) => dialect.writeEvents(manager, tables, events));
  }

  override prune(before: Date, limit: number, sinks: readonly string[]): Promise<number> {
    return this.database.transaction(async (manager) => {
      await this.waitForTurn(manager);
      return pruneStepwise(manager, this.database.tables, before, limit, sinks);
    });
  }

  protected override async number(): Promise<void> {
    const { tables } = this.database;
    if (!(await this.database.statement((manager) => hasUnnumbered(manager, tables)))) return;
    while (await this.database.transaction((manager) => numberStepwise(manager, tables)));
  }

  private alone<Result>(
    sink: string,
    act: (deliveries: StepwiseDeliveries) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async (manager) => {
      await this.waitForTurn(manager);
      return act(new StepwiseDeliveries(manager, this.database, sink));
    });
  }

  /** A row of its own, that whoever writes it holds until his transaction ends. */
  private async waitForTurn(manager: EntityManager): Promise<void> {
    const { outboxState } = this.database.tables;
    await perform(
      manager,
      `insert into ${outboxState} (id, last_sequence) values (2, 0) on duplicate key update last_sequence = 0`,
    );
    await rowsOf(manager, `select id from ${outboxState} where id = 2 for update`);
  }
}
