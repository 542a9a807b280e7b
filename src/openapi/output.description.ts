import type { OutputStatsData } from '../../libs/contracts/src/api/responses.js';
import { OUTPUT_KINDS } from '../../libs/contracts/src/output.js';
import { about, mapOf, object, record } from './json-schema.js';
import * as parameters from './parameters.js';
import { answer, type RouteDescription } from './route-description.js';
import { count, moment } from './wire-values.js';

const byDetector = object<OutputStatsData['pii']>({ by_detector: mapOf(count) });

const schema = object<OutputStatsData>({
  from: moment,
  to: moment,
  counts: record(OUTPUT_KINDS, count),
  pii: byDetector,
  secrets: byDetector,
  total: about(count, 'The sum over the kinds, and of `enforced` and `observed`.'),
  enforced: count,
  observed: count,
});

export const OUTPUT = {
  'output.stats': {
    summary: 'What was taken out of model output, counted by kind',
    description: 'The last 30 days unless told otherwise.',
    query: [parameters.from, parameters.to],
    answer: answer<OutputStatsData>('OutputStatsData', schema, {
      from: '2026-03-02T00:00:00.000Z',
      to: '2026-03-31T23:59:59.999Z',
      counts: {
        html_stripped: 12,
        markdown_sanitized: 4,
        structured_validation_failure: 0,
        pii_redaction: 7,
        secret_redaction: 1,
      },
      pii: { by_detector: { email: 5, iban: 2 } },
      secrets: { by_detector: { aws_access_key: 1 } },
      total: 24,
      enforced: 24,
      observed: 0,
    }),
  },
} as const satisfies Record<string, RouteDescription>;
