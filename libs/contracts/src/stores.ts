import type { ApprovalStore } from './approvals.store.js';
import type { AuditStore } from './audit.js';
import type { FirewallStore } from './firewall.js';
import type { OutboxStore } from './outbox.js';
import type { OutputStore } from './output.js';
import type { OverviewStore } from './overview.js';
import type { RetentionStore } from './retention.store.js';
import type { SettingsStore } from './settings/settings.store.js';

/** Limits from the settings. */
export interface StoreLimits {
  /** `store.statement_timeout`. An option of the backend itself takes precedence. */
  readonly statementTimeoutMs: number;
}

/**
 * The stores of one backend, handed over as one unit, because one transaction spans them.
 * They exist before `open`; none may be asked until it resolved.
 */
export abstract class StoreBackend {
  abstract readonly audit: AuditStore;
  abstract readonly firewall: FirewallStore;
  abstract readonly output: OutputStore;
  abstract readonly approvals: ApprovalStore;
  abstract readonly settings: SettingsStore;
  abstract readonly overview: OverviewStore;
  abstract readonly outbox: OutboxStore;
  abstract readonly retention: RetentionStore;

  /** Connects, and migrates where that was asked for. Called once, after the boot check. */
  abstract open(limits?: StoreLimits): Promise<void>;

  /** Releases what `open` took; pending writes are committed first. */
  abstract close(): Promise<void>;
}
