import { ConfigurationError } from '../../../../libs/contracts/src/index.js';
import type { Maintenance } from '../../../../libs/stores/typeorm/src/index.js';
import { withMaintenance, type DatabaseAddress } from '../database.js';
import type { Environment } from '../environment.js';
import { whyNot } from '../why-not.js';
import { checkClock } from './checks/clock.check.js';
import { checkConfiguration } from './checks/configuration.check.js';
import { checkOverrides } from './checks/overrides.check.js';
import { checkRights } from './checks/rights.check.js';
import { checkSchedule } from './checks/schedule.check.js';
import { checkServer } from './checks/server.check.js';
import { checkTables } from './checks/tables.check.js';
import { checkTriggers } from './checks/triggers.check.js';
import { findingsOf, type Finding } from './finding.js';

const { ok, error } = findingsOf('database');

/** Every check, in the order in which one makes sense of the next. */
export async function examine(
  address: DatabaseAddress,
  environment: Environment,
): Promise<readonly Finding[]> {
  return [...checkConfiguration(environment.variables), ...(await databaseFindings(address, environment))];
}

async function databaseFindings(
  address: DatabaseAddress,
  { variables }: Environment,
): Promise<readonly Finding[]> {
  let reached = false;
  try {
    return await withMaintenance(address, async (maintenance) => {
      reached = true;
      return [ok(`${address.shown} answers.`), ...(await findings(maintenance, variables))];
    });
  } catch (fault) {
    // A prefix or schema that is no name is wrong use, and said as such.
    if (fault instanceof ConfigurationError) throw fault;
    const remedy = 'Check the address, the password, pg_hba.conf, and whether the server runs.';
    return [error(`${address.shown} ${reached ? 'failed' : 'does not answer'}: ${whyNot(fault)}`, remedy)];
  }
}

async function findings(
  maintenance: Maintenance,
  variables: Environment['variables'],
): Promise<readonly Finding[]> {
  const inspection = await maintenance.inspect();
  const { server, tables, migrations, missingColumns } = inspection;
  const whole = migrations.missing.length === 0 && missingColumns.length === 0;
  const readable = tables.every(({ lacks }) => !lacks.includes('SELECT'));
  return [
    ...checkServer(server),
    checkClock(server),
    ...checkTables(inspection),
    ...(tables.length === 0 ? [] : checkRights(inspection)),
    ...(tables.length === 0 ? [] : checkTriggers(tables)),
    ...checkSchedule(variables, inspection),
    ...(whole && readable ? checkOverrides(await maintenance.overrides()) : []),
  ];
}
