import type { AuditEntry } from '../../../contracts/src/audit.js';
import type { RetentionPart, RetentionScope, RetentionStrategy } from '../../../contracts/src/retention.js';
import { isSettled } from './approval-reads.js';
import type { HeldApproval } from './approval-steps.js';
import type { MemoryTables } from './memory-tables.js';

/** One part of a run: what is left to do, and how one of it is done. */
export interface PartWork {
  readonly left: () => readonly Step[];
}

type Step = () => void;

/** Every part of a run, in the order in which they are done: whoever is known by name is forgotten last. */
export function partsOf(
  tables: MemoryTables,
  strategy: RetentionStrategy,
  scope: RetentionScope,
): Readonly<Record<RetentionPart, PartWork>> {
  const purges = strategy === 'purge';
  const inScope = scopeTest(scope);
  const entries = () => [...tables.decisions].filter(inScope);
  return {
    entries: {
      left: () =>
        purges
          ? entries().map((entry) => () => purge(tables, entry))
          : entries()
              .filter(({ storage }) => storage !== 'erased')
              .map((entry) => () => tables.decisions.replace(erased(entry))),
    },
    rejections: { left: () => rejectionIds(tables, scope).map((id) => () => tables.rejections.remove(id)) },
    // Counts alone, of nobody: they are the statistics that survive.
    outputCounts: { left: () => [] },
    approvals: { left: () => approvalSteps(tables, scope, purges) },
    events: {
      left: () => eventPositions(tables, scope).map((position) => () => tables.outbox.forget(position)),
    },
    principals: {
      left: () =>
        forgettable(tables, scope).map((name) => () => {
          tables.principals.delete(name);
          for (const entry of tables.decisions)
            if (entry.principalId === name) tables.decisions.replace({ ...erased(entry), principalId: null });
        }),
    },
  };
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
  return { ...entry, storage: 'erased', prompt: '', matchedSpan: null, matchedText: null, salt: null };
}

function purge(tables: MemoryTables, entry: AuditEntry): void {
  tables.decisions.remove(entry.id);
  tables.purged.push({ ...erased(entry), principalId: null });
}

function rejectionIds(tables: MemoryTables, scope: RetentionScope): readonly number[] {
  if (scope.kind === 'entry') {
    return tables.rejections.find(scope.id) === undefined ? [] : [scope.id];
  }
  return [...tables.rejections]
    .filter((rejection) =>
      scope.kind === 'principal'
        ? rejection.principalId === scope.principalId
        : rejection.occurredAt < scope.before,
    )
    .map(({ id }) => id);
}

function approvalSteps(tables: MemoryTables, scope: RetentionScope, purges: boolean): readonly Step[] {
  if (scope.kind === 'entry') return [];
  return [...tables.approvals]
    .filter((approval) =>
      scope.kind === 'principal'
        ? approval.principalId === scope.principalId
        : approval.createdAt < scope.before && isSettled(approval) && (purges || !isErased(approval)),
    )
    .map((approval) => () => {
      if (purges && isSettled(approval)) tables.approvals.remove(approval.id);
      else tables.approvals.replace(erasedApproval(approval));
    });
}

/** Without its arguments a call never runs; without their digest nobody can guess them. */
function erasedApproval(approval: HeldApproval): HeldApproval {
  return {
    ...approval,
    arguments: null,
    argumentsDigest: '',
    encryptedToken: null,
    warnings: [],
    principalId: null,
    reason: null,
    resolvedReason: null,
    result: null,
    error: null,
  };
}

const isErased = ({ arguments: given }: HeldApproval): boolean => given === null;

function eventPositions(tables: MemoryTables, scope: RetentionScope): readonly number[] {
  return [...tables.outbox.events.values()]
    .filter(({ auditId, occurredAt, payload }) => {
      if (scope.kind === 'entry') return auditId === scope.id;
      return scope.kind === 'principal'
        ? payload['principal_id'] === scope.principalId
        : occurredAt < scope.before;
    })
    .map(({ position }) => position);
}

/** Names that nothing newer refers to. */
function forgettable({ decisions, principals }: MemoryTables, scope: RetentionScope): readonly string[] {
  if (scope.kind === 'entry') return [];
  if (scope.kind === 'principal') return principals.has(scope.principalId) ? [scope.principalId] : [];
  const mentioned = [...decisions].filter(({ occurredAt }) => occurredAt >= scope.before);
  const kept = new Set(mentioned.map(({ principalId }) => principalId));
  return [...principals].filter((name) => !kept.has(name));
}
