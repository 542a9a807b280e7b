import { UsageError, type Command, type Given } from '../command.js';
import { loadStores, TABLE_OPTIONS, tablePlace } from '../database.js';

const HEAD = [
  '-- Run this as the owner of the tables, who is neither of the two roles.',
  '-- The roles must be there: create role NAME login; then \\password NAME',
  '-- Run it again after every migration.',
];

export const grantsCommand: Command = {
  name: 'grants',
  summary: 'Prints the SQL that gives two roles what they need, and nothing else.',
  details: [
    'The role of the application reads and adds. It cannot change or remove what is only ever added to, and does not own the tables, so that it cannot switch their triggers off. The maintenance role erases, deletes and verifies: purge and verify run with it, and no application does. A third role owns the tables and runs migrate.',
    'It asks no database: read what it prints, then pipe it into psql.',
  ],
  options: {
    application: { value: 'ROLE', help: 'The role that the application connects as.' },
    maintenance: { value: 'ROLE', help: 'The role that purge and verify connect as.' },
    ...TABLE_OPTIONS,
  },
  exits: ['The script is printed.', 'It is not: why is said.'],

  async run(given, { terminal }) {
    const application = roleOf(given, 'application');
    const maintenance = roleOf(given, 'maintenance');
    if (application === maintenance)
      throw new UsageError('Two roles that are one protect nothing: give two names.');
    const { grantStatements } = await loadStores();
    const statements = grantStatements({ application, maintenance }, tablePlace(given));
    terminal.print([...HEAD, 'begin;', ...statements, 'commit;'].join('\n'));
    return 0;
  },
};

function roleOf(given: Given, option: string): string {
  const role = given.text(option);
  if (role === null) throw new UsageError(`Give --${option}: the name of a role.`);
  return role;
}
