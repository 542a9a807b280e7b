import {
  FACET_FIELDS,
  TREND_BUCKETS,
  TREND_GROUPS,
  type AuditFilter,
  type FacetField,
  type TrendBucket,
  type TrendGroup,
} from '#contracts/audit.js';
import { OUTPUT_KINDS } from '#contracts/output.js';
import { REVIEW_FILTERS } from '#contracts/reviews.js';
import { ORIGINS } from '#contracts/screening.js';
import { ruleIdsOf } from '#engine/screening/rules/built-in-rules.js';
import {
  choice,
  control,
  filterText,
  flag,
  outcome,
  type QueryKind,
  type ListQuery,
  type QueryReader,
  withoutUndefined,
} from '../http/query-reader.js';

export interface FacetQuery {
  readonly field: FacetField;
  readonly filter: AuditFilter;
}

export interface TrendQuery {
  readonly filter: AuditFilter;
  readonly bucket: TrendBucket;
  readonly by: TrendGroup | undefined;
}

/** The filters of the list and of exports. */
export function readListFilter(query: QueryReader): AuditFilter {
  return { ...readAuditFilter(query), ...readRecordFilter(query), ...query.readRange() };
}

export function readAuditQuery(query: QueryReader): ListQuery<AuditFilter> {
  return { filter: readListFilter(query), page: query.readPage() };
}

/** Filters of the list that the trend does not have. */
export function readRecordFilter(query: QueryReader): AuditFilter {
  return withoutUndefined({
    runId: query.read('run_id', filterText),
    requestId: query.read('request_id', filterText),
    tool: query.read('tool', filterText),
    origin: query.read('origin', choice(ORIGINS)),
    errored: query.read('errored', flag),
    rulesetVersion: query.read('ruleset_version', filterText),
    review: query.read('review', choice(REVIEW_FILTERS)),
    findingKind: query.read('kind', choice(OUTPUT_KINDS)),
    detector: query.read('detector', filterText),
    matchedRules: query.read('matched', ruleIds),
  });
}

export function readFacetQuery(query: QueryReader): FacetQuery {
  const field = query.read('field', choice(FACET_FIELDS)) ?? 'rule_id';
  return { field, filter: readListFilter(query) };
}

export function readTrendQuery(query: QueryReader): TrendQuery {
  const filter = { ...readAuditFilter(query), ...query.readRange() };
  return {
    filter,
    bucket: query.read('bucket', choice(TREND_BUCKETS)) ?? 'day',
    by: query.read('by', choice(TREND_GROUPS)),
  };
}

/** Decisions of input screening, unless `control` names another control or `all`. */
function readAuditFilter(query: QueryReader): AuditFilter {
  const shown = query.read('control', control) ?? 'input_screen';
  return { ...(shown !== 'all' && { control: shown }), ...readGroupFilter(query) };
}

/** The group of a rule stands for its rules. */
const ruleIds: QueryKind<readonly string[]> = (text) => {
  const read = filterText(text);
  return read.ok ? { ok: true, value: ruleIdsOf(read.value) } : read;
};

/** Filters of decisions of any control. */
export function readGroupFilter(query: QueryReader): AuditFilter {
  return withoutUndefined({
    blocked: query.read('blocked', flag),
    outcome: query.read('outcome', outcome),
    ruleIds: query.read('rule_id', ruleIds),
    principalId: query.read('principal_id', filterText),
    application: query.read('application', filterText),
    q: query.read('q', filterText),
  });
}
