import { isFreezeKey } from '#contracts/freeze/freezes.api.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import { readEnvironment, readSettingsInput } from '#contracts/settings/settings-input.js';
import { definitionOf, SETTING_KEYS } from '#contracts/settings/settings.schema.js';
import type { StoredOverrides } from '#contracts/stores/settings.store.js';
import type { Inspection, Maintenance, ServerFacts, TableFacts } from '#stores/typeorm/index.js';
import { errorMessage, printResult, type Command, type Environment } from '../shared/command.js';
import {
  DATABASE_OPTIONS,
  findDatabase,
  UnavailableDatabaseError,
  withMaintenance,
  type DatabaseAddress,
} from '../shared/database.js';

type FindingLevel = 'ok' | 'warning' | 'error';

/** A result of a check. An `error` needs a fix; a `warning` should be known. */
interface Result {
  readonly level: FindingLevel;
  readonly message: string;
  /** How to fix it; `null` if the level is `ok`. */
  readonly remedy: string | null;
}

interface Finding extends Result {
  readonly check: string;
}

const warning = (message: string, remedy: string): Result => ({ level: 'warning', message, remedy });
const error = (message: string, remedy: string): Result => ({ level: 'error', message, remedy });

/** The problems that a check found, or that there are none. */
function findings(check: string, problems: readonly Result[], fine: string): readonly Finding[] {
  const results = problems.length > 0 ? problems : [{ level: 'ok' as const, message: fine, remedy: null }];
  return results.map((result) => ({ check, ...result }));
}

const LABELS: Readonly<Record<FindingLevel, string>> = {
  ok: 'ok     ',
  warning: 'warning',
  error: 'ERROR  ',
};

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Checks the environment and the database, and prints how to fix each problem.',
  details: [
    'Checks the settings in the environment and the stored overrides. In the database it checks the connection, the version, the clock, the migrations, the rights of the role, and the triggers that protect records. It changes nothing.',
    'It cannot check settings that the code of an application sets, such as retention.schedule. Run it in the environment of the application.',
    'Without a database, it checks everything that needs none.',
    'Use the database URL of the application: the rights are checked for the role of that URL.',
  ],
  options: {
    ...DATABASE_OPTIONS,
    json: { help: 'Prints { ok, findings: [{ check, level, message, remedy }] }.' },
  },
  examples: ['nest-guardrails doctor', 'nest-guardrails doctor --json | jq .'],
  exits: ['No errors; warnings are possible.', 'At least one error.', 'The checks could not be completed.'],

  async run(session) {
    const results = await runChecks(findDatabase(session), session.environment);
    const ok = results.every(({ level }) => level !== 'error');
    printResult(session, { ok, findings: results }, report(results));
    return ok ? 0 : 1;
  },
};

function report(results: readonly Finding[]) {
  const count = (of: FindingLevel) => results.filter(({ level }) => level === of).length;
  return [...results.map(lineOf), '', `Errors: ${count('error')}. Warnings: ${count('warning')}.`].join('\n');
}

function lineOf({ check, level, message, remedy }: Finding) {
  const line = `${LABELS[level]}  ${check}: ${message}`;
  return remedy === null ? line : `${line}\n         → ${remedy}`;
}

const OLDEST_POSTGRES = 14;
const CLOCK_WARNING_MS = 1_000;
const CLOCK_ERROR_MS = 60_000;
const LISTED_COLUMNS = 5;

const OWN_ROLE =
  'Let the application connect as a role that does not own the tables. nest-guardrails grants prints the script.';

/** Runs all checks. Checks of the tables are skipped if there is no database, or if it cannot be reached. */
async function runChecks(
  address: DatabaseAddress | null,
  environment: Environment,
): Promise<readonly Finding[]> {
  const configuration = await checkConfiguration(environment);
  if (address !== null) return [...configuration, ...(await checkDatabase(address, environment))];
  const problem = warning('No database was checked.', 'Set DATABASE_URL or pass --url to check one.');
  return [...configuration, ...findings('database', [problem], '')];
}

