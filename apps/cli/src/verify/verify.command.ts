import { brokenCommitments } from '../../../../libs/engine/src/index.js';
import type { VerificationReport } from '../../../../libs/stores/typeorm/src/index.js';
import type { Command } from '../command.js';
import { DATABASE_OPTIONS, databaseAddress, withMaintenance } from '../database.js';
import { ProgressBar } from '../progress-bar.js';
import { UNSEEN } from './unseen.js';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Looks whether the audit is as it was written, and says what is not.',
  details: [
    'Computes every seal and every commitment anew, follows each writer from row to row, and holds the rows of every hour and day against the counts that were folded when they were written, refused calls against their evidence, and settings in force against their latest change. Reports what was altered, what is missing in the middle, what was reordered, what is gone without a run of retention, and how much retention took.',
    'It changes nothing, reads every row once, and sees one state of the database from beginning to end: on a large one give it a quiet hour, because vacuum waits for it.',
    `It cannot see: ${UNSEEN.join('; ')}.`,
  ],
  options: {
    ...DATABASE_OPTIONS,
    json: { help: 'Prints the whole report, with the first thousand findings.' },
  },
  exits: ['Everything that can be seen is as it was written.', 'Something is not, or it could not be read.'],

  async run(given, session) {
    const { terminal } = session;
    const bar = new ProgressBar(terminal, 'verifying');
    const report = await withMaintenance(databaseAddress(given, session), (maintenance) =>
      maintenance.verify(brokenCommitments, (done, all) => bar.show(done, all)),
    ).finally(() => bar.end());
    const ok = report.findings.length === 0;
    terminal.print(
      given.has('json') ? JSON.stringify({ ok, ...report, unseen: UNSEEN }, null, 2) : told(report),
    );
    return ok ? 0 : 1;
  },
};

function told(report: VerificationReport): string {
  const { entries, writers, erased, forgotten, removed, unfollowed, findings, furtherFindings } = report;
  return [
    ...findings.map(({ kind, message }) => `${kind}: ${message}`),
    ...(furtherFindings === 0 ? [] : [`… and ${furtherFindings} more.`]),
    `${entries} entries of ${writers} writers were looked at.`,
    `Retention erased the texts of ${erased} of them, forgot whom ${forgotten} are about, and deleted ${removed} others.`,
    ...(unfollowed === 0 ? [] : [`For ${unfollowed} the row before was too far away to be followed.`]),
    findings.length === 0
      ? 'All is as it was written, as far as this can see; --help says how far.'
      : 'The audit is NOT as it was written.',
  ].join('\n');
}
