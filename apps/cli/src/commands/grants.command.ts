import { UsageError, type Command } from '../shared/command.js';
import { loadStores, TABLE_OPTIONS, tablePlace } from '../shared/database.js';

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

  async run(options, { terminal }) {
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
