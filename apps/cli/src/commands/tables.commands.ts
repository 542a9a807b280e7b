// migrate and grants: the tables of a database, and the rights of its roles.
import { UsageError, type Command } from '../shared/command.js';
import {
  DATABASE_OPTIONS,
  databaseAddress,
  loadStores,
  TABLE_OPTIONS,
  tablePlace,
  withMaintenance,
} from '../shared/database.js';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Creates or updates the tables.',
  details: [
    'Runs the missing migrations, oldest first, in one transaction. It is safe to run it twice at the same time, or while instances start: a lock serializes the runs.',
    'The role must be allowed to create tables. Run it with the role that should own the tables, which need not be the role of the application.',
  ],
  options: {
    ...DATABASE_OPTIONS,
    'dry-run': { help: 'Lists the missing migrations and changes nothing.' },
  },
  examples: ['nest-guardrails migrate --dry-run', 'nest-guardrails migrate --schema guardrails'],
  exits: [
    'The tables are up to date, or --dry-run has listed the missing migrations.',
    null,
    'Nothing was changed.',
  ],

  async run(session) {
    const { options, terminal } = session;
    const address = databaseAddress(session);
    await withMaintenance(address, async (maintenance) => {
      const { missing } = await maintenance.migrations();
      if (options.has('dry-run')) {
        if (missing.length === 0) return terminal.print(`${address.displayName} is up to date.`);
        terminal.print(`${address.displayName} lacks ${countOf(missing.length)}:`);
        return terminal.print(missing.map((name) => `  ${name}`).join('\n'));
      }
      let done = 0;
      await maintenance.migrate((name) => terminal.printError(`${++done} of ${missing.length}: ${name}`));
      terminal.print(`${address.displayName} is up to date${done === 0 ? '' : `: ${countOf(done)} run`}.`);
    });
    return 0;
  },
};

const countOf = (count: number) => `${count} migration${count === 1 ? '' : 's'}`;

const HEADER = [
  '-- Run this script as the owner of the tables. The owner must be neither of the two roles.',
  '-- Create the roles first: create role NAME login; then \\password NAME',
  '-- Run this script again after every migration.',
];

export const grantsCommand: Command = {
  name: 'grants',
  summary: 'Prints the SQL script that grants two roles the rights they need, and no others.',
  details: [
    'The application role reads and inserts. It cannot change or delete append-only records, and it does not own the tables, so it cannot disable their triggers. The maintenance role erases, deletes and verifies; use it for purge and verify, never for an application. A third role owns the tables and runs migrate.',
    'The command does not connect to a database. Read the script, then pipe it into psql.',
  ],
  options: {
    application: { value: 'ROLE', help: 'The role of the application.' },
    maintenance: { value: 'ROLE', help: 'The role for purge and verify.' },
    ...TABLE_OPTIONS,
  },
  examples: ['nest-guardrails grants --application shop --maintenance ops > grants.sql'],
  exits: ['The script was printed.', null, 'An error occurred.'],

  async run({ options, terminal }) {
    const application = options.required('application');
    const maintenance = options.required('maintenance');
    if (application === maintenance)
      throw new UsageError('--application and --maintenance must be different roles.');
    const { grantStatements } = await loadStores();
    const statements = grantStatements({ application, maintenance }, tablePlace(options));
    terminal.print([...HEADER, 'begin;', ...statements, 'commit;'].join('\n'));
    return 0;
  },
};
