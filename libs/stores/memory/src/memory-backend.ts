import type { Clock } from '../../../contracts/src/clock.js';
import { StoreBackend } from '../../../contracts/src/store-backend.js';
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
  override readonly audit: MemoryAuditStore;
  override readonly firewall: MemoryFirewallStore;
  override readonly output: MemoryOutputStore;
  override readonly settings: MemorySettingsStore;
  override readonly approvals: MemoryApprovalStore;
  override readonly overview: MemoryOverviewStore;
  override readonly outbox: MemoryOutboxStore;
  override readonly retention: MemoryRetentionStore;

  constructor(clock: Clock) {
    super();
    const tables = new MemoryTables(clock);
    this.audit = new MemoryAuditStore(tables);
    this.firewall = new MemoryFirewallStore(tables);
    this.output = new MemoryOutputStore(tables);
    this.settings = new MemorySettingsStore(tables);
    this.approvals = new MemoryApprovalStore(tables, clock);
    this.overview = new MemoryOverviewStore(tables, clock);
    this.outbox = new MemoryOutboxStore(tables, clock);
    this.retention = new MemoryRetentionStore(tables, clock);
  }

  /** Nothing to connect to. */
  override async open(): Promise<void> {}

  /** Nothing to release; every write was committed when it was answered. */
  override async close(): Promise<void> {}
}
