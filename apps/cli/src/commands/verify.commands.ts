import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { VerificationReport } from '#stores/typeorm/index.js';
import { printResult, UsageError, type Command, type ParsedOptions } from '../shared/command.js';
import { DATABASE_OPTIONS, databaseAddress, loadEngine, withMaintenance } from '../shared/database.js';
import { ProgressBar } from '../shared/terminal.js';

/** Manipulations that reading the database cannot reveal. Printed in the help and in the JSON report. */
const NOT_DETECTED: readonly string[] = [
  'without --checkpoint: a changed row, or removed last rows of a writer, if somebody with full write access also recomputed the hash, the derived tables, the last position of the writer and the transparency log',
  'with --checkpoint: the same, for what was recorded after that checkpoint',
  'a removal that was entered as a retention run',
  'an invented review, hold or release, if an instance ran and logged it; a change to one in its first five seconds, before it was logged; an invented setting change, once the next one is recorded; and the removal of the whole log with its keyed digest, if an instance then began a new log',
  'deleted events, and deleted reservations of limits with their sums; the times of events and their order; an earlier state of the settings or of retention.minimum_days with its keyed digest; and rows without a keyed digest that are older than the first row with one (their number is printed)',
  'changes to violations of refused calls, and to the times, reasons and results of approvals, to who resolved one, and to whether a vote is void: triggers and rights protect them, but no hash covers them',
  'rows written during the verification',
];

/** Variables that the application reads as well. */
const SECRET = 'GUARDRAILS_HITL_TOKEN_SECRET';
const HASH_KEY = 'GUARDRAILS_AUDIT_HYGIENE_HASH_KEY';
const CHECKPOINT_KEY = 'GUARDRAILS_AUDIT_CHECKPOINT_KEY';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Verifies that the audit was not changed, and prints every difference.',
  details: [
    'Recomputes every hash and commitment, and follows the numbers of each writer. Recomputes the counts, sums, copies and ranges of ids that reads use. Compares refused calls with their evidence, the settings in force with their latest change, and approvals and votes with the evidence of their steps. Reports altered, missing and reordered rows, removals without a retention run, and how much retention removed.',
    `Approvals, decisions and votes carry keyed digests. To verify them, set ${SECRET} as for the application (hitl.token_secret). Those of an earlier secret do not match.`,
    `The log of what operators did (reviews, holds, setting changes, exports, retention runs) has a keyed digest by the same secret or, without one, by ${HASH_KEY}. Events, reservations of limits, overridden settings and retention.minimum_days have such digests too. After a rotation, verify with the earlier secret, and see the page about databases.`,
    'If there is a transparency log, its tree is rebuilt and compared with every row and with the stored checkpoints. --checkpoint proves in addition that the log still contains everything that a checkpoint kept elsewhere covered.',
    'It changes nothing. It reads every row once in one snapshot; on a large database run it at a quiet time, because vacuum waits for the snapshot.',
    `It cannot detect: ${NOT_DETECTED.join('; ')}.`,
  ],
  options: {
    ...DATABASE_OPTIONS,
    checkpoint: { value: 'FILE', help: 'A signed checkpoint that was kept outside the database.' },
    'public-key': {
      value: 'KEY|FILE',
      help: 'The key that checkpoint --public-key printed, or a file with it. Several are separated by commas.',
    },
    json: { help: 'Prints the whole report, with the first thousand findings.' },
  },
  examples: [
    'nest-guardrails verify',
    'nest-guardrails verify --checkpoint checkpoint.txt --public-key guardrails.pub',
  ],
  exits: [
    'No difference was found.',
    'A difference was found.',
    'The audit or the checkpoint could not be read.',
  ],

  async run(session) {
    const { options, terminal, environment } = session;
    const bar = new ProgressBar(terminal, 'verifying');
    const secret = environment[SECRET] || null;
    const checkpoint = await readCheckpoint(options);
    const sealedWith = secret ?? (environment[HASH_KEY] || null);
    const { brokenCommitments, brokenSeals, logSeal } = await loadEngine();
    const sealOf = sealedWith === null ? undefined : logSeal(sealedWith);
    const checks = { brokenCommitments, brokenSeals: brokenSeals(secret), sealOf, checkpoint };
    const report = await withMaintenance(databaseAddress(session), (maintenance) =>
      maintenance.verify(checks, (done, total) => bar.show(done, total)),
    ).finally(() => bar.end());
    const ok = report.findings.length === 0;
    const unchecked: string[] = [];
    if (sealOf === undefined)
      unchecked.push(
        `The keyed digests of the log, of events, reservations, settings and retention.minimum_days were not verified: set ${SECRET} as for the application.`,
      );
    if (report.unsealed)
      unchecked.push(
        `${report.unsealed} events, reservations or settings have no keyed digest, and are not verified.`,
      );
    if (!report.log?.sealed && checkpoint === undefined)
      unchecked.push(
        report.log === null
          ? 'The log of what operators do (reviews, holds, setting changes, exports) is empty, so there is nothing to verify in it. An application with hitl.token_secret adds a keyed digest from the first action on.'
          : 'No keyed digest covers what operators did (reviews, holds, setting changes, exports). Set hitl.token_secret for the application, and it adds one.',
      );
    if (secret === null && report.approvals > 0)
      unchecked.push(
        `The keyed digests of ${report.approvals} approvals, their decisions and their votes were not verified: set ${SECRET} as for the application.`,
      );
    const data = { ok, ...report, unchecked, unseen: NOT_DETECTED };
    printResult(session, data, reportLines(report, unchecked));
    return ok ? 0 : 1;
  },
};

