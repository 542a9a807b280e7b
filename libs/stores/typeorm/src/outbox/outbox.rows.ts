import type { EventName } from '../../../../contracts/src/events.js';
import type { NumberedEvent, QueuedEvent, StoredEvent } from '../../../../contracts/src/outbox.js';
import type { Severity } from '../../../../contracts/src/screening.js';
import { jsonOf } from '../json-text.js';

export const EVENT_COLUMNS = [
  'position',
  'event_id',
  'name',
  'subject',
  'severity',
  'occurred_at',
  'payload',
  'audit_id',
] as const;

interface EventColumns {
  readonly position: string;
  readonly event_id: string;
  readonly name: EventName;
  readonly subject: string;
  readonly severity: Severity;
  readonly occurred_at: Date;
  readonly payload: string;
  readonly audit_id: string | null;
}

export interface ClaimedColumns extends EventColumns {
  readonly attempts: number;
  readonly queued_at: Date;
}

export interface NumberedColumns extends EventColumns {
  readonly sequence: string;
}

export function queuedEvent(row: ClaimedColumns, lease: string): QueuedEvent {
  return { ...storedEvent(row), attempts: row.attempts, queuedAt: row.queued_at, lease };
}

export function numberedEvent(row: NumberedColumns): NumberedEvent {
  return { ...storedEvent(row), sequence: Number(row.sequence) };
}

function storedEvent(row: EventColumns): StoredEvent {
  return {
    position: Number(row.position),
    id: row.event_id,
    name: row.name,
    subject: row.subject,
    severity: row.severity,
    occurredAt: row.occurred_at,
    payload: jsonOf(row.payload) as StoredEvent['payload'],
    auditId: row.audit_id === null ? null : Number(row.audit_id),
  };
}
