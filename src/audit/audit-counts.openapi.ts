import type { AuditFacetsData, AuditTrendData, AuditTrendPoint } from '#contracts/api/audit.responses.js';
import { FACET_FIELDS } from '#contracts/audit.js';
import {
  about,
  choice,
  count,
  list,
  literal,
  moment,
  nullable,
  object,
  Optional,
  pattern,
  text,
} from '../openapi/json-schema.js';
import * as parameters from '../openapi/parameters.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';
import { AUDIT_FILTERS, filters } from './audit.openapi.js';

const facets = object<AuditFacetsData>({
  field: choice(FACET_FIELDS),
  values: about(
    list(
      object<AuditFacetsData['values'][number]>({
        value: about(nullable(text), '`null`: entries without a value.'),
        count,
      }),
      { maxItems: 50 },
    ),
    'Most entries first.',
  ),
  partial: new Optional(about(literal(true), 'Only the newest of the matching entries were counted.')),
});

const point = object<AuditTrendPoint>({
  date: about(
    pattern('^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:00:00\\.000Z)?$'),
    'A UTC day, or the start of an hour.',
  ),
  total: count,
  blocked: count,
  allowed: count,
  observed: count,
});

const trend = object<AuditTrendData>({
  from: moment,
  to: moment,
  points: about(
    list(point, { maxItems: 744 }),
    'One per UTC day or hour; `total` is `blocked` plus `allowed`, and `allowed` includes `observed`.',
  ),
  series: new Optional(
    about(
      list(
        object<NonNullable<AuditTrendData['series']>[number]>({
          value: about(nullable(text), '`null`: decisions without a rule or an application.'),
          points: list(point, { maxItems: 744 }),
        }),
        { maxItems: 20 },
      ),
      'Only with `by`. Most decisions first; points without a decision are left out.',
    ),
  ),
});

export const AUDIT_COUNTS = {
  'audit.facets': {
    summary: 'The most frequent values of a field',
    description:
      'Counts the entries that `GET /audit` lists with the same filters. One request reads at most 1,000,000 entries, or about a second, newest first.',
    query: [parameters.facetField, ...AUDIT_FILTERS],
    answer: answer<AuditFacetsData>('AuditFacetsData', facets, {
      field: 'rule_id',
      values: [
        { value: 'ignore_previous_instructions', count: 12 },
        { value: null, count: 4 },
      ],
    }),
  },
  'audit.trend': {
    summary: 'Decisions per UTC day or hour',
    description:
      'Default window: the last 30 days. A window of more than 366 days, or of more than 31 days by the hour, keeps its end.',
    query: [...filters, parameters.bucket, parameters.trendGroup],
    answer: answer<AuditTrendData>('AuditTrendData', trend, {
      from: '2026-03-30T00:00:00.000Z',
      to: '2026-03-31T23:59:59.999Z',
      points: [
        { date: '2026-03-30', total: 0, blocked: 0, allowed: 0, observed: 0 },
        { date: '2026-03-31', total: 96, blocked: 3, allowed: 93, observed: 0 },
      ],
    }),
  },
} as const satisfies Record<string, RouteDescription>;