async function readCheckpoint(options: ParsedOptions) {
  const [file, publicKey] = [options.text('checkpoint'), options.text('public-key')];
  if (file === null && publicKey === null) return undefined;
  if (file === null || publicKey === null)
    throw new UsageError('Pass --checkpoint and --public-key together.');
  const { openCheckpoint } = await loadEngine();
  const keys = await Promise.all(
    publicKey.split(',').map(async (key) => (existsSync(key) ? (await readFile(key, 'utf8')).trim() : key)),
  );
  const open = (note: string) => {
    const failures: unknown[] = [];
    for (const key of keys) {
      try {
        return openCheckpoint(note, key);
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0];
  };
  return { held: open(await readFile(file, 'utf8')), open };
}

function reportLines(report: VerificationReport, unchecked: readonly string[]) {
  const { entries, writers, erased, forgotten, removed, unfollowed, findings, furtherFindings } = report;
  return [
    ...findings.map(({ kind, message }) => `${kind}: ${message}`),
    ...(furtherFindings === 0 ? [] : [`… and ${furtherFindings} more.`]),
    `${entries} entries of ${writers} writers and ${report.approvals} approvals were verified.`,
    ...unchecked,
    `Retention erased the texts of ${erased} entries and the principals of ${forgotten}, and deleted ${removed} other entries.`,
    ...(unfollowed === 0
      ? []
      : [`For ${unfollowed} entries, missing rows before them could not be detected.`]),
    ...(report.log === null
      ? []
      : [
          `The transparency log has ${report.log.leaves} leaves and ${report.log.checkpoints} checkpoints. The rows of ${report.log.gone} leaves were deleted.`,
        ]),
    findings.length === 0
      ? 'No difference was found. --help lists what cannot be detected.'
      : 'The audit was CHANGED.',
  ].join('\n');
}

export const checkpointCommand: Command = {
  name: 'checkpoint',
  summary: 'Prints the newest signed checkpoint of the audit, or the public key.',
  details: [
    'Keep checkpoints where the administrators of the database cannot change them. verify --checkpoint compares the audit with one.',
    `--public-key needs no database: it derives the key that verifies checkpoints from ${CHECKPOINT_KEY}, as the application has it. Keep the public key outside the database, too.`,
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

  async run(session) {
    const { options, terminal, environment } = session;
    if (options.has('public-key')) {
      const configured = environment[CHECKPOINT_KEY];
      if (!configured)
        throw new UsageError(`No signing key given. Set ${CHECKPOINT_KEY} as for the application.`);
      const key = configured.startsWith('file:')
        ? await readFile(configured.slice('file:'.length), 'utf8')
        : configured;
      const { CheckpointSigner } = await loadEngine();
      terminal.print(new CheckpointSigner(key).publicKey);
      return 0;
    }
    const newest = await withMaintenance(databaseAddress(session), (maintenance) =>
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
