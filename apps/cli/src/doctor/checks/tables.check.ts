import type { Inspection } from '../../../../../libs/stores/typeorm/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, warning, error } = findingsOf('tables');

export function checkTables({ migrations, missingColumns }: Inspection): readonly Finding[] {
  const { missing, unknown } = migrations;
  const findings: Finding[] = [];
  if (missing.length > 0)
    findings.push(
      error(`Migrations have not been run: ${missing.join(', ')}.`, 'Run nest-guardrails migrate.'),
    );
  else if (missingColumns.length > 0)
    findings.push(
      error(
        `The migrations were run, and yet these are missing: ${shortened(missingColumns)}.`,
        'Somebody changed the tables by hand: restore them from a backup, or add what is missing.',
      ),
    );
  if (unknown.length > 0)
    findings.push(
      warning(
        `A newer version was here: ${unknown.join(', ')}.`,
        'Use the version that the applications run, or undo these migrations with it.',
      ),
    );
  return findings.length > 0 ? findings : [ok('Every migration has been run, and every column is there.')];
}

function shortened(names: readonly string[]): string {
  const most = 5;
  return names.length <= most
    ? names.join(', ')
    : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
