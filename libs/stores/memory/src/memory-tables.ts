import type { HeldApproval } from './approval-steps.js';
import type { Clock } from '../../../contracts/src/clock.js';
import type { AuditEntry, Decision } from '../../../contracts/src/audit.js';
import type { Rejection } from '../../../contracts/src/firewall.js';
import type { OutputCount } from '../../../contracts/src/output.js';
import type { SettingChangeRecord } from '../../../contracts/src/settings/settings.store.js';
import { OutboxTables } from './outbox.tables.js';
import type { KeptRun } from './retention.runs.js';
import { Table } from './table.js';

export interface CountedOutput extends OutputCount {
  readonly occurredAt: Date;
}

/**
 * What the stores of one memory backend share. A step that touches several tables prepares everything that can
 * fail — copies, evidence — and only then writes, without an await in between: that is the transaction.
 */
export class MemoryTables {
  readonly decisions = new Table<AuditEntry>();
  /** Everyone whom a decision named, until they are forgotten. */
  readonly principals = new Set<string>();
  /** Purged, and still counted: without a name or a text, and in no list. */
  readonly purged: AuditEntry[] = [];
  readonly rejections = new Table<Rejection>();
  readonly outputCounts: CountedOutput[] = [];
  readonly approvals = new Table<HeldApproval>();
  readonly changes = new Table<SettingChangeRecord>();
  readonly overrides = new Map<string, unknown>();
  revision = 0;
  readonly outbox: OutboxTables;
  readonly retentionRuns = new Table<KeptRun>();

  constructor(clock: Clock) {
    this.outbox = new OutboxTables(clock);
  }

  /** Writes a decision that is already a copy of ours, into every channel. */
  write(decision: Decision): number {
    const { evidence, content, rejection, outputCounts, outgoing } = decision;
    const { id } = this.decisions.insert({ ...evidence, ...content });
    if (evidence.principalId !== null) this.principals.add(evidence.principalId);
    if (rejection !== null) this.rejections.put({ ...rejection, id });
    for (const count of outputCounts) {
      this.outputCounts.push({ ...count, occurredAt: evidence.occurredAt });
    }
    this.outbox.add(outgoing, id);
    return id;
  }

  /** What statistics count. */
  *counted(): Iterable<AuditEntry> {
    yield* this.purged;
    yield* this.decisions;
  }
}
