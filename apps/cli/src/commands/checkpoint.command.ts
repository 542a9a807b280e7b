import { readFile } from 'node:fs/promises';
import { UsageError, type Command } from '../shared/command.js';
import { DATABASE_OPTIONS, databaseAddress, loadEngine, withMaintenance } from '../shared/database.js';

/** The variable that the application reads as well. */
const KEY = 'GUARDRAILS_AUDIT_CHECKPOINT_KEY';

export const checkpointCommand: Command = {
  name: 'checkpoint',
  summary: 'Prints the newest signed checkpoint of the audit, or the public key.',
  details: [
    'Keep checkpoints where the administrators of the database cannot change them. verify --checkpoint compares the audit with one.',
    `--public-key needs no database: it derives the key that verifies checkpoints from ${KEY}, as the application has it. Keep the public key outside the database, too.`,
  ],
  options: {
    ...DATABASE_OPTIONS,
    'public-key': { help: 'Prints the public key of the configured signing key.' },
  },
  examples: ['nest-guardrails checkpoint > checkpoint.txt'],
  exits: [
    'The checkpoint or the key was printed.',
    'There is no checkpoint.',
    'The checkpoint or the key could not be read.',
  ],

  async run(options, session) {
    const { terminal, environment } = session;
    if (options.has('public-key')) {
      const given = environment[KEY] || null;
      if (given === null) throw new UsageError(`No signing key given. Set ${KEY} as for the application.`);
      const key = given.startsWith('file:') ? await readFile(given.slice('file:'.length), 'utf8') : given;
      const { CheckpointSigner } = await loadEngine();
      terminal.print(new CheckpointSigner(key).publicKey);
      return 0;
    }
    const newest = await withMaintenance(databaseAddress(options, session), (maintenance) =>
      maintenance.newestCheckpoint(),
    );
    if (newest === null) {
      terminal.printError('There is no checkpoint. Set audit.checkpoint_key for the application.');
      return 1;
    }
    terminal.print(newest.note.trimEnd());
    return 0;
  },
};
