import { settingFromEnvironment, type Environment } from '../../../../../libs/contracts/src/index.js';
import type { Inspection } from '../../../../../libs/stores/typeorm/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, warning } = findingsOf('schedule');

/** A schedule runs as the role of the application, which has the rights for it only where there is one role. */
export function checkSchedule(environment: Environment, { server, tables }: Inspection): readonly Finding[] {
  const { value: schedule } = settingFromEnvironment('retention.schedule', environment);
  if (schedule === 'off') return [];
  const lacking = tables.filter(({ lacksForRetention }) => lacksForRetention.length > 0);
  if (lacking.length === 0) return [ok(`${server.role} may do what retention.schedule asks for.`)];
  return [
    warning(
      `retention.schedule is ${String(schedule)}, and ${server.role} may not erase and delete.`,
      'Unless they have one, give the stores maintenanceUrl, an address in the maintenance role; or switch the schedule off, and let a timer run nest-guardrails purge as that role.',
    ),
  ];
}
