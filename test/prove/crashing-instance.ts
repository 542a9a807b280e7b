import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A process with the host of `crashing-host.mjs`. */
export class CrashingInstance {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly origin: string,
  ) {}

  static async start(options: object): Promise<CrashingInstance> {
    const folder = await mkdtemp(join(tmpdir(), 'guardrails-prove-'));
    const given = JSON.stringify({ ...options, paidFile: join(folder, 'paid') });
    const child = fork(join(import.meta.dirname, 'crashing-host.mjs'), [given], { execArgv: [] });
    const [ready] = (await once(child, 'message')) as [{ readonly port: number }];
    return new CrashingInstance(child, folder, `http://127.0.0.1:${ready.port}`);
  }

  send(message: object): void {
    this.child.send(message);
  }

  /** Waits for the kill. Returns how often the tool had its effect. */
  async dead(): Promise<number> {
    if (this.child.signalCode === null) await once(this.child, 'exit');
    const paid = await readFile(join(this.folder, 'paid'), 'utf8');
    await rm(this.folder, { recursive: true });
    return paid.split('\n').length - 1;
  }
}
