import {
  AuditStore,
  type AuditEntry,
  type AuditFilter,
  type AuditListEntry,
  type AuditNeighbors,
  type DecidedCall,
  type Decision,
  type RecordedText,
  MAX_TREND_SERIES,
  type ExportedEntry,
  type ExportRange,
  type ExportSlice,
  type TrendBucket,
  type TrendGroup,
  type TrendPoint,
  type TrendSeries,
} from '#contracts/audit.js';
import type { Page, PageRequest, TimeWindow } from '#contracts/page.js';
import { previewOf } from '#contracts/text.js';
import { FirewallStore, type Rejection, type RejectionFilter } from '#contracts/firewall.js';
import { OutputStore, type OutputCount } from '#contracts/output.js';
import { copyOf, type MemoryTables } from './memory-tables.js';
import { isReviewed, latestReviews } from './reviews.store.js';

export class MemoryAuditStore extends AuditStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async append(decision: Decision): Promise<number> {
    return this.tables.write(copyOf(decision));
  }

  override async list(filter: AuditFilter, request: PageRequest): Promise<Page<AuditListEntry>> {
    const page = this.tables.decisions.page(request, this.matcher(filter));
    return { ...page, entries: page.entries.map(listed) };
  }

  override async find(id: number): Promise<AuditEntry | null> {
    return copyOf(this.tables.decisions.find(id) ?? null);
  }

  override async neighbors({ id, control }: Pick<AuditEntry, 'id' | 'control'>): Promise<AuditNeighbors> {
    const { decisions } = this.tables;
    const isOfControl = (entry: AuditEntry): boolean => entry.control === control;
    const [previous] = decisions.page({ cursor: id, limit: 1 }, isOfControl).entries;
    return { previousId: previous?.id ?? null, nextId: decisions.after(id, isOfControl)?.id ?? null };
  }

  override async decidedCalls(window: TimeWindow, request: PageRequest): Promise<Page<DecidedCall>> {
    const isCall = (entry: AuditEntry): boolean =>
      entry.control === 'hitl' && entry.origin === 'tool_call' && isWithin(window, entry.occurredAt);
    const page = this.tables.decisions.page(request, isCall);
    return { ...page, entries: page.entries.map(decidedCall) };
  }

  override async recordedTexts(filter: AuditFilter, request: PageRequest): Promise<Page<RecordedText>> {
    const page = this.tables.decisions.page(request, this.matcher(filter));
    return { ...page, entries: page.entries.map(recordedText) };
  }

  override async newestId(): Promise<number> {
    return this.tables.decisions.nextId - 1;
  }

  override async exportSlice(
    filter: AuditFilter,
    { after, through }: ExportRange,
    { limit, withContent }: { readonly limit: number; readonly withContent: boolean },
  ): Promise<ExportSlice> {
    const matches = this.matcher(filter);
    const entries: AuditEntry[] = [];
    for (let last = after; entries.length < limit; last = entries.at(-1)?.id ?? last) {
      const next = this.tables.decisions.after(last, (entry) => entry.id > through || matches(entry));
      if (next === undefined || next.id > through) break;
      entries.push(next);
    }
    return {
      entries: entries.map((entry) => exported(entry, withContent)),
      next: entries.length < limit ? null : (entries.at(-1)?.id ?? null),
    };
  }

  override async trend(
    filter: AuditFilter,
    window: TimeWindow,
    bucket: TrendBucket = 'day',
  ): Promise<readonly TrendPoint[]> {
    const matches = this.matcher({ ...filter, ...window });
    return trendOf([...this.tables.counted()].filter(matches), bucket);
  }

  override async trendBy(
    group: TrendGroup,
    filter: AuditFilter,
    window: TimeWindow,
    bucket: TrendBucket,
  ): Promise<readonly TrendSeries[]> {
    const matches = this.matcher({ ...filter, ...window });
    const column = ({ control: 'control', rule_id: 'ruleId', application: 'application' } as const)[group];
    const byValue = new Map<string | null, AuditEntry[]>();
    for (const entry of this.tables.counted()) {
      if (!matches(entry)) continue;
      const value = entry[column] || null;
      const entries = byValue.get(value) ?? [];
      byValue.set(value, entries);
      entries.push(entry);
    }
    return [...byValue]
      .toSorted(([one, its], [other, others]) =>
        its.length === others.length ? ((one ?? '') < (other ?? '') ? -1 : 1) : others.length - its.length,
      )
      .slice(0, MAX_TREND_SERIES)
      .map(([value, its]) => ({ value, points: trendOf(its, bucket) }));
  }

  private matcher({ review, ...filter }: AuditFilter): (entry: AuditEntry) => boolean {
    const matches = auditMatcher(filter);
    if (review === undefined) return matches;
    const latest = latestReviews(this.tables);
    return (entry) => matches(entry) && isReviewed(review, latest.get(entry.id)?.verdict);
  }
}

