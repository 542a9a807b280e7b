import type { RetentionCounts, RetentionPart, RetentionRun } from '../../../../libs/contracts/src/index.js';
import type { Retention } from '../../../../libs/engine/src/index.js';
import { ProgressBar } from '../progress-bar.js';
import type { Terminal } from '../terminal.js';
import type { PurgeOrder } from './purge-order.js';

/** Each answers the exit code. */
export class Purge {
  constructor(
    private readonly retention: Retention,
    private readonly terminal: Terminal,
    private readonly json: boolean,
  ) {}

  async count({ strategy, scope }: PurgeOrder): Promise<number> {
    const found = scope(this.retention);
    const counts = await this.retention.count(strategy, found);
    this.print(counts, [`${strategy} would take:`, lines(counts)].join('\n'));
    return 0;
  }

  async resume(): Promise<number> {
    const ended = await this.retention.resume();
    const words = ended.length === 0 ? 'No run was left that nobody is at.' : ended.map(told).join('\n');
    this.print(ended, words);
    return 0;
  }

  async apply({ strategy, scope, actorId, everything }: PurgeOrder): Promise<number> {
    for (const run of await this.retention.resume())
      this.terminal.tell(`Left unfinished before: ${told(run)}`);
    const order = { strategy, scope: scope(this.retention), actorId };
    const all = this.terminal.isWatched ? sum(await this.retention.count(strategy, order.scope)) : 0;
    const bar = new ProgressBar(this.terminal, strategy);
    const listener = ({ counts }: RetentionRun): void => bar.show(sum(counts), all);
    const run = await this.retention.apply(order, { everything, listener }).finally(() => bar.end());
    if (run === null) {
      this.terminal.tell(
        'Another run is under way, or was killed less than a minute ago. Nothing was done: try again later.',
      );
      return 1;
    }
    this.print(run, told(run));
    return 0;
  }

  private print(result: unknown, words: string): void {
    this.terminal.print(this.json ? JSON.stringify(result, null, 2) : words);
  }
}

const LABELS: Readonly<Record<RetentionPart, string>> = {
  rejections: 'rejections',
  outputCounts: 'single output counts',
  entries: 'audit entries',
  approvals: 'approvals',
  events: 'events',
  principals: 'principals',
};

function told({ id, strategy, actorId, counts }: RetentionRun): string {
  return `run ${id} (${strategy}, by ${actorId}) is done.\n${lines(counts)}`;
}

function lines(counts: RetentionCounts): string {
  const parts = Object.entries(LABELS) as [RetentionPart, string][];
  return parts.map(([part, label]) => `  ${label}: ${counts[part]}`).join('\n');
}

const sum = (counts: RetentionCounts): number => Object.values(counts).reduce((one, other) => one + other, 0);
