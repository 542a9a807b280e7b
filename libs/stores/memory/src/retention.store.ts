import type { Clock } from '#contracts/common/clock.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import {
  addCounts,
  assertOldEnough,
  erasureHeld,
  NOTHING_RETAINED,
  recordedScope,
  RETENTION_PARTS,
  type RetentionCounts,
  type RetentionOrder,
  type RetentionPart,
  type RetentionScope,
  type RetentionStrategy,
} from '#contracts/retention/retention.js';
import { type HeldRun, RetentionStore } from '#contracts/stores/retention.store.js';
import {
  type ApprovalRow,
  copyOf,
  keyOf,
  type MemoryTables,
  type RetentionRunRow,
  runOf,
} from './memory-tables.js';
import { HeldRows } from './held-rows.js';
import type { MemoryTransparencyLog } from './transparency-log.store.js';
import type { AuditEntry } from '#contracts/audit/record.js';
import type { Rejection } from '#contracts/firewall/firewall.js';
import { isSettled } from '#engine/controls/approvals/life-cycle.js';
import { eraseRuns } from './run.store.js';
import { reviewsOf } from './reviews.store.js';

export class MemoryRetentionStore extends RetentionStore {
  private claims = 0;

  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
    private readonly log: MemoryTransparencyLog,
  ) {
    super();
  }

  override async count({ strategy, scope }: Pick<RetentionOrder, 'strategy' | 'scope'>) {
    this.assertNotHeld(scope);
    const steps = remainingSteps(this.tables, strategy, scope);
    return RETENTION_PARTS.reduce((counts, part) => addSteps(counts, part, steps[part]()), NOTHING_RETAINED);
  }

  override async setMinimumDays(days: number) {
    this.tables.minimumDays = days;
  }

  override async begin(order: RetentionOrder, leaseMs: number, everyMs = 0) {
    const runs = [...this.tables.retentionRuns];
    const since = this.now() - everyMs;
    const early = runs.some((run) => run.actorId === order.actorId && run.startedAt.getTime() > since);
    if (runs.some((run) => this.isLeased(run))) return null;
    assertOldEnough(order.scope, this.tables.minimumDays, this.clock.now());
    this.assertNotHeld(order.scope);
    if (everyMs > 0 && early) return null;
    const { strategy, scope, actorId } = copyOf(order);
    const run = this.tables.retentionRuns.insert({
      strategy,
      scope: recordedScope(scope),
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

  override async takeOver(leaseMs: number) {
    const runs = [...this.tables.retentionRuns];
    const left = runs.find(({ finishedAt }) => finishedAt === null);
    if (left === undefined || runs.some((run) => this.isLeased(run))) return null;
    return this.keep({ ...left, ...this.newLease(leaseMs) });
  }

  override async proceed(given: HeldRun, limit: number, leaseMs: number) {
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

  override async finish(given: HeldRun) {
    const run = this.leasedRun(given);
    if (run === null) return null;
    const finished: RetentionRunRow = { ...run, finishedAt: this.clock.now(), order: null, heldUntil: 0 };
    this.tables.retentionRuns.replace(finished);
    return copyOf(runOf(finished));
  }

  override async runs(limit: number) {
    return copyOf(this.tables.retentionRuns.page({ limit }, () => true).entries.map(runOf));
  }

  override async unpublished(limit: number) {
    const due = [...this.tables.retentionRuns].filter((run) => run.finishedAt !== null && !run.notified);
    return copyOf(due.slice(0, limit).map(runOf));
  }

  override async markPublished(runId: number, outgoing: readonly OutgoingEvent[]) {
    const run = this.tables.retentionRuns.find(runId);
    if (run === undefined || run.finishedAt === null || run.notified) return false;
    const events = copyOf(outgoing);
    this.tables.retentionRuns.replace({ ...run, notified: true });
    this.tables.outbox.add(events, null);
    return true;
  }

  private assertNotHeld(scope: RetentionScope) {
    const hold = new HeldRows(this.tables).firstActiveHold(scope);
    if (hold !== null) throw erasureHeld(hold);
  }

  private isLeased({ finishedAt, heldUntil }: RetentionRunRow) {
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

  private now() {
    return this.clock.now().getTime();
  }
}

function addSteps(counts: RetentionCounts, part: RetentionPart, steps: readonly Step[]): RetentionCounts {
  return steps.reduce((sum, { further }) => addCounts(sum, { ...further, [part]: 1 }), counts);
}

function heldRun(run: RetentionRunRow): HeldRun {
  return copyOf({ ...runOf(run), lease: run.lease });
}

interface Step {
  run(): void;
  /** Records that it deletes together with its own. */
  readonly further?: Partial<RetentionCounts>;
}

/**
 * The remaining steps of a run for every part, in their order. Principals are last because other parts filter
 * by them. Rows under an active hold have no steps.
 */
function remainingSteps(
  tables: MemoryTables,
  strategy: RetentionStrategy,
  scope: RetentionScope,
): Readonly<Record<RetentionPart, () => readonly Step[]>> {
  const purges = strategy === 'purge';
  const held = new HeldRows(tables);
  return {
    entries: () => entrySteps(tables, scope, purges, held),
    rejections: () =>
      rejectionIds(tables, scope, held).map((id) => ({ run: () => tables.rejections.remove(id) })),
    // The counts contain no personal data. They stay for the statistics.
    outputCounts: () => [],
    approvals: () => approvalSteps(tables, scope, purges, held),
    events: () =>
      eventPositions(tables, scope, held).map((position) => ({
        run: () => tables.outbox.delete(position),
      })),
    principals: () =>
      unusedPrincipals(tables, scope, held).map((name) => ({ run: () => removePrincipal(tables, name) })),
  };
}

function entrySteps(
  tables: MemoryTables,
  scope: RetentionScope,
  purges: boolean,
  held: HeldRows,
): readonly Step[] {
  const entries = [...tables.decisions].filter(scopeTest(scope)).filter((entry) => !held.hasEntry(entry));
  return purges
    ? entries.map((entry) => ({
        run: () => purge(tables, entry),
        further: { reviews: reviewsOf(tables, entry.id).length },
      }))
    : entries
        .filter(({ storage }) => storage !== 'erased')
        .map((entry) => ({ run: () => eraseText(tables, entry) }));
}

/** Erases a name where it may be without an entry: in budgets and in released holds. */
function eraseName(tables: MemoryTables, name: string) {
  tables.budgets.erase(name);
  eraseRuns(tables, ({ principalId }) => principalId === name);
  for (const hold of tables.holds) {
    if (hold.scope.kind === 'principal' && hold.scope.principalId === name)
      tables.holds.replace({ ...hold, scope: { kind: 'principal', principalId: null } });
  }
}

function removePrincipal(tables: MemoryTables, name: string) {
  eraseName(tables, name);
  tables.principals.delete(name);
  for (const entry of tables.decisions) {
    if (entry.principalId === name) eraseText(tables, { ...entry, principalId: null });
  }
}

function scopeTest(scope: RetentionScope): (entry: AuditEntry) => boolean {
  switch (scope.kind) {
    case 'entry':
      return ({ id }) => id === scope.id;
    case 'principal':
      return ({ principalId }) => principalId === scope.principalId;
    case 'before':
      return ({ occurredAt }) => occurredAt < scope.before;
  }
  return scope satisfies never;
}

function erased(entry: AuditEntry): AuditEntry {
  const nothing = { matchedSpan: null, matchedText: null, alteration: null, policy: null, salt: null };
  return { ...entry, storage: 'erased', prompt: '', ...nothing };
}

/** Notes of reviews may repeat the text, and its run may hold hashes of it. */
function eraseText(tables: MemoryTables, entry: AuditEntry) {
  endRunOf(tables, entry);
  tables.decisions.replace(erased(entry));
  for (const review of reviewsOf(tables, entry.id)) tables.reviews.replace({ ...review, note: null });
}

function endRunOf(tables: MemoryTables, { id, runId, principalId, application }: AuditEntry) {
  if (runId === null) return;
  eraseRuns(tables, (run) => run.runId === runId && run.principalId === principalId);
  const key = keyOf({ application, principalId, runId });
  if (tables.runSteps.get(key)?.[0]?.id === id) tables.runSteps.delete(key);
}

function purge(tables: MemoryTables, entry: AuditEntry) {
  endRunOf(tables, entry);
  for (const { id } of reviewsOf(tables, entry.id)) tables.reviews.remove(id);
  tables.decisions.remove(entry.id);
  tables.purged.push({ ...erased(entry), principalId: null });
}

function rejectionIds(tables: MemoryTables, scope: RetentionScope, held: HeldRows): readonly number[] {
  const isInScope = (rejection: Rejection) => {
    if (scope.kind === 'entry') return rejection.id === scope.id;
    return scope.kind === 'principal'
      ? rejection.principal_id === scope.principalId
      : new Date(rejection.occurred_at) < scope.before;
  };
  const isHeld = (id: number) => {
    const entry = tables.decisions.find(id);
    return entry !== undefined && held.hasEntry(entry);
  };
  return [...tables.rejections]
    .filter(isInScope)
    .map(({ id }) => id)
    .filter((id) => !isHeld(id));
}

function approvalSteps(
  tables: MemoryTables,
  scope: RetentionScope,
  purges: boolean,
  held: HeldRows,
): readonly Step[] {
  if (scope.kind === 'entry') return [];
  return [...tables.approvals]
    .filter((approval) => !held.hasApproval(approval))
    .filter((approval) =>
      scope.kind === 'principal'
        ? approval.principalId === scope.principalId
        : approval.createdAt < scope.before && isSettled(approval) && (purges || !isErased(approval)),
    )
    .map((approval) =>
      purges && isSettled(approval)
        ? { run: () => tables.approvals.remove(approval.id), further: { votes: approval.votes.length } }
        : { run: () => tables.approvals.replace(erasedApproval(approval)) },
    );
}

/** A call without arguments never runs. The digest is removed because short arguments can be guessed from it. */
function erasedApproval(approval: ApprovalRow): ApprovalRow {
  return {
    ...approval,
    arguments: null,
    dedupDigest: '',
    requestedArguments: null,
    overwritten: [],
    argumentsDigest: '',
    encryptedToken: null,
    warnings: [],
    risk: [],
    headline: null,
    claims: [],
    principalId: null,
    reason: null,
    editReason: null,
    votes: approval.votes.map((vote) => ({ ...vote, reason: null })),
    resolvedReason: null,
    result: null,
    error: null,
  };
}

const isErased = ({ arguments: given }: ApprovalRow) => given === null;

function eventPositions(tables: MemoryTables, scope: RetentionScope, held: HeldRows): readonly number[] {
  return [...tables.outbox.events.values()]
    .filter((event) => !held.hasEvent(event))
    .filter(({ auditId, occurredAt, payload }) => {
      if (scope.kind === 'entry') return auditId === scope.id;
      return scope.kind === 'principal'
        ? payload['principal_id'] === scope.principalId
        : occurredAt < scope.before;
    })
    .map(({ position }) => position);
}

/** Principals without an entry that is kept. */
function unusedPrincipals(
  { decisions, principals }: MemoryTables,
  scope: RetentionScope,
  held: HeldRows,
): readonly string[] {
  if (scope.kind === 'entry') return [];
  if (scope.kind === 'principal') return principals.has(scope.principalId) ? [scope.principalId] : [];
  const mentioned = [...decisions].filter(({ occurredAt }) => occurredAt >= scope.before);
  const kept = new Set(mentioned.map(({ principalId }) => principalId));
  return [...principals].filter((name) => !kept.has(name) && !held.hasPrincipal(name));
}
