import type { Approval } from '../../../contracts/src/approvals.js';
import type { ApprovalStore } from '../../../contracts/src/approvals.store.js';
import type { Diagnostics } from '../diagnostics.js';
import type { StepWatch } from './step-watch.js';

/** An instance that is not heard of for this long counts as dead. */
export const LEASE_MS = 30_000;

const RENEW_MS = LEASE_MS / 3;

/** This instance's right to run one call: renewed while the tool runs, and lost where another instance took over. */
export class RunLease {
  private timer: NodeJS.Timeout | null = null;
  private lose!: () => void;
  /** Resolves when it is lost, and never where it is not. */
  readonly lost = new Promise<'lost'>((resolve) => {
    this.lose = () => resolve('lost');
  });

  constructor(
    private readonly store: ApprovalStore,
    private readonly approval: Pick<Approval, 'id' | 'fence'>,
    private readonly diagnostics: Diagnostics,
    private readonly watch: StepWatch,
  ) {}

  start(): void {
    // A tool that never ends keeps no process alive.
    this.timer = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Asked before the tool runs where taking the lease took long: a process may have slept meanwhile. */
  async isHeldSince(askedAt: number): Promise<boolean> {
    if (performance.now() - askedAt < RENEW_MS) return true;
    return this.store.renew(this.approval.id, this.approval.fence, LEASE_MS);
  }

  private async renew(): Promise<void> {
    const { id, fence } = this.approval;
    try {
      this.watch('renewing', id);
      const isHeld = await this.store.renew(id, fence, LEASE_MS);
      this.watch('renewed', id);
      if (isHeld) return;
      this.stop();
      this.lose();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      this.diagnostics.warn('the lease of a running call could not be renewed', { approval: id, reason });
    }
  }
}
