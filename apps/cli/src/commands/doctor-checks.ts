import { ConfigurationError } from '#contracts/common/errors.js';
import { isFreezeKey } from '#contracts/freeze/freezes.api.js';
import { readEnvironment, readSettingsInput } from '#contracts/settings/settings-input.js';
import { definitionOf, SETTING_KEYS } from '#contracts/settings/settings.schema.js';
import type { StoredOverrides } from '#contracts/stores/settings.store.js';
import type { Inspection, Maintenance, ServerFacts, TableFacts } from '#stores/typeorm/index.js';
import { errorMessage, type Environment } from '../shared/command.js';
import { UnavailableDatabaseError, withMaintenance, type DatabaseAddress } from '../shared/database.js';

export type FindingLevel = 'ok' | 'warning' | 'error';

/** The result of one check. An `error` needs a fix; a `warning` should be known. */
export interface Finding {
  readonly check: string;
  readonly level: FindingLevel;
  readonly message: string;
  /** How to fix it; `null` if the level is `ok`. */
  readonly remedy: string | null;
}

const OLDEST_POSTGRES = 14;
const CLOCK_WARNING_MS = 1_000;
const CLOCK_ERROR_MS = 60_000;
const LISTED_COLUMNS = 5;

const OWN_ROLE =
  'Let the application connect as a role that does not own the tables. nest-guardrails grants prints the script.';

/** Runs all checks. Checks of the tables are skipped if there is no database, or if it cannot be reached. */
export async function runChecks(
  address: DatabaseAddress | null,
  environment: Environment,
): Promise<readonly Finding[]> {
  const { warning } = findingsOf('database');
  return [
    ...(await checkConfiguration(environment)),
    ...(address === null
      ? [warning('No database was checked.', 'Set DATABASE_URL or pass --url to check one.')]
      : await checkDatabase(address, environment)),
  ];
}

async function checkDatabase(
  address: DatabaseAddress,
  environment: Environment,
): Promise<readonly Finding[]> {
  const { ok, error } = findingsOf('database');
  let isConnected = false;
  try {
    return await withMaintenance(address, async (maintenance) => {
      isConnected = true;
      return [
        ok(`${address.displayName} accepts connections.`),
        ...(await checkTablesOf(maintenance, environment)),
      ];
    });
  } catch (fault) {
    // An invalid table prefix or schema name is wrong usage of the command line.
    if (fault instanceof ConfigurationError) throw fault;
    const reason = errorMessage(fault instanceof UnavailableDatabaseError ? fault.cause : fault);
    return [
      error(
        `${address.displayName} ${isConnected ? 'failed' : 'does not answer'}: ${reason}`,
        'Check the address, the password, pg_hba.conf, and that the server is running.',
      ),
    ];
  }
}

async function checkTablesOf(
  maintenance: Maintenance,
  environment: Environment,
): Promise<readonly Finding[]> {
  const inspection = await maintenance.inspect();
  const { server, tables, migrations, missingColumns } = inspection;
  const isMigrated = migrations.missing.length === 0 && missingColumns.length === 0;
  const isReadable = tables.every(({ lacks }) => !lacks.includes('SELECT'));
  return [
    ...checkServer(server),
    checkClock(server),
    ...checkTables(inspection),
    ...(tables.length === 0 ? [] : checkRights(inspection)),
    ...(tables.length === 0 ? [] : checkTriggers(tables)),
    ...checkSchedule(environment, inspection),
    ...(isMigrated && isReadable ? checkOverrides(await maintenance.settings().read()) : []),
  ];
}

/** Why an engine does not start with these settings. What the code of a host passes is taken for granted. */
async function startFaults(): Promise<readonly string[]> {
  const { startEngine } = await import('#standalone/index.js');
  const diagnostics = { warn: () => undefined };
  const notifier = { notify: () => Promise.resolve() };
  const approverGroups = { isMember: () => false };
  try {
    await (await startEngine({ diagnostics, notifier, approverGroups })).stop();
    return [];
  } catch (error) {
    return error instanceof ConfigurationError ? error.reasons : [errorMessage(error)];
  }
}

async function checkConfiguration(environment: Environment): Promise<readonly Finding[]> {
  const { ok, warning, error } = findingsOf('configuration');
  const { values, invalid, unknown } = readEnvironment(environment);
  const findings = [
    ...[...new Set([...invalid.values(), ...(await startFaults())])].map((reason) =>
      error(reason, 'Correct or unset it. An application that reads it does not start.'),
    ),
    ...unknown.map((text) => warning(text, 'Correct or unset it.')),
  ];
  if (findings.length > 0) return findings;
  return [
    ok(
      values.size === 0
        ? 'The environment contains no settings.'
        : `All ${values.size} settings in the environment are valid.`,
    ),
  ];
}

function checkServer(server: ServerFacts): readonly Finding[] {
  const { ok, error } = findingsOf('server');
  const findings: Finding[] = [];
  if (server.versionNumber < OLDEST_POSTGRES * 10_000)
    findings.push(
      error(`PostgreSQL ${server.version} is not supported.`, `Use PostgreSQL ${OLDEST_POSTGRES} or later.`),
    );
  if (server.encoding !== 'UTF8')
    findings.push(
      error(
        `The database encoding is ${server.encoding}, which cannot store every text.`,
        "Create a database with encoding 'UTF8' and move the tables there.",
      ),
    );
  if (server.readOnly)
    findings.push(error('The server is read-only or a standby.', 'Use the address of the primary server.'));
  return findings.length > 0
    ? findings
    : [ok(`PostgreSQL ${server.version} with encoding ${server.encoding} accepts writes.`)];
}

