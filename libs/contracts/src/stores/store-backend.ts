import type { ApprovalStore, BudgetStore } from './approvals.store.js';
import type { AuditStore } from '../audit/store.js';
import type { FirewallStore } from '../firewall/firewall.js';
import type { OutboxStore } from '../events/outbox.js';
import type { OutputStore } from '../output/output.js';
import type { OverviewStore } from '../overview/overview.js';
import type { HoldStore, RetentionStore } from './retention.store.js';
import type { ReviewStore } from '../audit/review.store.js';
import type { RunIndex } from '../audit/run-index.js';
import type { RunStore } from '../runs/run.store.js';
import type { SettingsStore } from './settings.store.js';
import type { TransparencyLog } from '../log/transparency-log.js';

/** Receives a line before each step that may take long. */
export type ProgressReport = (line: string) => void;

/** Limits from the settings. */
export interface StoreLimits {
  /** `store.statement_timeout`. An option of the backend itself takes precedence. */
  readonly statementTimeoutMs: number;
}

/**
 * The stores of one backend; one transaction spans them. They exist before `open`, but must not be used until it
 * resolves.
 */
export abstract class StoreBackend {
  abstract readonly audit: AuditStore;
  abstract readonly firewall: FirewallStore;
  abstract readonly output: OutputStore;
  abstract readonly approvals: ApprovalStore;
  abstract readonly budgets: BudgetStore;
  abstract readonly runs: RunStore;
  abstract readonly runIndex: RunIndex;
  abstract readonly settings: SettingsStore;
  abstract readonly overview: OverviewStore;
  abstract readonly reviews: ReviewStore;
  abstract readonly outbox: OutboxStore;
  abstract readonly retention: RetentionStore;
  abstract readonly holds: HoldStore;
  abstract readonly log: TransparencyLog;

  /** Connects, and migrates where configured. Called once, after the boot check. */
  abstract open(limits?: StoreLimits, report?: ProgressReport): Promise<void>;

  /** Commits pending writes and releases all resources. */
  abstract close(): Promise<void>;
}
