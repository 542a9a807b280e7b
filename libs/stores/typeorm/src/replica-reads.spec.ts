import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import { ReplicaReads } from './replica-reads.js';
import type { Sessions } from './sessions.js';

/** A replica that is here or away as it is told; only what a reading needs is asked of it. */
class Server {
  here = true;
  asked = 0;
  isInitialized = false;
  readonly options: { readonly url: string };

  constructor(readonly name: string) {
    this.options = { url: `postgres://reader:secret@${name}:5432/guardrails` };
  }

  async initialize(): Promise<void> {
    await this.query();
    this.isInitialized = true;
  }

  async query(): Promise<string> {
    this.asked++;
    if (!this.here) throw GuardrailsError.storeUnavailable(new Error('away'));
    return this.name;
  }

  async destroy(): Promise<void> {
    this.isInitialized = false;
  }

  get sessions(): Sessions {
    return { dataSource: this as unknown as DataSource } as Sessions;
  }
}

async function reading(servers: readonly Server[], restMs = 0) {
  const said: string[] = [];
  const reads = new ReplicaReads(
    servers.map(({ sessions }) => sessions),
    { restMs, warn: (message) => said.push(message) },
  );
  await reads.open();
  const read = (): Promise<string> =>
    reads.read(
      ({ dataSource }) => dataSource.query<string>('select'),
      async () => 'primary',
    );
  return { reads, read, said };
}

describe('reading from replicas', () => {
  it('stays with one of them, so that pages of a list belong together', async () => {
    const { read } = await reading([new Server('one'), new Server('two')]);
    const by = new Set(await Promise.all(Array.from({ length: 20 }, read)));
    expect(by.size).toBe(1);
    expect(by).not.toContain('primary');
  });

  it('goes to the primary where there are none', async () => {
    expect(await (await reading([])).read()).toBe('primary');
  });

  it('asks one that was away in vain once, and takes it in again when it is back', async () => {
    const server = new Server('one');
    const { reads, read, said } = await reading([server]);
    server.here = false;
    expect(await read()).toBe('primary');
    server.here = true;
    // The reader who finds that it has rested long enough knocks, and does not wait for it.
    expect(await read()).toBe('primary');
    await reads.close();
    server.isInitialized = true;
    expect(await read()).toBe('one');
    expect(said).toHaveLength(1);
  });

  it('leaves one in peace that was away, however many read', async () => {
    const server = new Server('one');
    const { read } = await reading([server], 60_000);
    server.here = false;
    await read();
    const { asked } = server;
    await Promise.all(Array.from({ length: 20 }, read));
    expect(server.asked).toBe(asked);
  });

  it('speaks of each absence once, and names neither user nor password', async () => {
    const server = new Server('one');
    const { reads, read, said } = await reading([server]);
    for (const absence of [1, 2]) {
      server.here = false;
      for (let time = 1; time <= 5; time++) await read();
      await reads.open();
      server.here = true;
      await reads.open();
      expect(said).toHaveLength(absence);
    }
    expect(said[0]).toMatch(/^The replica one:5432 cannot answer/);
    expect(said.join('')).not.toMatch(/reader|secret/);
  });

  it('hands on what another server would answer just as well', async () => {
    const server = new Server('one');
    const { reads } = await reading([server]);
    const slow = GuardrailsError.queryTimeout(new Error('slow'));
    const failing = reads.read(
      () => Promise.reject(slow),
      async () => 'primary',
    );
    await expect(failing).rejects.toBe(slow);
  });
});