function checkClock({ clockSkewMs, clockErrorMs }: ServerFacts): Finding {
  const { ok, warning, error } = findingsOf('clock');
  // The duration of the query limits the precision of the measurement.
  const skew = Math.max(0, Math.abs(clockSkewMs) - clockErrorMs);
  if (skew <= CLOCK_WARNING_MS)
    return ok('The clocks of the database and of this machine differ by less than 1 s.');
  const message = `The clock of the database is ${(skew / 1_000).toFixed(1)} s ${clockSkewMs > 0 ? 'ahead of' : 'behind'} the clock of this machine.`;
  const remedy =
    'Synchronize both clocks with a time server. Decisions use the clock of the instance, expiry uses the clock of the database.';
  return skew > CLOCK_ERROR_MS ? error(message, remedy) : warning(message, remedy);
}

function checkTables({ migrations, missingColumns }: Inspection): readonly Finding[] {
  const { ok, warning, error } = findingsOf('tables');
  const { missing, unknown } = migrations;
  const findings: Finding[] = [];
  if (missing.length > 0)
    findings.push(
      error(`Migrations have not been run: ${missing.join(', ')}.`, 'Run nest-guardrails migrate.'),
    );
  else if (missingColumns.length > 0)
    findings.push(
      error(
        `All migrations have been run, but columns are missing: ${shorten(missingColumns)}.`,
        'The tables were changed by hand. Restore them from a backup, or add the columns.',
      ),
    );
  if (unknown.length > 0)
    findings.push(
      warning(
        `The database was migrated by a newer version: ${unknown.join(', ')}.`,
        'Use the version that the applications run, or revert these migrations with it.',
      ),
    );
  return findings.length > 0 ? findings : [ok('All migrations have been run and all columns exist.')];
}

/** Checks the connected role, so use the URL of the application to check how well records are protected from it. */
function checkRights({ server, tables }: Inspection): readonly Finding[] {
  const { ok, warning, error } = findingsOf('rights');
  const { role } = server;
  const findings = tables
    .filter(({ lacks }) => lacks.length > 0)
    .map(({ name, lacks }) =>
      error(
        `${role} may not ${lacks.join(', ')} on ${name}.`,
        `grant ${lacks.join(', ')} on ${name} to ${role};`,
      ),
    );
  if (server.superuser)
    findings.push(warning(`${role} is a superuser, so grants and triggers do not restrict it.`, OWN_ROLE));
  else if (tables.some(({ owned }) => owned))
    findings.push(warning(`${role} owns the tables, so it can disable their triggers.`, OWN_ROLE));
  else
    findings.push(
      ...tables
        .filter(({ exceeds }) => exceeds.length > 0)
        .map(({ name, exceeds }) =>
          warning(
            `${role} may ${exceeds.join(', ')} on ${name}, which is append-only.`,
            `revoke ${exceeds.join(', ')} on ${name} from ${role};`,
          ),
        ),
    );
  return findings.length > 0 ? findings : [ok(`${role} has all required rights and no others.`)];
}

function checkTriggers(tables: readonly TableFacts[]): readonly Finding[] {
  const { ok, error } = findingsOf('triggers');
  const findings = tables
    .filter(({ unguarded }) => unguarded.length > 0)
    .map(({ name, unguarded }) =>
      error(
        `No active trigger guards ${unguarded.join(', ')} on ${name}.`,
        `The trigger was disabled or dropped. Run alter table ${name} enable trigger user; or restore the trigger as the migration creates it. Then run nest-guardrails verify.`,
      ),
    );
  if (findings.length > 0) return findings;
  return [ok('Triggers protect evidence, rejections, setting changes, decisions and retention runs.')];
}

/** The schedule runs with the role of the application, which often has no rights to erase and delete. */
function checkSchedule(environment: Environment, { server, tables }: Inspection): readonly Finding[] {
  const { ok, warning } = findingsOf('schedule');
  const schedule = (readEnvironment(environment).values.get('retention.schedule') ?? 'off') as string;
  if (schedule === 'off') return [];
  if (tables.every(({ lacksForRetention }) => lacksForRetention.length === 0))
    return [ok(`${server.role} has the rights that retention.schedule needs.`)];
  return [
    warning(
      `retention.schedule is ${schedule}, but ${server.role} may not erase and delete.`,
      'Pass maintenanceUrl, the URL of the maintenance role, to the stores. Or set the schedule to off and run nest-guardrails purge from a timer as that role.',
    ),
  ];
}

/** Only the configuration of the host can unlock these, and this command cannot read it. */
const UNLOCKABLE = new Set(SETTING_KEYS.filter((key) => definitionOf(key).unlockedBy !== undefined));

function checkOverrides(stored: StoredOverrides): readonly Finding[] {
  const { ok, warning } = findingsOf('overrides');
  const values = [...stored.values].filter(([key]) => !isFreezeKey(key));
  const { unknown, invalid } = readSettingsInput(Object.fromEntries(values), 'overrides', UNLOCKABLE);
  const ignored = Object.entries({ ...unknown, ...invalid });
  if (ignored.length === 0) return [ok(`All ${values.length} stored overrides of settings are valid.`)];
  return ignored.map(([key, reasons]) =>
    warning(
      `The stored override of ${key} is ignored: it ${reasons.join('; ')}.`,
      'Send PUT /settings with a valid value, or with null to remove the override.',
    ),
  );
}

function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, level: 'ok', message, remedy: null }),
    warning: (message: string, remedy: string): Finding => ({ check, level: 'warning', message, remedy }),
    error: (message: string, remedy: string): Finding => ({ check, level: 'error', message, remedy }),
  };
}

function shorten(names: readonly string[]): string {
  if (names.length <= LISTED_COLUMNS) return names.join(', ');
  return `${names.slice(0, LISTED_COLUMNS).join(', ')} and ${names.length - LISTED_COLUMNS} more`;
}
