import { text } from 'node:stream/consumers';
import {
  RETENTION_STRATEGIES,
  type RetentionCounts,
  type RetentionRun,
  type RetentionScope,
  type RetentionStrategy,
} from '#contracts/index.js';
import type { Retention } from '#engine/index.js';
import { UsageError, type Command, type ParsedOptions } from '../shared/command.js';
import { DATABASE_OPTIONS, databaseAddress, loadEngine, withMaintenance } from '../shared/database.js';
import { ProgressBar, type Terminal } from '../shared/terminal.js';
import { principalOf } from '../shared/text-input.js';

export const purgeCommand: Command = {
  name: 'purge',
  summary: 'Erases or deletes one entry, one principal, or everything older than some days.',
  details: [
    'anonymize erases texts, salts and names, and keeps the evidence of decisions. purge deletes the evidence too. Counts and trends remain. Both delete rejections and events in the outbox, delivered or not, and erase the arguments, results and reasons of approvals. A pending call whose arguments were erased never runs.',
    'It works in batches. Every run is recorded with its actor and its counts. The next purge, or --resume, completes a run that was killed. Only one run is active at a time; the lock of a killed run expires after one minute.',
    'With --days, records under a hold are skipped. An erasure of one entry or principal is refused if a hold covers a part of it; the error names the hold. retention.minimum_days of the application is the lowest value of --days.',
    'With --days, a principal is removed together with the last entry that names it. Requires the rights of the maintenance role (see grants).',
  ],
  options: {
    strategy: { value: 'anonymize|purge', help: 'What to do with the selected records.' },
    days: { value: 'DAYS', help: 'Selects everything older than this number of days of 24 hours.' },
    principal: {
      value: 'NAME',
      help: 'Selects the records of one principal. Write - to read the name from standard input, because other users of this machine can read command lines.',
    },
    entry: { value: 'ID', help: 'Selects one audit entry.' },
    actor: { value: 'NAME', help: 'The person responsible; recorded with the run.' },
    'dry-run': { help: 'Counts the selected records and changes nothing.' },
    resume: { help: 'Completes runs that were killed. Needs no other options than the database.' },
    'yes-everything': { help: 'Confirms --days 0, which selects everything.' },
    json: { help: 'Prints the record of the run, or with --dry-run the counts, as JSON.' },
    ...DATABASE_OPTIONS,
  },
  examples: [
    'nest-guardrails purge --strategy anonymize --days 90 --actor ops-1 --dry-run',
    'nest-guardrails purge --strategy anonymize --principal customer-42 --actor ops-1',
  ],
  exits: [
    'The run is complete, or --dry-run has counted.',
    'Another run is active. Nothing was changed.',
    'The run failed or is incomplete.',
  ],

  async run(options, session) {
    const address = databaseAddress(options, session);
    const request = options.has('resume') ? null : await readRequest(options, () => text(process.stdin));
    return withMaintenance(address, async (maintenance) => {
      const { Retention, SystemClock } = await loadEngine();
      const retention = new Retention(maintenance.retention(), new SystemClock());
      const purge = new Purge(retention, session.terminal, options.has('json'));
      if (request === null) return purge.resume();
      return options.has('dry-run') ? purge.count(request) : purge.apply(request);
    });
  },
};

/** The parsed options. `scope` is a function because `Retention` computes the date of `--days`. */
export interface PurgeRequest {
  readonly strategy: RetentionStrategy;
  readonly scope: (retention: Retention) => RetentionScope;
  readonly actorId: string;
  readonly everything: boolean;
}

export async function readRequest(
  options: ParsedOptions,
  readInput: () => Promise<string>,
): Promise<PurgeRequest> {
  const actorId = options.text('actor')?.trim() ?? '';
  if (actorId === '') throw new UsageError('No actor given. Pass --actor; it is recorded with the run.');
  return {
    strategy: readStrategy(options),
    scope: await readScope(options, readInput),
    actorId,
    everything: options.has('yes-everything'),
  };
}

