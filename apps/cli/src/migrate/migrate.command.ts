import type { Command } from '../command.js';
import { DATABASE_OPTIONS, databaseAddress, withMaintenance } from '../database.js';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Brings the tables up to date.',
  details: [
    'Runs the migrations that the database lacks, oldest first, in one transaction: all of them, or none. Two runs at once, or a run while instances start, are fine: one waits for the other.',
    'The role must be allowed to create tables. Run it with the role that is to own them, which need not be the one of the application.',
  ],
  options: {
    ...DATABASE_OPTIONS,
    'dry-run': { help: 'Lists what would run, and changes nothing.' },
  },
  exits: [
    'The tables are up to date; under --dry-run: the list is complete.',
    'Nothing was changed; why is said.',
  ],

  async run(given, session) {
    const address = databaseAddress(given, session);
    const { terminal } = session;
    await withMaintenance(address, async (maintenance) => {
      const { missing } = await maintenance.migrations();
      if (given.has('dry-run')) {
        if (missing.length === 0) return terminal.print(`${address.shown} is up to date.`);
        terminal.print(`${address.shown} lacks ${counted(missing.length)}:`);
        return terminal.print(missing.map((name) => `  ${name}`).join('\n'));
      }
      let done = 0;
      await maintenance.migrate((name) => terminal.tell(`${++done} of ${missing.length}: ${name}`));
      terminal.print(`${address.shown} is up to date${done === 0 ? '' : `: ${counted(done)} run`}.`);
    });
    return 0;
  },
};

const counted = (count: number): string => `${count} migration${count === 1 ? '' : 's'}`;
