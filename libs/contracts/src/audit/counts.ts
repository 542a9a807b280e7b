/** Counts of entries: by time, and by the values of an attribute. */
import {
  about,
  choice,
  count,
  example,
  list,
  literal,
  moment,
  nullable,
  object,
  optional,
  pattern,
  type Static,
  text,
} from '../common/schema.js';
import { FACET_FIELDS } from './record.js';

/** The values with the most decisions, of which a trend shows one series each. */
export const MAX_TREND_SERIES = 20;

/** The decisions of one UTC day or hour, as stores count them. */
export interface TrendPoint {
  /** A UTC day, `YYYY-MM-DD`, or hour, `YYYY-MM-DDTHH`. */
  readonly date: string;
  readonly total: number;
  readonly blocked: number;
  readonly observed: number;
}

/** The points of one value of the grouped attribute. */
export interface TrendSeries {
  /** `null`: decisions without a rule or an application. */
  readonly value: string | null;
  /** Oldest first, without those that have no decision. */
  readonly points: readonly TrendPoint[];
}

const TrendPointData = object({
  date: about(
    pattern('^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:00:00\\.000Z)?$'),
    'A UTC day, or the start of an hour.',
    '2026-03-31',
  ),
  total: example(count, 96),
  blocked: example(count, 3),
  allowed: example(count, 93),
  observed: count,
});

/** The decisions of one day or hour, as answers show them. */
export type TrendPointData = Static<typeof TrendPointData>;

export const AuditTrendData = object(
  {
    from: moment,
    to: moment,
    points: about(
      list(TrendPointData, { maxItems: 744 }),
      'One per UTC day or hour; `total` is `blocked` plus `allowed`, and `allowed` includes `observed`.',
    ),
    series: optional(
      about(
        list(
          object({
            value: about(nullable(text), '`null`: decisions without a rule or an application.'),
            points: list(TrendPointData, { maxItems: 744 }),
          }),
          { maxItems: MAX_TREND_SERIES },
        ),
        'Only with `by`. Most decisions first; points without a decision are left out.',
      ),
    ),
  },
  'AuditTrendData',
);
export type AuditTrendData = Static<typeof AuditTrendData>;

const MAX_FACET_VALUES = 50;

const Facet = object({
  value: about(nullable(text), '`null`: entries without a value.', 'ignore_previous_instructions'),
  count: example(count, 12),
});
type Facet = Static<typeof Facet>;

export const AuditFacetsData = object(
  {
    field: example(choice(FACET_FIELDS), 'rule_id'),
    values: about(list(Facet, { maxItems: MAX_FACET_VALUES }), 'Most entries first.'),
    partial: optional(about(literal(true), 'Only the newest of the matching entries were counted.')),
  },
  'AuditFacetsData',
);
export type AuditFacetsData = Static<typeof AuditFacetsData>;

/** The values with the most entries, most first. */
export type Facets = Pick<AuditFacetsData, 'values' | 'partial'>;

/** Values with equal counts are in their own order. */
export function mostFrequent(counts: ReadonlyMap<string | null, number>): readonly Facet[] {
  return [...counts]
    .map(([value, entries]) => ({ value, count: entries }))
    .toSorted((one, other) => other.count - one.count || ((one.value ?? '') < (other.value ?? '') ? -1 : 1))
    .slice(0, MAX_FACET_VALUES);
}
