import type { ApprovalStore, BudgetStore } from '#contracts/stores/approvals.store.js';
import type { AuditStore } from '#contracts/audit/store.js';
import type { FirewallStore } from '#contracts/firewall/firewall.js';
import type { ReviewStore } from '#contracts/audit/review.store.js';
import type { OutboxStore } from '#contracts/events/outbox.js';
import type { OutputStore } from '#contracts/output/output.js';
import type { OverviewStore } from '#contracts/overview/overview.js';
import type { RunIndex } from '#contracts/audit/run-index.js';
import type { RunStore } from '#contracts/runs/run.store.js';
import type { RetentionStore, HoldStore } from '#contracts/stores/retention.store.js';
import type { SettingsStore } from '#contracts/stores/settings.store.js';
import { StoreBackend, type StoreLimits } from '#contracts/stores/store-backend.js';
import type { TransparencyLog } from '#contracts/log/transparency-log.js';

/** Calls that an instance makes periodically, without a request. */
const ASKED_BY_ITSELF: ReadonlySet<string> = new Set([
  'settings.revision',
  'settings.read',
  'approvals.stuck',
  'approvals.dueReminders',
  'outbox.claim',
  'outbox.delivered',
  'outbox.retry',
  'outbox.markDead',
  'outbox.release',
  'outbox.after',
  'outbox.retryNow',
  'outbox.prune',
  'retention.unpublished',
  'runs.deleteOld',
  'approvals.dueNotifications',
  'log.seal',
  'log.sealRows',
]);

/** A real backend that records its calls and can be made to fail. */
export class WatchedStores extends StoreBackend {
  override readonly audit: AuditStore;
  override readonly firewall: FirewallStore;
  override readonly output: OutputStore;
  override readonly approvals: ApprovalStore;
  override readonly budgets: BudgetStore;
  override readonly runs: RunStore;
  override readonly runIndex: RunIndex;
  override readonly settings: SettingsStore;
  override readonly overview: OverviewStore;
  override readonly reviews: ReviewStore;
  override readonly outbox: OutboxStore;
  override readonly retention: RetentionStore;
  override readonly holds: HoldStore;
  override readonly log: TransparencyLog;
  private calls: string[] = [];
  private fault: Error | null = null;

  constructor(private readonly backend: StoreBackend) {
    super();
    this.audit = this.watched('audit', backend.audit);
    this.firewall = this.watched('firewall', backend.firewall);
    this.output = this.watched('output', backend.output);
    this.approvals = this.watched('approvals', backend.approvals);
    this.budgets = this.watched('budgets', backend.budgets);
    this.runs = this.watched('runs', backend.runs);
    this.runIndex = this.watched('runIndex', backend.runIndex);
    this.settings = this.watched('settings', backend.settings);
    this.overview = this.watched('overview', backend.overview);
    this.reviews = this.watched('reviews', backend.reviews);
    this.outbox = this.watched('outbox', backend.outbox);
    this.holds = this.watched('holds', backend.holds);
    this.log = this.watched('log', backend.log);
    this.retention = this.watched('retention', backend.retention);
  }

  override open(limits?: StoreLimits): Promise<void> {
    return this.backend.open(limits);
  }

  override close(): Promise<void> {
    return this.backend.close();
  }

  /** The store calls of a request, as `store.method`. */
  async callsDuring(request: () => Promise<unknown>): Promise<readonly string[]> {
    this.calls = [];
    await request();
    return this.calls;
  }

  async failingWith<Result>(fault: Error, request: () => Promise<Result>): Promise<Result> {
    this.fault = fault;
    try {
      return await request();
    } finally {
      this.fault = null;
    }
  }

  private watched<Store extends object>(name: string, store: Store): Store {
    return new Proxy(store, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]): Promise<unknown> => {
          this.note(`${name}.${String(property)}`);
          return Reflect.apply(member, target, given);
        };
      },
    });
  }

  private note(call: string): void {
    if (ASKED_BY_ITSELF.has(call)) return;
    this.calls.push(call);
    if (this.fault !== null) throw this.fault;
  }
}
