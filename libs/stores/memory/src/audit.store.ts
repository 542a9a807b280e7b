import {
  AuditStore,
  type AuditEntry,
  type AuditFilter,
  type AuditListEntry,
  type Decision,
  type TrendPoint,
} from '../../../contracts/src/audit.js';
import type { Page, PageRequest, TimeWindow } from '../../../contracts/src/page.js';
import { previewOf } from '../../../contracts/src/text.js';
import { copyOf } from './copy.js';
import { auditMatcher } from './matching.js';
import type { MemoryTables } from './memory-tables.js';

export class MemoryAuditStore extends AuditStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async append(decision: Decision): Promise<number> {
    return this.tables.write(copyOf(decision));
  }

  override async list(filter: AuditFilter, request: PageRequest): Promise<Page<AuditListEntry>> {
    const page = this.tables.decisions.page(request, auditMatcher(filter));
    return { ...page, entries: page.entries.map(listed) };
  }

  override async find(id: number): Promise<AuditEntry | null> {
    return copyOf(this.tables.decisions.find(id) ?? null);
  }

  override async trend(filter: AuditFilter, window: TimeWindow): Promise<readonly TrendPoint[]> {
    const matches = auditMatcher({ ...filter, ...window });
    const days = new Map<string, TrendPoint>();
    for (const entry of this.tables.counted()) {
      if (!matches(entry)) continue;
      const date = entry.occurredAt.toISOString().slice(0, 10);
      const day = days.get(date) ?? { date, total: 0, blocked: 0, observed: 0 };
      days.set(date, {
        date,
        total: day.total + 1,
        blocked: day.blocked + Number(entry.outcome === 'blocked'),
        observed: day.observed + Number(entry.outcome === 'observed'),
      });
    }
    return [...days.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
  }
}

function listed(entry: AuditEntry): AuditListEntry {
  const keepsText = entry.storage !== 'hash' && entry.storage !== 'erased';
  return copyOf({
    id: entry.id,
    control: entry.control,
    outcome: entry.outcome,
    mode: entry.mode,
    origin: entry.origin,
    ruleId: entry.ruleId,
    principalId: entry.principalId,
    application: entry.application,
    rulesetVersion: entry.rulesetVersion,
    promptPreview: keepsText ? previewOf(entry.prompt) : null,
    promptLength: entry.promptLength,
    errored: entry.errored,
    occurredAt: entry.occurredAt,
  });
}
