/** Counts of what was removed from outputs. */
import { OUTPUT_KINDS } from './output.js';
import { filterText, RANGE } from '../common/query.js';
import {
  about,
  choice,
  count,
  day,
  deprecated,
  example,
  list,
  mapOf,
  moment,
  nullable,
  object,
  optional,
  type Static,
  text,
} from '../common/schema.js';

export const OutputQuery = object({
  ...RANGE,
  application: optional(about(filterText, 'The calling application.', 'support-chat')),
  bucket: optional(about(choice(['day']), '`day` adds `points`.', 'day')),
});
export type OutputQuery = Static<typeof OutputQuery>;

const pii = example(object({ by_detector: mapOf(count) }), { by_detector: { email: 5, iban: 2 } });
const secrets = example(pii, { by_detector: { aws_access_key: 1 } });

export const OutputStatsData = object(
  {
    from: moment,
    to: moment,
    counts: object({
      html_stripped: example(count, 12),
      markdown_sanitized: example(count, 4),
      structured_validation_failure: count,
      pii_redaction: example(count, 7),
      secret_redaction: example(count, 1),
      too_long: count,
      pii,
      secrets,
    }),
    pii: deprecated(pii, 'Use `counts.pii`, which has the same value.'),
    secrets: deprecated(secrets, 'Use `counts.secrets`, which has the same value.'),
    total: about(count, 'The sum over the kinds, and of `enforced` and `observed`.', 24),
    enforced: example(count, 24),
    observed: count,
    points: optional(
      about(
        list(
          object({
            date: day,
            values: list(
              object({
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
  },
  'OutputStatsData',
);
export type OutputStatsData = Static<typeof OutputStatsData>;
