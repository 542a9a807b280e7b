import type { Clock } from '#contracts/common/clock.js';
import { StoreBackend } from '#contracts/stores/store-backend.js';
import { MemoryApprovalStore } from './approvals.store.js';
import { MemoryAuditStore } from './audit.store.js';
import { MemoryTables, copyOf, type CountedOutput } from './memory-tables.js';
import { MemoryOutboxStore } from './outbox.store.js';
import { MemoryOverviewStore } from './overview.store.js';
import { MemoryRetentionStore } from './retention.store.js';
import { MemoryReviewStore } from './reviews.store.js';
import { MemoryRunIndex } from './run-index.js';
import { MemoryRunStore } from './run.store.js';
import { MemorySettingsStore } from './settings.store.js';
import { MemoryTransparencyLog } from './transparency-log.store.js';
import { FirewallStore, type Rejection, type RejectionFilter } from '#contracts/firewall/firewall.js';
import type { PageRequest } from '#contracts/common/page.js';
import { isEqual, isWithin, literalSearch } from './list-filters.js';
import {
  OutputStore,
  type OutputCount,
  type OutputDay,
  type OutputWindow,
} from '#contracts/output/output.js';
import type { Decision } from '#contracts/audit/record.js';
import { BudgetStore } from '#contracts/stores/approvals.store.js';
import type { BudgetClaim, BudgetLimit, BudgetState, Reservation } from '#contracts/approvals/budgets.js';
import type { Hold, HoldRelease, NewHold } from '#contracts/retention/holds.js';
import { HoldStore } from '#contracts/stores/retention.store.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';

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
  return new MemoryStores(clock);
}

const systemClock: Clock = { now: () => new Date() };

export class MemoryStores extends StoreBackend {
  override readonly audit: MemoryAuditStore;
  override readonly firewall: MemoryFirewallStore;
  override readonly output: MemoryOutputStore;
  override readonly runs: MemoryRunStore;
  override readonly runIndex: MemoryRunIndex;
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
    this.runs = new MemoryRunStore(tables, clock);
    this.runIndex = new MemoryRunIndex(tables, clock);
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

  override async open() {}

  override async close() {}
}

class MemoryFirewallStore extends FirewallStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async list(filter: RejectionFilter, request: PageRequest) {
    return copyOf(this.tables.rejections.page(request, rejectionMatcher(filter)));
  }

  override async find(id: number) {
    return copyOf(this.tables.rejections.find(id) ?? null);
  }
}

/** Copies the filter because stored texts are scrubbed. */
function rejectionMatcher(filter: RejectionFilter): (rejection: Rejection) => boolean {
  const sought = copyOf(filter);
  const isFound = sought.q === undefined ? () => true : literalSearch(sought.q);
  return (rejection) =>
    isEqual(sought.principal_id, rejection.principal_id) &&
    isEqual(sought.application, rejection.application) &&
    isEqual(sought.tool, rejection.tool) &&
    isWithin(sought, new Date(rejection.occurred_at)) &&
    (sought.reason === undefined || Object.values(rejection.violations).includes(sought.reason)) &&
    isFound(rejection.tool);
}

class MemoryOutputStore extends OutputStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async stats(window: OutputWindow) {
    const sums = new Map<string, OutputCount>();
    for (const { kind, detector, enforced, count } of this.counted(window)) {
      const key = [kind, detector, enforced].join('\0');
      sums.set(key, { kind, detector, enforced, count: (sums.get(key)?.count ?? 0) + count });
    }
    return inOrder(sums);
  }

  override async daily(window: OutputWindow) {
    const days = new Map<string, Omit<OutputDay, 'outputs'> & { readonly entries: Set<number> }>();
    for (const { occurredAt, evidenceId, kind, detector: found, count } of this.counted(window)) {
      const date = occurredAt.toISOString().slice(0, 10);
      for (const detector of [null, found]) {
        const key = [date, kind, ...(detector === null ? [] : [detector])].join('\0');
        const { findings = 0, entries = new Set<number>() } = days.get(key) ?? {};
        entries.add(evidenceId);
        days.set(key, { date, kind, detector, findings: findings + count, entries });
      }
    }
    return inOrder(days).map(({ entries, ...day }) => ({ ...day, outputs: entries.size }));
  }

  private counted({ application, ...window }: OutputWindow): readonly CountedOutput[] {
    return this.tables.outputCounts.filter(
      (counted) =>
        isWithin(window, counted.occurredAt) &&
        (application === undefined || counted.application === application),
    );
  }
}

/** Ordered by keys of scrubbed texts, which a NUL separates, as a database orders the columns. */
function inOrder<Value>(values: ReadonlyMap<string, Value>): readonly Value[] {
  return [...values].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

class MemoryBudgetStore extends BudgetStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async states(claims: readonly BudgetClaim[], limits: readonly BudgetLimit[]) {
    return this.tables.budgets.states(claims, limits, this.clock.now());
  }

  override async admit(
    reservation: Reservation,
    limits: readonly BudgetLimit[],
    evidence: (states: readonly BudgetState[]) => Decision,
  ) {
    const now = this.clock.now();
    const states = this.tables.budgets.states(reservation.claims, limits, now);
    if (states.some(({ isExceeded }) => isExceeded)) return { isAdmitted: false, states };
    const decision = copyOf(evidence(states));
    this.tables.budgets.reserve(reservation, now);
    this.tables.write(decision);
    return { isAdmitted: true, states };
  }

  override async release(reference: string) {
    this.tables.budgets.release(reference);
  }
}

class MemoryHoldStore extends HoldStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async set(hold: NewHold, outgoing: (hold: Hold) => readonly OutgoingEvent[]) {
    const row = { ...copyOf(hold), setAt: this.clock.now(), releasedBy: null, releasedAt: null };
    const events = copyOf(outgoing({ ...copyOf(row), id: this.tables.holds.nextId }));
    const inserted = this.tables.holds.insert(row);
    this.tables.outbox.add(events, null);
    return copyOf(inserted);
  }

  override async release(
    id: number,
    releasedBy: string,
    outgoing: (hold: Hold) => readonly OutgoingEvent[],
  ): Promise<HoldRelease | null> {
    const hold = this.tables.holds.find(id);
    if (hold === undefined) return null;
    if (hold.releasedAt !== null) return { kind: 'already_released', hold: copyOf(hold) };
    const released = copyOf({ ...hold, releasedBy, releasedAt: this.clock.now() });
    const events = copyOf(outgoing(copyOf(released)));
    this.tables.holds.replace(released);
    this.tables.outbox.add(events, null);
    return { kind: 'released', hold: copyOf(released) };
  }

  override async list({ active }: { readonly active?: boolean }, page: PageRequest) {
    const matches = ({ releasedAt }: Hold) => active === undefined || active === (releasedAt === null);
    return copyOf(this.tables.holds.page(page, matches));
  }
}
