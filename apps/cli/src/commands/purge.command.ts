import {
  RETENTION_STRATEGIES,
  type RetentionCounts,
  type RetentionOrder,
  type RetentionRun,
  type RetentionScope,
} from '#contracts/retention/retention.js';
import type { Retention } from '#engine/index.js';
import {
  printResult,
  UsageError,
  type Command,
  type ParsedOptions,
  type Session,
} from '../shared/command.js';
import { DATABASE_OPTIONS, databaseAddress, loadEngine, withMaintenance } from '../shared/database.js';
import { ProgressBar } from '../shared/terminal.js';
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

  async run(session) {
    const { options } = session;
    const address = databaseAddress(session);
    const request = options.has('resume') ? null : await readRequest(session);
    return withMaintenance(address, async (maintenance) => {
      const { Retention, SystemClock } = await loadEngine();
      const retention = new Retention(maintenance.retention(), new SystemClock());
      if (request === null) {
        const runs = await retention.resume();
        const lines = runs.length === 0 ? 'No incomplete run was found.' : runs.map(runLines).join('\n');
        printResult(session, runs, lines);
        return 0;
      }
      const { scope, strategy, actorId } = request;
      const order = {
        strategy,
        scope: scope.kind === 'days' ? retention.olderThan(scope.days) : scope,
        actorId,
      };
      if (!options.has('dry-run')) return apply(order, retention, session);
      const counts = await retention.count(strategy, order.scope);
      printResult(session, counts, `${strategy} would affect:\n${countLines(counts)}`);
      return 0;
    });
  },
};

/** What the options select. `Retention` computes the date of `days`. */
interface PurgeRequest extends Pick<RetentionOrder, 'strategy' | 'actorId'> {
  readonly scope: RetentionScope | { readonly kind: 'days'; readonly days: number };
}

export async function readRequest(session: Session): Promise<PurgeRequest> {
  const { options } = session;
  const actorId = options.text('actor')?.trim() ?? '';
  if (actorId === '') throw new UsageError('No actor given. Pass --actor; it is recorded with the run.');
  return { strategy: readStrategy(options), scope: await readScope(session), actorId };
}

function readStrategy(options: ParsedOptions) {
  const text = options.text('strategy');
  const strategy = RETENTION_STRATEGIES.find((each) => each === text);
  if (strategy !== undefined) return strategy;
  throw new UsageError(
    text === 'keep'
      ? 'The strategy keep removes nothing, so there is nothing to do.'
      : `Pass --strategy ${RETENTION_STRATEGIES.join(' or --strategy ')}.`,
  );
}

async function readScope(session: Session): Promise<PurgeRequest['scope']> {
  const { options } = session;
  const scopes = (['days', 'principal', 'entry'] as const).filter((name) => options.text(name) !== null);
  const [scope] = scopes;
  if (scope === undefined || scopes.length > 1)
    throw new UsageError('Pass exactly one of --days, --principal and --entry.');
  if (scope === 'principal') return { kind: scope, principalId: (await principalOf(session)) ?? '' };
  const number = readNumber(scope, options.text(scope) ?? '');
  if (scope === 'entry') return { kind: scope, id: number };
  if (number === 0 && !options.has('yes-everything'))
    throw new UsageError('--days 0 selects everything. Add --yes-everything to confirm.');
  return { kind: scope, days: number };
}

function readNumber(option: 'days' | 'entry', value: string) {
  const number = Number(value);
  if (/^\d{1,15}$/.test(value) && (option === 'entry' ? number > 0 : number <= 36_500)) return number;
  throw new UsageError(
    option === 'entry'
      ? '--entry must be the id of an audit entry.'
      : '--days must be a whole number of days, up to 36500.',
  );
}

/** Applies retention with a progress bar. Resolves with the exit code. */
async function apply(order: RetentionOrder, retention: Retention, session: Session): Promise<number> {
  const { options, terminal } = session;
  const { strategy, scope } = order;
  for (const run of await retention.resume())
    terminal.printError(`Completed an earlier run: ${runLines(run)}`);
  const total = terminal.isInteractive ? sum(await retention.count(strategy, scope)) : 0;
  const bar = new ProgressBar(terminal, strategy);
  const listener = ({ counts }: RetentionRun) => bar.show(sum(counts), total);
  const everything = options.has('yes-everything');
  const run = await retention.apply(order, { everything, listener }).finally(() => bar.end());
  if (run === null) {
    terminal.printError(
      'Another run is active, or was killed less than a minute ago. Nothing was changed. Try again later.',
    );
    return 1;
  }
  printResult(session, run, runLines(run));
  return 0;
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

function runLines({ id, strategy, actorId, heldBy, counts }: RetentionRun) {
  const end = heldBy === null ? 'is complete' : `was stopped by hold ${heldBy}`;
  return `Run ${id} (${strategy}, by ${actorId}) ${end}.\n${countLines(counts)}`;
}

function countLines(counts: RetentionCounts) {
  const parts = Object.entries(LABELS) as [keyof RetentionCounts, string][];
  return parts.map(([part, label]) => `  ${label}: ${counts[part]}`).join('\n');
}

const sum = (counts: RetentionCounts) => Object.values(counts).reduce((total, count) => total + count, 0);