async function checkDatabase(
  address: DatabaseAddress,
  environment: Environment,
): Promise<readonly Finding[]> {
  const connection = (problems: readonly Result[]) =>
    findings('database', problems, `${address.displayName} accepts connections.`);
  let isConnected = false;
  try {
    return await withMaintenance(address, async (maintenance) => {
      isConnected = true;
      return [...connection([]), ...(await checkTablesOf(maintenance, environment))];
    });
  } catch (fault) {
    // An invalid table prefix or schema name is wrong usage of the command line.
    if (fault instanceof ConfigurationError) throw fault;
    const reason = errorMessage(fault instanceof UnavailableDatabaseError ? fault.cause : fault);
    return connection([
      error(
        `${address.displayName} ${isConnected ? 'failed' : 'does not answer'}: ${reason}`,
        'Check the address, the password, pg_hba.conf, and that the server is running.',
      ),
    ]);
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
    ...checkClock(server),
    ...checkTables(inspection),
    ...(tables.length === 0 ? [] : [...checkRights(inspection), ...checkTriggers(tables)]),
    ...checkSchedule(environment, inspection),
    ...(isMigrated && isReadable
      ? [...checkOverrides(await maintenance.settings().read()), ...runsOf(await maintenance.runs())]
      : []),
  ];
}

/** Why an engine does not start with these settings. What the code of a host passes is taken for granted. */
async function startFaults() {
  const { startEngine } = await import('#standalone/index.js');
  const diagnostics = { warn: () => undefined };
  const notifier = { notify: () => Promise.resolve() };
  const approverGroups = { isMember: () => false };
  try {
    await (await startEngine({ diagnostics, notifier, approverGroups })).stop();
    return [];
  } catch (fault) {
    return fault instanceof ConfigurationError ? fault.reasons : [errorMessage(fault)];
  }
}

async function checkConfiguration(environment: Environment): Promise<readonly Finding[]> {
  const { values, invalid, unknown } = readEnvironment(environment);
  const problems = [
    ...[...new Set([...invalid.values(), ...(await startFaults())])].map((reason) =>
      error(reason, 'Correct or unset it. An application that reads it does not start.'),
    ),
    ...unknown.map((text) => warning(text, 'Correct or unset it.')),
  ];
  const fine =
    values.size === 0
      ? 'The environment contains no settings.'
      : `All ${values.size} settings in the environment are valid.`;
  return findings('configuration', problems, fine);
}

function checkServer(server: ServerFacts): readonly Finding[] {
  const problems: Result[] = [];
  if (server.versionNumber < OLDEST_POSTGRES * 10_000)
    problems.push(
      error(`PostgreSQL ${server.version} is not supported.`, `Use PostgreSQL ${OLDEST_POSTGRES} or later.`),
    );
  if (server.encoding !== 'UTF8')
    problems.push(
      error(
        `The database encoding is ${server.encoding}, which cannot store every text.`,
        "Create a database with encoding 'UTF8' and move the tables there.",
      ),
    );
  if (server.readOnly)
    problems.push(error('The server is read-only or a standby.', 'Use the address of the primary server.'));
  const fine = `PostgreSQL ${server.version} with encoding ${server.encoding} accepts writes.`;
  return findings('server', problems, fine);
}

function checkClock({ clockSkewMs, clockErrorMs }: ServerFacts): readonly Finding[] {
  // The duration of the query limits the precision of the measurement.
  const skew = Math.max(0, Math.abs(clockSkewMs) - clockErrorMs);
  const message = `The clock of the database is ${(skew / 1_000).toFixed(1)} s ${clockSkewMs > 0 ? 'ahead of' : 'behind'} the clock of this machine.`;
  const remedy =
    'Synchronize both clocks with a time server. Decisions use the clock of the instance, expiry uses the clock of the database.';
  const problem = skew > CLOCK_ERROR_MS ? error(message, remedy) : warning(message, remedy);
  const fine = 'The clocks of the database and of this machine differ by less than 1 s.';
  return findings('clock', skew > CLOCK_WARNING_MS ? [problem] : [], fine);
}

function checkTables({ migrations, missingColumns }: Inspection): readonly Finding[] {
  const { missing, unknown } = migrations;
  const problems: Result[] = [];
  if (missing.length > 0)
    problems.push(
      error(`Migrations have not been run: ${missing.join(', ')}.`, 'Run nest-guardrails migrate.'),
    );
  else if (missingColumns.length > 0)
    problems.push(
      error(
        `All migrations have been run, but columns are missing: ${shorten(missingColumns)}.`,
        'The tables were changed by hand. Restore them from a backup, or add the columns.',
      ),
    );
  if (unknown.length > 0)
    problems.push(
      warning(
        `The database was migrated by a newer version: ${unknown.join(', ')}.`,
        'Use the version that the applications run, or revert these migrations with it.',
      ),
    );
  return findings('tables', problems, 'All migrations have been run and all columns exist.');
}

