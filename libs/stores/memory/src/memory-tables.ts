import type { Approval } from '../../../contracts/src/approvals.js';
import type { AuditEntry, Decision } from '../../../contracts/src/audit.js';
import type { OutgoingEvent, QueuedEvent } from '../../../contracts/src/events.js';
import type { Rejection } from '../../../contracts/src/firewall.js';
import type { OutputCount } from '../../../contracts/src/output.js';
import type { SettingChangeRecord } from '../../../contracts/src/settings/settings.store.js';
import { Table } from './table.js';

export interface CountedOutput extends OutputCount {
  readonly occurredAt: Date;
}

export interface WaitingEvent {
  readonly event: QueuedEvent;
  /** Milliseconds since the epoch; it may be claimed from then on. */
  readonly dueAt: number;
}

/**
 * What the stores of one memory backend share. A step that touches several tables prepares everything that can
 * fail — copies, evidence — and only then writes, without an await in between: that is the transaction.
 */
export class MemoryTables {
  readonly decisions = new Table<AuditEntry>();
  readonly rejections = new Table<Rejection>();
  readonly outputCounts: CountedOutput[] = [];
  readonly approvals = new Table<Approval>();
  readonly changes = new Table<SettingChangeRecord>();
  readonly overrides = new Map<string, unknown>();
  revision = 0;
  /** By position, and in its order. */
  readonly outbox = new Map<number, WaitingEvent>();
  private lastPosition = 0;

  /** Writes a decision that is already a copy of ours, into every channel. */
  write(decision: Decision): number {
    const { evidence, content, rejection, outputCounts, outgoing } = decision;
    const { id } = this.decisions.insert({ ...evidence, ...content });
    if (rejection !== null) this.rejections.insert(rejection);
    for (const count of outputCounts) {
      this.outputCounts.push({ ...count, occurredAt: evidence.occurredAt });
    }
    this.enqueue(outgoing, id);
    return id;
  }

  /** Queues events that are already copies of ours; they are due at once. */
  enqueue(outgoing: readonly OutgoingEvent[], auditId: number | null): void {
    for (const event of outgoing) {
      const position = ++this.lastPosition;
      this.outbox.set(position, {
        event: { ...event, position, auditId, attempts: 0 },
        dueAt: Number.NEGATIVE_INFINITY,
      });
    }
  }
}