function readStrategy(options: ParsedOptions): RetentionStrategy {
  const given = options.text('strategy');
  const strategy = RETENTION_STRATEGIES.find((each) => each === given);
  if (strategy !== undefined) return strategy;
  throw new UsageError(
    given === 'keep'
      ? 'The strategy keep removes nothing, so there is nothing to do.'
      : `Pass --strategy ${RETENTION_STRATEGIES.join(' or --strategy ')}.`,
  );
}

async function readScope(
  options: ParsedOptions,
  readInput: () => Promise<string>,
): Promise<(retention: Retention) => RetentionScope> {
  const given = (['days', 'principal', 'entry'] as const).filter((scope) => options.text(scope) !== null);
  const [scope] = given;
  if (scope === undefined || given.length > 1)
    throw new UsageError('Pass exactly one of --days, --principal and --entry.');
  if (scope === 'principal') {
    const principalId = (await principalOf(options, readInput)) ?? '';
    return () => ({ kind: 'principal', principalId });
  }
  const number = readNumber(scope, options.text(scope) ?? '');
  if (scope === 'entry') return () => ({ kind: 'entry', id: number });
  if (number === 0 && !options.has('yes-everything'))
    throw new UsageError('--days 0 selects everything. Add --yes-everything to confirm.');
  return (retention) => retention.olderThan(number);
}

function readNumber(option: 'days' | 'entry', value: string): number {
  const number = Number(value);
  if (/^\d{1,15}$/.test(value) && (option === 'entry' ? number > 0 : number <= 36_500)) return number;
  throw new UsageError(
    option === 'entry'
      ? '--entry must be the id of an audit entry.'
      : '--days must be a whole number of days, up to 36500.',
  );
}

/** Each method resolves with the exit code. */
class Purge {
  constructor(
    private readonly retention: Retention,
    private readonly terminal: Terminal,
    private readonly json: boolean,
  ) {}

  async count({ strategy, scope }: PurgeRequest): Promise<number> {
    const counts = await this.retention.count(strategy, scope(this.retention));
    this.print(counts, `${strategy} would affect:\n${countLines(counts)}`);
    return 0;
  }

  async resume(): Promise<number> {
    const completed = await this.retention.resume();
    this.print(
      completed,
      completed.length === 0 ? 'No incomplete run was found.' : completed.map(runLines).join('\n'),
    );
    return 0;
  }

  async apply({ strategy, scope, actorId, everything }: PurgeRequest): Promise<number> {
    for (const run of await this.retention.resume())
      this.terminal.printError(`Completed an earlier run: ${runLines(run)}`);
    const order = { strategy, scope: scope(this.retention), actorId };
    const total = this.terminal.isInteractive ? sum(await this.retention.count(strategy, order.scope)) : 0;
    const bar = new ProgressBar(this.terminal, strategy);
    const listener = ({ counts }: RetentionRun): void => bar.show(sum(counts), total);
    const run = await this.retention.apply(order, { everything, listener }).finally(() => bar.end());
    if (run === null) {
      this.terminal.printError(
        'Another run is active, or was killed less than a minute ago. Nothing was changed. Try again later.',
      );
      return 1;
    }
    this.print(run, runLines(run));
    return 0;
  }

  private print(result: unknown, lines: string): void {
    this.terminal.print(this.json ? JSON.stringify(result, null, 2) : lines);
  }
}

const LABELS: Readonly<Record<keyof RetentionCounts, string>> = {
  rejections: 'rejections',
  outputCounts: 'single output counts',
  entries: 'audit entries',
  reviews: 'reviews of deleted entries',
  approvals: 'approvals',
  votes: 'votes of deleted approvals',
  events: 'events',
  principals: 'principals',
};

function runLines({ id, strategy, actorId, heldBy, counts }: RetentionRun): string {
  const end = heldBy === null ? 'is complete' : `was stopped by hold ${heldBy}`;
  return `Run ${id} (${strategy}, by ${actorId}) ${end}.\n${countLines(counts)}`;
}

function countLines(counts: RetentionCounts): string {
  const parts = Object.entries(LABELS) as [keyof RetentionCounts, string][];
  return parts.map(([part, label]) => `  ${label}: ${counts[part]}`).join('\n');
}

const sum = (counts: RetentionCounts): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
