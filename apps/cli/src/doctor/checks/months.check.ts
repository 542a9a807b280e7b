import type { Inspection } from '../../../../../libs/stores/typeorm/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, warning, error } = findingsOf('months');

const MAKE = 'Run nest-guardrails migrate as the owner of the tables.';

/** Tables in monthly partitions: nothing is lost where one is missing, but then months share a partition. */
export function checkMonths({ server, months }: Inspection): readonly Finding[] {
  if (months === null) return [];
  const { missingNow, missingAhead, mayMake } = months;
  const findings = [
    ...(missingNow.length === 0
      ? []
      : [
          error(
            `This month has no partition: ${missingNow.join(', ')}. Entries go on in an earlier one.`,
            MAKE,
          ),
        ]),
    ...(missingAhead.length === 0
      ? []
      : [warning(`Months to come have no partition yet: ${missingAhead.join(', ')}.`, MAKE)]),
    ...(mayMake
      ? []
      : [
          error(
            `${server.role} may not make the months to come, and no instance starts as it.`,
            'Run the script of nest-guardrails grants --partitions monthly.',
          ),
        ]),
  ];
  return findings.length > 0 ? findings : [ok('This month and the next two have their partitions.')];
}
