// The option `replicas`: an optional part, which `typeorm-stores.ts` loads where the option is set.
import { GuardrailsError } from '#contracts/common/errors.js';
import type { ConnectionPool } from '../database/connection-pool.js';
import type { OutOfDateReads } from '../database/database.js';
import { translateErrors } from '../database/database-errors.js';
import { raw } from '../database/sql.js';

export interface Replica {
  readonly pool: ConnectionPool;
  /** Host and port. Nothing else of the URL is shown. */
  readonly name: string;
}

interface ReplicasOptions {
  /** A replica that did not answer is not used for this long. */
  readonly restMs?: number;
  readonly warn?: (message: string) => void;
}

export async function openReplicas(
  urls: readonly string[],
  poolOf: (url: string) => ConnectionPool,
): Promise<Replicas> {
  const replicas = new Replicas(urls.map((url) => ({ pool: poolOf(url), name: serverName(url) })));
  await replicas.open();
  return replicas;
}

/**
 * Reads that may be out of date. An instance stays with one replica, so that the pages of a list come from the same
 * copy. If that replica does not answer, the next one is used, and finally the primary.
 */
export class Replicas implements OutOfDateReads {
  private readonly replicas: readonly Replica[];
  private readonly restingUntil = new Map<Replica, number>();
  private readonly checks = new Set<Promise<void>>();
  private readonly restMs: number;
  private readonly warn: (message: string) => void;

  constructor(given: readonly Replica[], { restMs = 5_000, warn = emitWarning }: ReplicasOptions = {}) {
    // Instances start with different replicas. This is the only load balancing.
    const first = Math.floor(Math.random() * given.length);
    this.replicas = [...given.slice(first), ...given.slice(0, first)];
    this.restMs = restMs;
    this.warn = warn;
  }

  /** A replica that is unavailable now is used once it answers. Only the primary must be available. */
  async open(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => this.startCheck(replica)));
  }

  async close(): Promise<void> {
    await Promise.all(this.checks);
    await Promise.all(this.replicas.map(({ pool }) => pool.close()));
  }

  async read<Result>(
    fromReplica: (pool: ConnectionPool) => Promise<Result>,
    fromPrimary: () => Promise<Result>,
  ): Promise<Result> {
    for (const replica of this.replicas) {
      if (this.isResting(replica)) continue;
      try {
        return await translateErrors(() => fromReplica(replica.pool));
      } catch (error) {
        if (!(error instanceof GuardrailsError) || error.code !== 'store_unavailable') throw error;
        this.rest(replica);
      }
    }
    return fromPrimary();
  }

  /** After this time a check is started in the background; no reader waits for it. */
  private isResting(replica: Replica): boolean {
    const until = this.restingUntil.get(replica);
    if (until === undefined) return false;
    if (performance.now() >= until) {
      this.restingUntil.set(replica, Number.POSITIVE_INFINITY);
      void this.startCheck(replica);
    }
    return true;
  }

  private startCheck(replica: Replica) {
    const check = this.check(replica).finally(() => this.checks.delete(check));
    this.checks.add(check);
    return check;
  }

  private async check(replica: Replica) {
    try {
      await replica.pool.open();
      await replica.pool.query(raw('select 1'));
      this.restingUntil.delete(replica);
    } catch {
      this.rest(replica);
    }
  }

  private rest(replica: Replica) {
    if (!this.restingUntil.has(replica))
      this.warn(`The replica ${replica.name} does not answer. Reads use another server until it does.`);
    this.restingUntil.set(replica, performance.now() + this.restMs);
  }
}

export function serverName(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '(invalid URL)';
}

function emitWarning(message: string) {
  process.emitWarning(message, { type: 'GuardrailsWarning', code: 'GUARDRAILS_REPLICA_UNAVAILABLE' });
}
