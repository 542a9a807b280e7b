import type { Clock } from '#contracts/common/clock.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import {
  erasureHeld,
  NOTHING_RETAINED,
  RETENTION_PARTS,
  type RetentionCounts,
  type RetentionPart,
  type RetentionOrder,
  type RetentionRun,
  type RetentionScope,
  runTooYoung,
} from '#contracts/retention/retention.js';
import { RetentionStore, type HeldRun } from '#contracts/stores/retention.store.js';
import { copyOf, type MemoryTables, runOf, type RetentionRunRow } from './memory-tables.js';
import { HeldRows } from './held-rows.js';
import { eraseName, remainingSteps, type Step } from './retention-steps.js';
import type { MemoryTransparencyLog } from './transparency-log.store.js';

const HOUR_MS = 60 * 60 * 1000;

export class MemoryRetentionStore extends RetentionStore {
  private claims = 0;

  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
    private readonly log: MemoryTransparencyLog,
  ) {
    super();
  }

  override async count({
    strategy,
    scope,
  }: Pick<RetentionOrder, 'strategy' | 'scope'>): Promise<RetentionCounts> {
    this.assertNotHeld(scope);
    const steps = remainingSteps(this.tables, strategy, scope);
    return RETENTION_PARTS.reduce((counts, part) => addSteps(counts, part, steps[part]()), NOTHING_RETAINED);
  }

  override async setMinimumDays(days: number): Promise<void> {
    this.tables.minimumDays = days;
  }

  override async begin(order: RetentionOrder, leaseMs: number, everyMs = 0): Promise<HeldRun | null> {
    const runs = [...this.tables.retentionRuns];
    const since = this.now() - everyMs;
    const early = runs.some((run) => run.actorId === order.actorId && run.startedAt.getTime() > since);
    if (runs.some((run) => this.isLeased(run))) return null;
    this.assertOldEnough(order.scope);
    this.assertNotHeld(order.scope);
    if (everyMs > 0 && early) return null;
    const { strategy, scope, actorId } = copyOf(order);
    const run = this.tables.retentionRuns.insert({
      strategy,
      scope: scope.kind === 'principal' ? { kind: 'principal' } : scope,
      actorId,
      counts: NOTHING_RETAINED,
      heldBy: null,
      startedAt: this.clock.now(),
      finishedAt: null,
      order: { strategy, scope, actorId },
      partsDone: 0,
      ...this.newLease(leaseMs),
      notified: false,
    });
    return heldRun(run);
  }

  override async takeOver(leaseMs: number): Promise<HeldRun | null> {
    const runs = [...this.tables.retentionRuns];
    const left = runs.find(({ finishedAt }) => finishedAt === null);
    if (left === undefined || runs.some((run) => this.isLeased(run))) return null;
    return this.keep({ ...left, ...this.newLease(leaseMs) });
  }

  override async proceed(
    given: HeldRun,
    limit: number,
    leaseMs: number,
  ): Promise<{ readonly run: HeldRun; readonly done: boolean } | null> {
    const run = this.leasedRun(given);
    const part = RETENTION_PARTS[run?.partsDone ?? 0];
    if (run === null || run.order === null) return null;
    if (part === undefined) return { run: heldRun(run), done: true };
    const { strategy, scope } = run.order;
    if (strategy === 'purge') this.log.catchUp();
    // The parts before `principals` have skipped every row under a hold.
    const heldBy = part === 'principals' ? new HeldRows(this.tables).firstActiveHold(scope) : null;
    const left = heldBy === null ? remainingSteps(this.tables, strategy, scope)[part]() : [];
    const steps = left.slice(0, limit);
    const counts = addSteps(run.counts, part, steps);
    for (const step of steps) step.run();
    if (part === 'principals' && heldBy === null && scope.kind === 'principal')
      eraseName(this.tables, scope.principalId);
    const partsDone = run.partsDone + Number(left.length <= limit);
    const heldUntil = this.now() + leaseMs;
    const kept = this.keep({ ...run, counts, heldBy, partsDone, heldUntil });
    return { run: kept, done: partsDone === RETENTION_PARTS.length };
  }

  override async finish(given: HeldRun): Promise<RetentionRun | null> {
    const run = this.leasedRun(given);
    if (run === null) return null;
    const finished: RetentionRunRow = { ...run, finishedAt: this.clock.now(), order: null, heldUntil: 0 };
    this.tables.retentionRuns.replace(finished);
    return copyOf(runOf(finished));
  }

  override async runs(limit: number): Promise<readonly RetentionRun[]> {
    return copyOf(this.tables.retentionRuns.page({ limit }, () => true).entries.map(runOf));
  }

  override async unpublished(limit: number): Promise<readonly RetentionRun[]> {
    const due = [...this.tables.retentionRuns].filter((run) => run.finishedAt !== null && !run.notified);
    return copyOf(due.slice(0, limit).map(runOf));
  }

  override async markPublished(runId: number, outgoing: readonly OutgoingEvent[]): Promise<boolean> {
    const run = this.tables.retentionRuns.find(runId);
    if (run === undefined || run.finishedAt === null || run.notified) return false;
    const events = copyOf(outgoing);
    this.tables.retentionRuns.replace({ ...run, notified: true });
    this.tables.outbox.add(events, null);
    return true;
  }

  private assertNotHeld(scope: RetentionScope): void {
    const hold = new HeldRows(this.tables).firstActiveHold(scope);
    if (hold !== null) throw erasureHeld(hold);
  }

  private assertOldEnough(scope: RetentionScope): void {
    const { minimumDays } = this.tables;
    if (scope.kind !== 'before' || minimumDays === 0) return;
    const latest = this.now() - minimumDays * 24 * HOUR_MS + HOUR_MS;
    if (scope.before.getTime() > latest) throw runTooYoung(minimumDays);
  }

  private isLeased({ finishedAt, heldUntil }: RetentionRunRow): boolean {
    return finishedAt === null && heldUntil > this.now();
  }

  private newLease(leaseMs: number): Pick<RetentionRunRow, 'lease' | 'heldUntil'> {
    return { lease: `claim-${++this.claims}`, heldUntil: this.now() + leaseMs };
  }

  private leasedRun({ id, lease }: HeldRun): RetentionRunRow | null {
    const run = this.tables.retentionRuns.find(id);
    return run?.lease === lease && run.finishedAt === null ? run : null;
  }

  private keep(run: RetentionRunRow): HeldRun {
    this.tables.retentionRuns.replace(run);
    return heldRun(run);
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

function addSteps(counts: RetentionCounts, part: RetentionPart, steps: readonly Step[]): RetentionCounts {
  const further = (kind: 'reviews' | 'votes'): number =>
    steps.reduce((sum, { further: more }) => sum + (more?.[kind] ?? 0), counts[kind]);
  return {
    ...counts,
    reviews: further('reviews'),
    votes: further('votes'),
    [part]: counts[part] + steps.length,
  };
}

function heldRun(run: RetentionRunRow): HeldRun {
  return copyOf({ ...runOf(run), lease: run.lease });
}
