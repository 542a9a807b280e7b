import type { DataSource } from 'typeorm';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import type { Sessions } from './sessions.js';
import { guarded } from './store-errors.js';

/** A copy of the database that follows behind, on a server of its own. */
interface Replica {
  readonly sessions: Sessions;
  /** Its host and port: nothing else of its URL is for others to read. */
  readonly name: string;
}

export interface ReplicaReadsOptions {
  /** A replica that did not answer is left in peace for this long, so that not every reader waits for it. */
  readonly restMs?: number;
  readonly warn?: (message: string) => void;
}

/**
 * The way to replicas, for what may be a little old. An instance stays with one of them, so that the pages of a list
 * come from the same copy; where it cannot answer, the next one does, and at last `primary`.
 */
export class ReplicaReads {
  private readonly replicas: Replica[];
  private readonly resting = new Map<Replica, number>();
  private readonly knocks = new Set<Promise<void>>();
  private readonly restMs: number;
  private readonly warn: (message: string) => void;

  constructor(every: readonly Sessions[], { restMs = 5_000, warn = toProcess }: ReplicaReadsOptions = {}) {
    const replicas = every.map((sessions) => ({ sessions, name: nameOf(sessions.dataSource) }));
    const first = Math.floor(Math.random() * replicas.length);
    // Instances begin with different ones: that is all the balance there is.
    this.replicas = [...replicas.slice(first), ...replicas.slice(0, first)];
    this.restMs = restMs;
    this.warn = warn;
  }

  get any(): boolean {
    return this.replicas.length > 0;
  }

  /** One that is away now is taken in when it comes back: the primary alone decides whether the stores open. */
  async open(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => this.knock(replica)));
  }

  async close(): Promise<void> {
    await Promise.all(this.knocks);
    const open = this.replicas.filter(({ sessions }) => sessions.dataSource.isInitialized);
    await Promise.all(open.map(({ sessions }) => sessions.dataSource.destroy()));
  }

  async read<Result>(
    from: (replica: Sessions) => Promise<Result>,
    primary: () => Promise<Result>,
  ): Promise<Result> {
    for (const replica of this.replicas) {
      if (this.rests(replica)) continue;
      try {
        return await guarded(() => from(replica.sessions));
      } catch (error) {
        if (!cannotAnswer(error)) throw error;
        this.rest(replica);
      }
    }
    return primary();
  }

  /** Whether to pass by. One that has rested long enough is knocked at meanwhile, and nobody waits for its answer. */
  private rests(replica: Replica): boolean {
    const until = this.resting.get(replica);
    if (until === undefined) return false;
    if (performance.now() >= until) {
      this.resting.set(replica, Number.POSITIVE_INFINITY);
      void this.knock(replica);
    }
    return true;
  }

  private knock(replica: Replica): Promise<void> {
    const knock = this.asked(replica).finally(() => this.knocks.delete(knock));
    this.knocks.add(knock);
    return knock;
  }

  private async asked(replica: Replica): Promise<void> {
    const { dataSource } = replica.sessions;
    try {
      if (!dataSource.isInitialized) await dataSource.initialize();
      await dataSource.query('select 1');
      this.resting.delete(replica);
    } catch {
      this.rest(replica);
    }
  }

  private rest(replica: Replica): void {
    if (!this.resting.has(replica)) {
      this.warn(
        `The replica ${replica.name} cannot answer: what it was asked for is read elsewhere until it can.`,
      );
    }
    this.resting.set(replica, performance.now() + this.restMs);
  }
}

function cannotAnswer(error: unknown): boolean {
  return error instanceof GuardrailsError && error.code === 'store_unavailable';
}

function nameOf({ options }: DataSource): string {
  const { url } = options as { readonly url?: string };
  try {
    return new URL(url ?? '').host;
  } catch {
    return 'without a readable URL';
  }
}

function toProcess(message: string): void {
  process.emitWarning(message, { type: 'GuardrailsWarning', code: 'GUARDRAILS_REPLICA_AWAY' });
}
