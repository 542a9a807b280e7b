import { describe, expect, it } from '@jest/globals';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { ConnectionPool } from '../database/connection-pool.js';
import { Replicas, serverName, type Replica } from './replicas.js';

/** A replica that can be made unavailable. */
class Server {
  isAvailable = true;
  statements = 0;
  isOpen = false;

  constructor(readonly name: string) {}

  async open(): Promise<void> {
    if (!this.isOpen) await this.query();
    this.isOpen = true;
  }

  async query(): Promise<string> {
    this.statements++;
    if (!this.isAvailable) throw GuardrailsError.storeUnavailable(new Error('unavailable'));
    return this.name;
  }

  async close(): Promise<void> {
    this.isOpen = false;
  }

  get replica(): Replica {
    const name = serverName(`postgres://reader:secret@${this.name}:5432/guardrails`);
    return { pool: this as unknown as ConnectionPool, name };
  }
}

async function reading(servers: readonly Server[], restMs = 0) {
  const warnings: string[] = [];
  const replicas = new Replicas(
    servers.map(({ replica }) => replica),
    { restMs, warn: (message) => warnings.push(message) },
  );
  await replicas.open();
  const read = (): Promise<string> =>
    replicas.read(
      (pool) => (pool as unknown as Server).query(),
      async () => 'primary',
    );
  return { replicas, read, warnings };
}

describe('reads from replicas', () => {
  it('uses one replica for all reads', async () => {
    const { read } = await reading([new Server('one'), new Server('two')]);
    const by = new Set(await Promise.all(Array.from({ length: 20 }, read)));
    expect(by.size).toBe(1);
    expect(by).not.toContain('primary');
  });

  it('uses the primary without replicas', async () => {
    expect(await (await reading([])).read()).toBe('primary');
  });

  it('uses a replica again once it answers', async () => {
    const server = new Server('one');
    const { replicas, read, warnings } = await reading([server]);
    server.isAvailable = false;
    expect(await read()).toBe('primary');
    server.isAvailable = true;
    // This read starts the check of the replica in the background.
    expect(await read()).toBe('primary');
    await replicas.close();
    server.isOpen = true;
    expect(await read()).toBe('one');
    expect(warnings).toHaveLength(1);
  });

  it('sends nothing to an unavailable replica for some time', async () => {
    const server = new Server('one');
    const { read } = await reading([server], 60_000);
    server.isAvailable = false;
    await read();
    const { statements } = server;
    await Promise.all(Array.from({ length: 20 }, read));
    expect(server.statements).toBe(statements);
  });

  it('warns once per failure, without user and password', async () => {
    const server = new Server('one');
    const { replicas, read, warnings } = await reading([server]);
    for (const failure of [1, 2]) {
      server.isAvailable = false;
      for (let time = 1; time <= 5; time++) await read();
      await replicas.open();
      server.isAvailable = true;
      await replicas.open();
      expect(warnings).toHaveLength(failure);
    }
    expect(warnings[0]).toMatch(/^The replica one:5432 does not answer/);
    expect(warnings.join('')).not.toMatch(/reader|secret/);
  });

  it('passes on errors that another server would return too', async () => {
    const server = new Server('one');
    const { replicas } = await reading([server]);
    const slow = GuardrailsError.queryTimeout(new Error('slow'));
    const failing = replicas.read(
      () => Promise.reject(slow),
      async () => 'primary',
    );
    await expect(failing).rejects.toBe(slow);
  });
});
