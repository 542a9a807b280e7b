import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { isAnotherSession } from './store-errors.js';

/** What TypeORM's driver keeps to itself but has on every version: the way to a connection of the pool. */
interface PooledDriver {
  obtainMasterConnection(): Promise<[pg.PoolClient, (error?: Error | boolean) => void]>;
}

/**
 * Statements that are sent so often that planning them anew would show: they are prepared under a name, once for each
 * connection. Behind a pooler that shares sessions out by the transaction that fails once, and they go without a name.
 */
export class PreparedStatements {
  private readonly names = new Map<string, string>();
  private named = true;

  constructor(
    private readonly dataSource: DataSource,
    private readonly patienceMs: number,
  ) {}

  rows<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.onConnection((client) => this.sendTo<Row>(client, text, values));
  }

  /** Without a name: planned for these very values. */
  once<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const query = { text, values: [...values], query_timeout: this.patienceMs };
    return this.onConnection(async (client) => (await client.query(query)).rows as Row[]);
  }

  private async onConnection<Row>(send: (client: pg.PoolClient) => Promise<Row[]>): Promise<Row[]> {
    const [client, release] = await (
      this.dataSource.driver as unknown as PooledDriver
    ).obtainMasterConnection();
    let broken = false;
    const breaks = (): void => {
      broken = true;
    };
    // A connection that ends while it is ours must not end the process.
    client.on('error', breaks);
    try {
      return await send(client);
    } catch (error) {
      if (isSilence(error)) {
        // It may still answer one day; nobody must get that answer for another question.
        broken = true;
        hangUp(client);
      }
      throw error;
    } finally {
      client.off('error', breaks);
      release(broken);
    }
  }

  /** On a connection that the caller holds. */
  async sendTo<Row>(client: pg.ClientBase, text: string, values: readonly unknown[]): Promise<Row[]> {
    const name = this.named ? { name: this.nameOf(text) } : {};
    const query = { text, values: [...values], query_timeout: this.patienceMs, ...name };
    try {
      return (await client.query(query)).rows as Row[];
    } catch (error) {
      if (isAnotherSession(error)) this.named = false;
      throw error;
    }
  }

  private nameOf(text: string): string {
    const name =
      this.names.get(text) ?? `guardrails_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    this.names.set(text, name);
    return name;
  }
}

/** What `pg` says of a connection that does not answer in time. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

export function hangUp(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
