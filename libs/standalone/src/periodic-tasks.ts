import type { Engine } from '#engine/create-engine.js';

/** Settings changed on another instance apply here within two of these intervals. */
const SETTINGS_INTERVAL_MS = 1000;
const RELAY_INTERVAL_MS = 1000;
const PRUNE_INTERVAL_MS = 60_000;
const OUTCOMES_INTERVAL_MS = 500;
const RECOVERY_INTERVAL_MS = 30_000;
const RETENTION_INTERVAL_MS = 60_000;
const CHECKPOINT_INTERVAL_MS = 5_000;

/** Receives the first failure of a series. The task is run again after its interval. */
type FailureListener = (message: string, error: unknown) => void;

/** The periodic tasks of a running engine: reload settings, deliver events, apply retention, recover approvals. */
export class PeriodicTasks {
  private readonly tickers: readonly Ticker[];

  constructor(
    private readonly engine: Engine,
    onFailure: FailureListener,
  ) {
    const every = (
      intervalMs: number,
      name: string,
      task: () => Promise<void>,
      firstRun: FirstRun = 'after an interval',
    ) => new Ticker(name, intervalMs, task, onFailure, firstRun);
    this.tickers = [
      every(SETTINGS_INTERVAL_MS, 'Refreshing the settings', () => engine.refresh()),
      // Events queued on this instance start the relay at once; this delivers those of other instances, and retries.
      every(RELAY_INTERVAL_MS, 'Delivering events', async () => engine.relay.wake()),
      every(RETENTION_INTERVAL_MS, 'Retention', () => engine.retentionSchedule.tick(), 'now'),
      every(CHECKPOINT_INTERVAL_MS, 'Checkpoints', () => engine.checkpoints.tick(), 'now'),
      every(PRUNE_INTERVAL_MS, 'Pruning events', async () => void (await engine.relay.prune())),
      every(OUTCOMES_INTERVAL_MS, 'Notifying outcomes of approvals', () =>
        engine.outcomeNotifier.deliverDue(),
      ),
      every(RECOVERY_INTERVAL_MS, 'Recovering approvals', () => engine.recovery.recover(), 'now'),
    ];
  }

  start(): void {
    for (const ticker of this.tickers) ticker.start();
    // What fails here fails again where it is needed, and is reported there.
    this.engine.warmUp().catch(() => undefined);
  }

  /** Resolves once the current runs have ended. */
  async stop(): Promise<void> {
    for (const ticker of this.tickers) await ticker.stop();
  }
}

type FirstRun = 'now' | 'after an interval';

/** Runs a task periodically, never twice at once, and does not keep the process alive. */
export class Ticker {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isFailing = false;

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly task: () => Promise<void>,
    private readonly onFailure: FailureListener,
    private readonly firstRun: FirstRun = 'after an interval',
  ) {}

  start(): void {
    this.timer = setInterval(() => this.tick(), this.intervalMs).unref();
    if (this.firstRun === 'now') this.tick();
  }

  /** Resolves once the current run has ended. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.running;
  }

  private tick(): void {
    this.running ??= this.run().finally(() => (this.running = null));
  }

  private async run(): Promise<void> {
    try {
      await this.task();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.onFailure(`${this.name} failed. It is retried every ${this.intervalMs} ms.`, error);
      this.isFailing = true;
    }
  }
}
