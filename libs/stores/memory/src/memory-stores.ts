import type { Clock } from '#contracts/clock.js';
import { StoreBackend } from '#contracts/store-backend.js';
import { MemoryApprovalStore } from './approvals.store.js';
import { MemoryBudgetStore } from './budgets.store.js';
import { MemoryAuditStore } from './audit.store.js';
import { MemoryFirewallStore } from './firewall.store.js';
import { MemoryTables } from './memory-tables.js';
import { MemoryHoldStore } from './holds.store.js';
import { MemoryOutboxStore } from './outbox.store.js';
import { MemoryOutputStore } from './output.store.js';
import { MemoryOverviewStore } from './overview.store.js';
import { MemoryRetentionStore } from './retention.store.js';
import { MemoryReviewStore } from './reviews.store.js';
import { MemorySettingsStore } from './settings.store.js';
import { MemoryTransparencyLog } from './transparency-log.store.js';

export interface MemoryStoresOptions {
  /** The clock that expires approvals and leases. Default: the system clock. */
  readonly clock?: Clock;
}

/**
 * Creates a backend that keeps everything in the memory of one process, for tests, trials and small installations that
 * may lose their data. Nothing survives a restart or is visible to another instance. Only retention removes rows, and
 * searches and statistics read all of them. Results are the same as those of a database.
 */
export function memoryStores({ clock = systemClock }: MemoryStoresOptions = {}): StoreBackend {
  return new MemoryBackend(clock);
}

const systemClock: Clock = { now: () => new Date() };

class MemoryBackend extends StoreBackend {
  override readonly audit: MemoryAuditStore;
  override readonly firewall: MemoryFirewallStore;
  override readonly output: MemoryOutputStore;
  override readonly settings: MemorySettingsStore;
  override readonly approvals: MemoryApprovalStore;
  override readonly budgets: MemoryBudgetStore;
  override readonly overview: MemoryOverviewStore;
  override readonly reviews: MemoryReviewStore;
  override readonly outbox: MemoryOutboxStore;
  override readonly retention: MemoryRetentionStore;
  override readonly holds: MemoryHoldStore;
  override readonly log: MemoryTransparencyLog;

  constructor(clock: Clock) {
    super();
    const tables = new MemoryTables(clock);
    this.audit = new MemoryAuditStore(tables);
    this.firewall = new MemoryFirewallStore(tables);
    this.output = new MemoryOutputStore(tables);
    this.settings = new MemorySettingsStore(tables);
    this.approvals = new MemoryApprovalStore(tables, clock);
    this.budgets = new MemoryBudgetStore(tables, clock);
    this.overview = new MemoryOverviewStore(tables, clock);
    this.reviews = new MemoryReviewStore(tables);
    this.outbox = new MemoryOutboxStore(tables, clock);
    this.holds = new MemoryHoldStore(tables, clock);
    this.log = new MemoryTransparencyLog(tables, clock);
    this.retention = new MemoryRetentionStore(tables, clock, this.log);
  }

  override async open(): Promise<void> {}

  override async close(): Promise<void> {}
}