/** Checks the connected role, so use the URL of the application to check how well records are protected from it. */
function checkRights({ server, tables }: Inspection): readonly Finding[] {
  const { role } = server;
  const problems = tables
    .filter(({ lacks }) => lacks.length > 0)
    .map(({ name, lacks }) =>
      error(
        `${role} may not ${lacks.join(', ')} on ${name}.`,
        `grant ${lacks.join(', ')} on ${name} to ${role};`,
      ),
    );
  if (server.superuser)
    problems.push(warning(`${role} is a superuser, so grants and triggers do not restrict it.`, OWN_ROLE));
  else if (tables.some(({ owned }) => owned))
    problems.push(warning(`${role} owns the tables, so it can disable their triggers.`, OWN_ROLE));
  else
    problems.push(
      ...tables
        .filter(({ exceeds }) => exceeds.length > 0)
        .map(({ name, exceeds }) =>
          warning(
            `${role} may ${exceeds.join(', ')} on ${name}, which is append-only.`,
            `revoke ${exceeds.join(', ')} on ${name} from ${role};`,
          ),
        ),
    );
  return findings('rights', problems, `${role} has all required rights and no others.`);
}

function checkTriggers(tables: readonly TableFacts[]): readonly Finding[] {
  const problems = tables
    .filter(({ unguarded }) => unguarded.length > 0)
    .map(({ name, unguarded }) =>
      error(
        `No active trigger guards ${unguarded.join(', ')} on ${name}.`,
        `The trigger was disabled or dropped. Run alter table ${name} enable trigger user; or restore the trigger as the migration creates it. Then run nest-guardrails verify.`,
      ),
    );
  const fine = 'Triggers protect evidence, rejections, setting changes, decisions and retention runs.';
  return findings('triggers', problems, fine);
}

/** The schedule runs with the role of the application, which often has no rights to erase and delete. */
function checkSchedule(environment: Environment, { server, tables }: Inspection): readonly Finding[] {
  const schedule = (readEnvironment(environment).values.get('retention.schedule') ?? 'off') as string;
  if (schedule === 'off') return [];
  const mayErase = tables.every(({ lacksForRetention }) => lacksForRetention.length === 0);
  const problem = warning(
    `retention.schedule is ${schedule}, but ${server.role} may not erase and delete.`,
    'Pass maintenanceUrl, the URL of the maintenance role, to the stores. Or set the schedule to off and run nest-guardrails purge from a timer as that role.',
  );
  const fine = `${server.role} has the rights that retention.schedule needs.`;
  return findings('schedule', mayErase ? [] : [problem], fine);
}

/** Only the configuration of the host can unlock these, and this command cannot read it. */
const UNLOCKABLE = new Set(SETTING_KEYS.filter((key) => definitionOf(key).unlockedBy !== undefined));

function runsOf({ count, until }: Awaited<ReturnType<Maintenance['runs']>>): readonly Finding[] {
  const message = `${count} runs are stored, with hashes of what vouches in them`;
  return findings(
    'runs',
    [],
    until === null ? `${message}.` : `${message}; the first may be deleted after ${until}.`,
  );
}

function checkOverrides(stored: StoredOverrides): readonly Finding[] {
  const values = [...stored.values].filter(([key]) => !isFreezeKey(key));
  const { unknown, invalid } = readSettingsInput(Object.fromEntries(values), 'overrides', UNLOCKABLE);
  const problems = Object.entries({ ...unknown, ...invalid }).map(([key, reasons]) =>
    warning(
      `The stored override of ${key} is ignored: it ${reasons.join('; ')}.`,
      'Send PUT /settings with a valid value, or with null to remove the override.',
    ),
  );
  return findings('overrides', problems, `All ${values.length} stored overrides of settings are valid.`);
}

function shorten(names: readonly string[]) {
  if (names.length <= LISTED_COLUMNS) return names.join(', ');
  return `${names.slice(0, LISTED_COLUMNS).join(', ')} and ${names.length - LISTED_COLUMNS} more`;
}
