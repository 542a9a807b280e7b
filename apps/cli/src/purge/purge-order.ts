import {
  RETENTION_STRATEGIES,
  type RetentionScope,
  type RetentionStrategy,
} from '../../../../libs/contracts/src/index.js';
import type { Retention } from '../../../../libs/engine/src/index.js';
import { UsageError, type Given } from '../command.js';

/** What is asked for, in the words of the command line. */
export interface PurgeOrder {
  readonly strategy: RetentionStrategy;
  readonly scope: (retention: Retention) => RetentionScope;
  readonly actorId: string;
  readonly everything: boolean;
}

const SCOPES = ['days', 'principal', 'entry'] as const;

export async function purgeOrder(given: Given, readInput: () => Promise<string>): Promise<PurgeOrder> {
  const actorId = given.text('actor')?.trim() ?? '';
  if (actorId === '') throw new UsageError('In whose name? Give --actor: it stays on record.');
  return {
    strategy: strategyOf(given),
    scope: await scopeOf(given, readInput),
    actorId,
    everything: given.has('yes-everything'),
  };
}

function strategyOf(given: Given): RetentionStrategy {
  const strategy = RETENTION_STRATEGIES.find((each) => each === given.text('strategy'));
  if (strategy !== undefined) return strategy;
  throw new UsageError(
    given.text('strategy') === 'keep'
      ? 'keep removes nothing, so there is nothing to do.'
      : `Give --strategy ${RETENTION_STRATEGIES.join(' or --strategy ')}.`,
  );
}

async function scopeOf(
  given: Given,
  readInput: () => Promise<string>,
): Promise<(retention: Retention) => RetentionScope> {
  const named = SCOPES.filter((scope) => given.text(scope) !== null);
  const [scope] = named;
  if (scope === undefined || named.length > 1)
    throw new UsageError('Of what? Give one of --days, --principal and --entry.');
  if (scope === 'principal') {
    const principalId = await nameOf(given.text('principal') ?? '', readInput);
    return () => ({ kind: 'principal', principalId });
  }
  const number = wholeNumber(scope, given.text(scope) ?? '');
  if (scope === 'entry') return () => ({ kind: 'entry', id: number });
  if (number === 0 && !given.has('yes-everything'))
    throw new UsageError('--days 0 takes all that there is. If that is meant, add --yes-everything.');
  return (retention) => retention.olderThan(number);
}

/** A name on the command line is seen by every user of the machine, and by its shell's history. */
async function nameOf(given: string, readInput: () => Promise<string>): Promise<string> {
  const name = given === '-' ? (await readInput()).replace(/\r?\n$/, '') : given;
  if (name === '')
    throw new UsageError('--principal - reads a name from standard input, and there was none.');
  return name;
}

function wholeNumber(option: 'days' | 'entry', text: string): number {
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && (option === 'entry' ? number > 0 : number <= 36_500)) return number;
  throw new UsageError(
    option === 'entry'
      ? '--entry takes the id of an entry.'
      : '--days takes a whole number of days, up to 36500.',
  );
}
