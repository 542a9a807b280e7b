import type { AuditEntry } from '#contracts/audit/record.js';
import type { Rejection } from '#contracts/firewall/firewall.js';
import type {
  RetentionCounts,
  RetentionPart,
  RetentionScope,
  RetentionStrategy,
} from '#contracts/retention/retention.js';
import { isSettled } from '#engine/controls/approvals/life-cycle.js';
import { HeldRows } from './held-rows.js';
import type { ApprovalRow, MemoryTables } from './memory-tables.js';
import { reviewsOf } from './reviews.store.js';

export interface Step {
  run(): void;
  /** Records that it deletes together with its own. */
  readonly further?: Partial<RetentionCounts>;
}

/**
 * The remaining steps of a run for every part, in their order. Principals are last because other parts filter
 * by them. Rows under an active hold have no steps.
 */
export function remainingSteps(
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
export function eraseName(tables: MemoryTables, name: string): void {
  tables.budgets.erase(name);
  for (const hold of tables.holds) {
    if (hold.scope.kind === 'principal' && hold.scope.principalId === name)
      tables.holds.replace({ ...hold, scope: { kind: 'principal', principalId: null } });
  }
}

function removePrincipal(tables: MemoryTables, name: string): void {
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

/** Notes of reviews may repeat the text. */
function eraseText(tables: MemoryTables, entry: AuditEntry): void {
  tables.decisions.replace(erased(entry));
  for (const review of reviewsOf(tables, entry.id)) tables.reviews.replace({ ...review, note: null });
}

function purge(tables: MemoryTables, entry: AuditEntry): void {
  for (const { id } of reviewsOf(tables, entry.id)) tables.reviews.remove(id);
  tables.decisions.remove(entry.id);
  tables.purged.push({ ...erased(entry), principalId: null });
}

function rejectionIds(tables: MemoryTables, scope: RetentionScope, held: HeldRows): readonly number[] {
  const isInScope = (rejection: Rejection): boolean => {
    if (scope.kind === 'entry') return rejection.id === scope.id;
    return scope.kind === 'principal'
      ? rejection.principal_id === scope.principalId
      : new Date(rejection.occurred_at) < scope.before;
  };
  const isHeld = (id: number): boolean => {
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

const isErased = ({ arguments: given }: ApprovalRow): boolean => given === null;

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
