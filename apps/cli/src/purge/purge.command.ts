import { text } from 'node:stream/consumers';
import { Retention, SystemClock } from '../../../../libs/engine/src/index.js';
import type { Command } from '../command.js';
import { DATABASE_OPTIONS, databaseAddress, withMaintenance } from '../database.js';
import { purgeOrder } from './purge-order.js';
import { Purge } from './purge.js';

export const purgeCommand: Command = {
  name: 'purge',
  summary: 'Erases or deletes: one entry, one principal, or everything older than some days.',
  details: [
    'anonymize erases texts, their salts and names, and keeps the evidence of what was decided. purge deletes that too. Counts and trends survive both. Rejections and events in the outbox, delivered or not, are deleted by either; the arguments, results and reasons of approvals are erased, and a call that still waits without its arguments never runs.',
    'It works in small steps. Every run is on record with its actor and its counts; what was killed half-way is ended by whoever purges next, or by --resume. One run at a time: one that was killed is let go of after a minute.',
    'By age, a principal is forgotten with the last entry that names it. Needs the rights of the maintenance role (see grants).',
  ],
  options: {
    strategy: { value: 'anonymize|purge', help: 'What happens to what is found.' },
    days: { value: 'DAYS', help: 'Takes everything older than so many days of 24 hours.' },
    principal: {
      value: 'NAME',
      help: 'Takes all that is kept of one principal. - reads the name from standard input, where no list of processes shows it.',
    },
    entry: { value: 'ID', help: 'Takes one entry of the audit.' },
    actor: { value: 'NAME', help: 'Who wants it; stays on record.' },
    'dry-run': { help: 'Counts what would be taken, and changes nothing.' },
    resume: { help: 'Only ends runs that were killed; asks for nothing but the database.' },
    'yes-everything': { help: 'With --days 0: says that everything is meant.' },
    json: { help: 'Prints the record of the run, or under --dry-run the counts.' },
    ...DATABASE_OPTIONS,
  },
  exits: ['It is done; under --dry-run: it is counted.', 'It is not done, or not all of it: why is said.'],

  async run(given, session) {
    const address = databaseAddress(given, session);
    const order = given.has('resume') ? null : await purgeOrder(given, () => text(process.stdin));
    return withMaintenance(address, async (maintenance) => {
      const retention = new Retention(maintenance.retention(), new SystemClock());
      const purge = new Purge(retention, session.terminal, given.has('json'));
      if (order === null) return purge.resume();
      return given.has('dry-run') ? purge.count(order) : purge.apply(order);
    });
  },
};
