import type { Clock } from '../../../contracts/src/clock.js';
import { StoreBackend } from '../../../contracts/src/stores.js';
import { MemoryApprovalStore } from './approvals.store.js';
import { MemoryAuditStore } from './audit.store.js';
import { MemoryFirewallStore } from './firewall.store.js';
import { MemoryTables } from './memory-tables.js';
import { MemoryOutboxStore } from './outbox.store.js';
import { MemoryOutputStore } from './output.store.js';
import { MemoryOverviewStore } from './overview.store.js';
import { MemoryRetentionStore } from './retention.store.js';
import { MemorySettingsStore } from './settings.store.js';

/**
 * Everything in the memory of one process: for tests, for trying things out, and for small installations that may
 * forget. Nothing survives a restart, nothing is shared with another instance, and nothing is removed but by
 * retention: it grows with every decision, and searches and statistics walk through all of it. What it answers is what a database would.
 */
export class MemoryBackend extends StoreBackend {
  private readonly tables = new MemoryTables();
  override readonly audit = new MemoryAuditStore(this.tables);
  override readonly firewall = new MemoryFirewallStore(this.tables);
  override readonly output = new MemoryOutputStore(this.tables);
  override readonly settings = new MemorySettingsStore(this.tables);
  override readonly approvals: MemoryApprovalStore;
  override readonly overview: MemoryOverviewStore;
  override readonly outbox: MemoryOutboxStore;
  override readonly retention: MemoryRetentionStore;

  constructor(clock: Clock) {
    super();
    this.approvals = new MemoryApprovalStore(this.tables, clock);
    this.overview = new MemoryOverviewStore(this.tables, clock);
    this.outbox = new MemoryOutboxStore(this.tables, clock);
    this.retention = new MemoryRetentionStore(this.tables, clock);
  }

  /** Nothing to connect to. */
  override async open(): Promise<void> {}

  /** Nothing to release; every write was committed when it was answered. */
  override async close(): Promise<void> {}
}
