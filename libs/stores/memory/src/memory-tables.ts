import type { HeldApproval } from './approval-steps.js';
import type { AuditEntry, Decision } from '../../../contracts/src/audit.js';
import type { Rejection } from '../../../contracts/src/firewall.js';
import type { OutputCount } from '../../../contracts/src/output.js';
import type { SettingChangeRecord } from '../../../contracts/src/settings/settings.store.js';
import { OutboxTables } from './outbox.tables.js';
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
  readonly rejections = new Table<Rejection>();
  readonly outputCounts: CountedOutput[] = [];
  readonly approvals = new Table<HeldApproval>();
  readonly changes = new Table<SettingChangeRecord>();
  readonly overrides = new Map<string, unknown>();
  revision = 0;
  readonly outbox = new OutboxTables();

  /** Writes a decision that is already a copy of ours, into every channel. */
  write(decision: Decision): number {
    const { evidence, content, rejection, outputCounts, outgoing } = decision;
    const { id } = this.decisions.insert({ ...evidence, ...content });
    if (rejection !== null) this.rejections.insert(rejection);
    for (const count of outputCounts) {
      this.outputCounts.push({ ...count, occurredAt: evidence.occurredAt });
    }
    this.outbox.add(outgoing, id);
    return id;
  }
}
