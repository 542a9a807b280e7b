import type { Database } from '../database.js';
import { rowsOf } from '../rows.js';
import { monthFunction } from './months.js';

/** Asked again after so long, where a month could not be made or turned to. */
const AGAIN_MS = 60_000;

/** A moment into the new month, whatever the two clocks think of each other. */
const MOMENT_MS = 1_000;

/**
 * Makes the months to come when the stores open and whenever a month has ended, and then lets new ids be those of the
 * month that is. Any number of instances may do so at once. Until one has, entries go on in the month before, and
 * nothing is lost: a month is a place, not a promise of when.
 */
export class MonthKeeper {
  private dueAt = Number.POSITIVE_INFINITY;
  private keeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly warn: (message: string) => void = toProcess,
  ) {}

  async open(): Promise<void> {
    await this.keep();
  }

  /** Resolves when what was begun is done, or has failed. */
  settled(): Promise<void> {
    return this.keeping;
  }

  close(): Promise<void> {
    this.dueAt = Number.POSITIVE_INFINITY;
    return this.settled();
  }

  /** Called with every append: a glance at the clock. Nobody waits for what follows. */
  mind(now = Date.now()): void {
    if (now < this.dueAt) return;
    this.dueAt = Number.POSITIVE_INFINITY;
    this.keeping = this.keep().catch((error: unknown) => {
      this.dueAt = Date.now() + AGAIN_MS;
      this.warn(
        `The partitions of the months to come could not be made: ${String(error)}. New entries stay with the last month that is there.`,
      );
    });
  }

  /** Two commits: what is turned to is there for everybody. */
  private async keep(): Promise<void> {
    const { tables } = this.database;
    const call = (name: 'make_months' | 'turn_month'): Promise<{ seconds: number | string }[]> =>
      this.database.statement((manager) =>
        rowsOf(manager, `select ${monthFunction(tables, name)}() as seconds`),
      );
    await call('make_months');
    const [answer] = await call('turn_month');
    this.dueAt = Date.now() + Number(answer?.seconds ?? 0) * 1_000 + MOMENT_MS;
  }
}

function toProcess(message: string): void {
  process.emitWarning(message, { type: 'GuardrailsWarning', code: 'GUARDRAILS_MONTHS_MISSING' });
}
