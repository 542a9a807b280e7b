import type { Command } from '../shared/command.js';
import { DATABASE_OPTIONS, databaseAddress, withMaintenance } from '../shared/database.js';

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

  async run(options, session) {
    const address = databaseAddress(options, session);
    const { terminal } = session;
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

const countOf = (count: number): string => `${count} migration${count === 1 ? '' : 's'}`;