function trendOf(entries: readonly AuditEntry[], bucket: TrendBucket): readonly TrendPoint[] {
  const points = new Map<string, TrendPoint>();
  const length = bucket === 'day' ? 10 : 13;
  for (const entry of entries) {
    const date = entry.occurredAt.toISOString().slice(0, length);
    const point = points.get(date) ?? { date, total: 0, blocked: 0, observed: 0 };
    points.set(date, {
      date,
      total: point.total + 1,
      blocked: point.blocked + Number(entry.outcome === 'blocked'),
      observed: point.observed + Number(entry.outcome === 'observed'),
    });
  }
  return [...points.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

function exported(entry: AuditEntry, withContent: boolean): ExportedEntry {
  const { storage, prompt, matchedSpan, matchedText, policy, salt, alteration, ...evidence } = copyOf(entry);
  const content = { storage, prompt, matchedSpan, matchedText, policy, salt, alteration };
  return { ...evidence, content: withContent ? content : null };
}

function decidedCall({ id, occurredAt, tool, application, policy, storage }: AuditEntry): DecidedCall {
  return copyOf({ id, occurredAt, tool, application, policy, storage });
}

function recordedText(entry: AuditEntry): RecordedText {
  const { id, occurredAt, outcome, ruleId, matchedRules, erroredRuleIds, rendering } = entry;
  const { storage, prompt, alteration } = entry;
  return copyOf({
    id,
    occurredAt,
    outcome,
    ruleId,
    matchedRules,
    erroredRuleIds,
    rendering,
    storage,
    prompt,
    alteration,
  });
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

export class MemoryFirewallStore extends FirewallStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async list(filter: RejectionFilter, request: PageRequest): Promise<Page<Rejection>> {
    return copyOf(this.tables.rejections.page(request, rejectionMatcher(filter)));
  }

  override async find(id: number): Promise<Rejection | null> {
    return copyOf(this.tables.rejections.find(id) ?? null);
  }
}

export class MemoryOutputStore extends OutputStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async stats(window: TimeWindow): Promise<readonly OutputCount[]> {
    const sums = new Map<string, OutputCount>();
    for (const { occurredAt, kind, detector, enforced, count } of this.tables.outputCounts) {
      if (!isWithin(window, occurredAt)) continue;
      const line = JSON.stringify([kind, detector, enforced]);
      sums.set(line, { kind, detector, enforced, count: (sums.get(line)?.count ?? 0) + count });
    }
    return [...sums.values()];
  }
}

interface TimeRange {
  readonly from?: Date;
  readonly to?: Date;
}

/** Both ends are inclusive. */
function isWithin({ from, to }: TimeRange, instant: Date): boolean {
  return (from === undefined || instant >= from) && (to === undefined || instant <= to);
}

/** Copies the filter because stored texts are scrubbed. */
function auditMatcher(filter: AuditFilter): (entry: AuditEntry) => boolean {
  const sought = copyOf(filter);
  const isFound = sought.q === undefined ? () => true : literalSearch(sought.q);
  return (entry) =>
    is(sought.control, entry.control) &&
    is(sought.blocked, entry.outcome === 'blocked') &&
    is(sought.outcome, entry.outcome) &&
    is(sought.ruleId, entry.ruleId) &&
    is(sought.principalId, entry.principalId) &&
    is(sought.application, entry.application) &&
    is(sought.runId, entry.runId) &&
    is(sought.requestId, entry.requestId) &&
    is(sought.tool, entry.tool) &&
    is(sought.origin, entry.origin) &&
    is(sought.errored, entry.errored) &&
    is(sought.rulesetVersion, entry.rulesetVersion) &&
    isWithin(sought, entry.occurredAt) &&
    isFound(entry.prompt);
}

function rejectionMatcher(filter: RejectionFilter): (rejection: Rejection) => boolean {
  const sought = copyOf(filter);
  const isFound = sought.q === undefined ? () => true : literalSearch(sought.q);
  return (rejection) =>
    is(sought.principalId, rejection.principalId) &&
    is(sought.application, rejection.application) &&
    is(sought.tool, rejection.tool) &&
    isWithin(sought, rejection.occurredAt) &&
    isFound(rejection.tool);
}

function is<Value>(sought: Value | undefined, held: Value | null): boolean {
  return sought === undefined || sought === held;
}

/** Finds `q` literally and ignores the case of ASCII letters only, as every backend does. */
export function literalSearch(q: string): (text: string) => boolean {
  const sought = foldAscii(q);
  return (text) => foldAscii(text).includes(sought);
}

/** `toLowerCase` on the whole text would turn the Kelvin sign and a few other letters into ASCII. */
function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
