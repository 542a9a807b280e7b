import { AuditStore, type ExportRange } from '#contracts/audit/store.js';
import type { AuditEntry, Decision, ExportedEntry, FacetField } from '#contracts/audit/record.js';
import { EQUAL, type AuditFilter, type TrendBucket, type TrendGroup } from '#contracts/audit/filter.js';
import { factsOf, type AuditListItem } from '#contracts/audit/entry.js';
import { mostFrequent, MAX_TREND_SERIES, type TrendPoint } from '#contracts/audit/counts.js';
import type { PageRequest, TimeWindow } from '#contracts/common/page.js';
import { camelCase, previewOf } from '#contracts/common/text.js';
import { isEqual, isOneOf, isWithin, literalSearch } from './list-filters.js';
import { isCounted } from '#contracts/screening/screening.js';
import { copyOf, type MemoryTables } from './memory-tables.js';
import { isReviewed, latestReviews } from './reviews.store.js';

export class MemoryAuditStore extends AuditStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async append(decision: Decision) {
    return this.tables.write(copyOf(decision));
  }

  override async list(filter: AuditFilter, request: PageRequest) {
    const page = this.tables.decisions.page(request, this.matcher(filter));
    return { ...page, entries: page.entries.map(listed) };
  }

  override async find(id: number) {
    return copyOf(this.tables.decisions.find(id) ?? null);
  }

  override async neighbors({ id, control }: Pick<AuditEntry, 'id' | 'control'>) {
    const { decisions } = this.tables;
    const isOfControl = (entry: AuditEntry) => entry.control === control;
    const [previous] = decisions.page({ cursor: id, limit: 1 }, isOfControl).entries;
    return { previousId: previous?.id ?? null, nextId: decisions.after(id, isOfControl)?.id ?? null };
  }

  override async decidedCalls(window: TimeWindow, request: PageRequest) {
    const isCall = (entry: AuditEntry) =>
      entry.control === 'hitl' && entry.origin === 'tool_call' && isWithin(window, entry.occurredAt);
    const page = this.tables.decisions.page(request, isCall);
    const entries = page.entries.map(({ id, occurredAt, tool, application, policy, storage }) =>
      copyOf({ id, occurredAt, tool, application, policy, storage }),
    );
    return { ...page, entries };
  }

  override async recordedTexts(filter: AuditFilter, request: PageRequest) {
    const page = this.tables.decisions.page(request, this.matcher(filter));
    return { ...page, entries: page.entries.map(copyOf) };
  }

  override async newestId() {
    return this.tables.decisions.nextId - 1;
  }

  override async exportSlice(
    filter: AuditFilter,
    { after, through }: ExportRange,
    { limit, withContent }: { readonly limit: number; readonly withContent: boolean },
  ) {
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

  override async trend(filter: AuditFilter, window: TimeWindow, bucket: TrendBucket = 'day') {
    const matches = this.matcher({ ...filter, ...window });
    return trendOf([...this.tables.counted()].filter(matches), bucket);
  }

  override async trendBy(group: TrendGroup, filter: AuditFilter, window: TimeWindow, bucket: TrendBucket) {
    const matches = this.matcher({ ...filter, ...window });
    const attribute = attributeOf(group);
    const byValue = new Map<string | null, AuditEntry[]>();
    for (const entry of this.tables.counted()) {
      if (!matches(entry)) continue;
      const value = entry[attribute] || null;
      const entries = byValue.get(value) ?? [];
      byValue.set(value, entries);
      entries.push(entry);
    }
    return [...byValue]
      .toSorted(([one, entries], [other, others]) =>
        entries.length === others.length
          ? (one ?? '') < (other ?? '')
            ? -1
            : 1
          : others.length - entries.length,
      )
      .slice(0, MAX_TREND_SERIES)
      .map(([value, entries]) => ({ value, points: trendOf(entries, bucket) }));
  }

  override async facets(field: FacetField, filter: AuditFilter) {
    const matches = this.matcher(filter);
    const attribute = attributeOf(field);
    const counts = new Map<string | null, number>();
    for (const entry of this.tables.decisions) {
      if (!matches(entry)) continue;
      const value = entry[attribute];
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return { values: mostFrequent(counts) };
  }

  private matcher({ review, ...filter }: AuditFilter): (entry: AuditEntry) => boolean {
    const matches = auditMatcher(filter);
    if (review === undefined) return matches;
    const latest = latestReviews(this.tables);
    return (entry) => matches(entry) && isReviewed(review, latest.get(entry.id)?.verdict);
  }
}

type Attribute =
  'control' | 'outcome' | 'ruleId' | 'application' | 'principalId' | 'tool' | 'origin' | 'rulesetVersion';

/** The member of a record that has this attribute. */
function attributeOf(name: FacetField | (typeof EQUAL)[number]): Attribute {
  return camelCase(name) as Attribute;
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
  return { ...evidence, place: null, content: withContent ? content : null };
}

export function listed(entry: AuditEntry): AuditListItem {
  const hasText = entry.storage !== 'hash' && entry.storage !== 'erased';
  return copyOf({
    ...factsOf(entry),
    tool: entry.tool,
    prompt_preview: hasText ? previewOf(entry.prompt) : null,
    approval_step: entry.approvalStep,
  });
}

/** Copies the filter because stored texts are scrubbed. */
function auditMatcher(filter: AuditFilter): (entry: AuditEntry) => boolean {
  const sought = copyOf(filter);
  const isFound = sought.q === undefined ? () => true : literalSearch(sought.q);
  const equal = EQUAL.filter((name) => sought[name] !== undefined).map(
    (name) => [attributeOf(name), sought[name]] as const,
  );
  return (entry) =>
    equal.every(([attribute, value]) => entry[attribute] === value) &&
    isEqual(sought.control, entry.control) &&
    isEqual(sought.blocked, entry.outcome === 'blocked') &&
    isOneOf(sought.rule_id, entry.ruleId) &&
    isEqual(sought.principal_id, entry.principalId) &&
    hasFinding(sought, entry) &&
    hasMatch(sought, entry) &&
    isWithin(sought, entry.occurredAt) &&
    isFound(entry.prompt);
}

function hasMatch({ matched: sought }: AuditFilter, { control, matchedRules }: AuditEntry) {
  if (sought === undefined) return true;
  const counted = matchedRules.filter(isCounted);
  return control === 'input_screen' && counted.some(({ ruleId }) => sought.includes(ruleId));
}

function hasFinding({ kind, detector }: AuditFilter, { findings }: AuditEntry) {
  if (kind === undefined && detector === undefined) return true;
  return findings.some((finding) => isEqual(kind, finding.kind) && isEqual(detector, finding.detector));
}
