import { OutboxStore, type EventName, type QueuedEvent } from '../../../../contracts/src/events.js';
import type { Severity } from '../../../../contracts/src/screening.js';
import { scrubText } from '../../../../contracts/src/text.js';
import type { Database } from '../database.js';
import { rowsOf } from '../database.js';
import { jsonOf } from '../json-text.js';
import { Parameters } from '../parameters.js';

interface ClaimedRow {
  readonly position: string;
  readonly event_id: string;
  readonly name: EventName;
  readonly subject: string;
  readonly severity: Severity;
  readonly occurred_at: Date;
  readonly payload: string;
  readonly audit_id: string | null;
  readonly attempts: number;
}

export class TypeormOutboxStore extends OutboxStore {
  constructor(private readonly database: Database) {
    super();
  }

  override claim(limit: number, leaseMs: number): Promise<readonly QueuedEvent[]> {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    // An event that another claim is just taking is skipped, and as it still waits, so do those behind it.
    const statement = `
      with due as (
        select position from ${tables.outbox} first
        where delivered_at is null and due_at <= ${dialect.now}
          and not exists (
            select 1 from ${tables.outbox} earlier
            where earlier.subject = first.subject and earlier.delivered_at is null
              and earlier.position < first.position)
        order by position limit ${parameters.add(limit)} for update skip locked
      ), claimed as (
        update ${tables.outbox} queued
        set due_at = ${dialect.fromNow(`${parameters.add(leaseMs)}::bigint`)}
        from due where queued.position = due.position
        returning queued.*
      )
      select position, event_id, name, subject, severity, occurred_at, payload, audit_id, attempts
      from claimed order by position`;
    return this.database.statement(async (manager) =>
      (await rowsOf<ClaimedRow>(manager, statement, parameters.values)).map(queuedEvent),
    );
  }

  override delivered(position: number): Promise<void> {
    return this.database.statement(async (manager) => {
      await manager
        .createQueryBuilder()
        .update(this.database.entities.outbox)
        .set({ deliveredAt: () => this.database.dialect.now })
        .where({ position })
        .execute();
    });
  }

  override retry(position: number, delayMs: number, error: string): Promise<void> {
    const { dialect, entities } = this.database;
    return this.database.statement(async (manager) => {
      await manager
        .createQueryBuilder()
        .update(entities.outbox)
        .set({
          attempts: () => 'attempts + 1',
          dueAt: () => dialect.fromNow(':delayMs'),
          lastError: scrubText(error),
        })
        .where({ position })
        .setParameters({ delayMs })
        .execute();
    });
  }
}

function queuedEvent(row: ClaimedRow): QueuedEvent {
  return {
    position: Number(row.position),
    id: row.event_id,
    name: row.name,
    subject: row.subject,
    severity: row.severity,
    occurredAt: row.occurred_at,
    payload: jsonOf(row.payload) as QueuedEvent['payload'],
    auditId: row.audit_id === null ? null : Number(row.audit_id),
    attempts: row.attempts,
  };
}
