import type { OutputStatsData } from '#contracts/api/responses.js';
import { OUTPUT_KINDS } from '#contracts/output.js';
import {
  about,
  choice,
  count,
  day,
  deprecated,
  list,
  mapOf,
  moment,
  nullable,
  object,
  Optional,
  text,
  type Fields,
} from '../openapi/json-schema.js';
import * as parameters from '../openapi/parameters.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

const byDetector = object<OutputStatsData['pii']>({ by_detector: mapOf(count) });

const countFields: Fields<OutputStatsData['counts']> = {
  html_stripped: count,
  markdown_sanitized: count,
  structured_validation_failure: count,
  pii_redaction: count,
  secret_redaction: count,
  too_long: count,
  pii: byDetector,
  secrets: byDetector,
};

const piiExample = { by_detector: { email: 5, iban: 2 } };
const secretsExample = { by_detector: { aws_access_key: 1 } };

type Point = NonNullable<OutputStatsData['points']>[number];

const schema = object<OutputStatsData>({
  from: moment,
  to: moment,
  counts: object(countFields),
  pii: deprecated(byDetector, 'Use `counts.pii`, which has the same value.'),
  secrets: deprecated(byDetector, 'Use `counts.secrets`, which has the same value.'),
  total: about(count, 'The sum over the kinds, and of `enforced` and `observed`.'),
  enforced: count,
  observed: count,
  points: new Optional(
    about(
      list(
        object<Point>({
          date: day,
          values: list(
            object<Point['values'][number]>({
              kind: choice(OUTPUT_KINDS),
              detector: about(nullable(text), '`null`: all findings of the kind.'),
              outputs: about(count, 'Outputs with such a finding, as `GET /audit` lists them.'),
              findings: count,
            }),
          ),
        }),
      ),
      'Only with `bucket=day`: one point for each UTC day of the window.',
    ),
  ),
});

export const OUTPUT = {
  'output.stats': {
    summary: 'Counts of what was removed from model output, by kind',
    description:
      'Default window: the last 30 days. With `bucket=day` a window longer than 366 days keeps its end.',
    query: [parameters.from, parameters.to, parameters.application, parameters.dayBucket],
    answer: answer<OutputStatsData>('OutputStatsData', schema, {
      from: '2026-03-02T00:00:00.000Z',
      to: '2026-03-31T23:59:59.999Z',
      counts: {
        html_stripped: 12,
        markdown_sanitized: 4,
        structured_validation_failure: 0,
        pii_redaction: 7,
        secret_redaction: 1,
        too_long: 0,
        pii: piiExample,
        secrets: secretsExample,
      },
      pii: piiExample,
      secrets: secretsExample,
      total: 24,
      enforced: 24,
      observed: 0,
    }),
  },
} as const satisfies Record<string, RouteDescription>;
