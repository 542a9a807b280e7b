import type { AuditEntry } from '#contracts/audit/record.js';
import type { Hold } from '#contracts/retention/holds.js';
import type { StoredEvent } from '#contracts/events/outbox.js';
import type { RetentionScope } from '#contracts/retention/retention.js';
import type { ApprovalRow, MemoryTables } from './memory-tables.js';

/** The fields of a record that holds are compared with. A record may have several ids and times: an approval is covered with the entries of its steps. */
interface HoldFacts {
  readonly principalId: unknown;
  readonly runId: unknown;
  readonly application: unknown;
  readonly entryIds: readonly number[];
  readonly times: readonly Date[];
}

/** Checks which records the active holds cover. */
export class HeldRows {
  private readonly active: readonly Hold[];

  constructor(private readonly tables: MemoryTables) {
    this.active = [...tables.holds].filter(({ releasedAt }) => releasedAt === null);
  }

  hasEntry(entry: AuditEntry): boolean {
    return this.holdOver(entryFacts(entry)) !== null;
  }

  hasApproval(approval: ApprovalRow): boolean {
    return this.holdOver(this.approvalFacts(approval)) !== null;
  }

  hasEvent(event: StoredEvent): boolean {
    return this.holdOver(eventFacts(event)) !== null;
  }

  /** A principal is kept under its own hold, and with any entry under a hold. */
  hasPrincipal(name: string): boolean {
    return this.firstHoldOver(name, [...this.tables.decisions].filter(isOf(name)).map(entryFacts)) !== null;
  }

  /** The first hold on data of a principal or an entry; `null` for runs by age, which skip the records under a hold. */
  firstActiveHold(scope: RetentionScope): number | null {
    switch (scope.kind) {
      case 'before':
        return null;
      case 'entry': {
        const entry = this.tables.decisions.find(scope.id);
        return entry === undefined ? null : this.holdOver(entryFacts(entry));
      }
      case 'principal': {
        const { decisions, approvals } = this.tables;
        return this.firstHoldOver(scope.principalId, [
          ...[...decisions].filter(isOf(scope.principalId)).map(entryFacts),
          ...[...approvals].filter(isOf(scope.principalId)).map((approval) => this.approvalFacts(approval)),
        ]);
      }
    }
    return scope satisfies never;
  }

  private firstHoldOver(principalId: string, records: readonly HoldFacts[]): number | null {
    const own = { principalId, runId: null, application: null, entryIds: [], times: [] };
    const holds = [own, ...records].map((facts) => this.holdOver(facts)).filter((hold) => hold !== null);
    return holds.length === 0 ? null : Math.min(...holds);
  }

  private holdOver(facts: HoldFacts): number | null {
    return this.active.find(({ scope }) => covers(scope, facts))?.id ?? null;
  }

  private approvalFacts({ id, principalId, runId, application, createdAt }: ApprovalRow): HoldFacts {
    const steps = [...this.tables.decisions].filter(({ approvalId }) => approvalId === id);
    const times = [createdAt, ...steps.map(({ occurredAt }) => occurredAt)];
    return { principalId, runId, application, entryIds: steps.map((step) => step.id), times };
  }
}

const isOf =
  (name: string) =>
  ({ principalId }: { readonly principalId: string | null }) =>
    principalId === name;

function covers(
  scope: Hold['scope'],
  { principalId, runId, application, entryIds, times }: HoldFacts,
): boolean {
  switch (scope.kind) {
    case 'principal':
      return principalId === scope.principalId;
    case 'run':
      return runId === scope.runId;
    case 'application':
      return application === scope.application;
    case 'entries':
      return entryIds.some((id) => id >= scope.firstId && id <= scope.lastId);
    case 'period':
      return times.some((time) => time >= scope.from && time <= scope.to);
  }
  return scope satisfies never;
}

function entryFacts({ id, occurredAt, principalId, runId, application }: AuditEntry): HoldFacts {
  return { principalId, runId, application, entryIds: [id], times: [occurredAt] };
}

function eventFacts({ auditId, occurredAt, payload }: StoredEvent): HoldFacts {
  const { principal_id: principalId, run_id: runId, application } = payload;
  const entryIds = auditId === null ? [] : [auditId];
  return { principalId, runId, application, entryIds, times: [occurredAt] };
}
