import { messageOf } from '#contracts/common/errors.js';
import type { Approval } from '#contracts/approvals/approvals.js';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { Redactor, CurrentSettings, Diagnostics } from '../../shared/ports.js';
import type { ApprovalChecks } from './approval-checks.js';
import type { ApprovalTransitions, RunOutcome } from './approval-transitions.js';
import type { Tracing } from '../../shared/tracing.js';
import { RUN_ENDS, runTool } from './tool-run.js';

interface ApprovalRunnerOptions {
  readonly store: ApprovalStore;
  readonly steps: ApprovalTransitions;
  readonly checks: ApprovalChecks;
  readonly redactor: Redactor;
  readonly settings: CurrentSettings;
  readonly diagnostics: Diagnostics;
  /** Time that a running tool gets when this instance stops. */
  readonly graceMs: number;
  readonly tracing: Tracing;
}

/** Runs an approved call at most once: the caller that wins the claim runs it, others get `null`. */
export class ApprovalRunner {
  private readonly underWay = new Map<Promise<Approval | null>, number>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: ApprovalRunnerOptions) {}

  /** Runs an approved call, or supersedes it where something changed. */
  run(approval: Approval, tool: Tool): Promise<Approval | null> {
    return this.track(approval, async () => {
      if (!(await this.options.checks.isStillAllowed(approval, tool)))
        return this.options.steps.supersede(approval);
      const terms = { leaseMs: LEASE_MS, withinMs: this.options.settings.current().get('hitl.ttl') * 1000 };
      const unchanged = (claimed: Approval): boolean => this.options.checks.isUnchanged(claimed, tool);
      const claim = () => this.options.steps.claim(approval, terms, unchanged);
      // A call that cannot be claimed may come from a restored database. `markUnknown` changes no other call.
      return (await this.claimAndRun(claim, tool, RUN_ENDS.notBegun)) ?? this.markUnknown(approval);
    });
  }

  /** Repeats an interrupted run of an idempotent tool. */
  runAgain(approval: Approval, tool: Tool): Promise<Approval | null> {
    return this.track(approval, async () => {
      if (!(await this.options.checks.isStillAllowed(approval, tool))) return this.markUnknown(approval);
      const claim = () => this.options.store.claimAgain(approval.id, approval.fence, LEASE_MS);
      return this.claimAndRun(claim, tool, RUN_ENDS.interrupted);
    });
  }

  /** Ends a run whose instance stopped unexpectedly, or that was lost with the history of the database. */
  markUnknown(approval: Approval): Promise<Approval | null> {
    const end = approval.status === 'approved' ? RUN_ENDS.restored : RUN_ENDS.interrupted;
    return this.options.steps.markUnknown(approval, end.result);
  }

  /** Starts nothing more, and aborts running tools; this instance stops. */
  beginStop(): void {
    this.stopping.abort();
  }

  /** Whether this instance runs it, even if the lease could not be renewed. */
  isRunning({ id }: Pick<Approval, 'id'>): boolean {
    return [...this.underWay.values()].includes(id);
  }

  /** Resolves when no run is in progress on this instance. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.underWay.keys());
  }

  /** `unbegun`: the outcome of a run that was claimed but not started. */
  private async claimAndRun(
    claim: () => Promise<Approval | null>,
    tool: Tool,
    unbegun: RunOutcome,
  ): Promise<Approval | null> {
    // The approval stays as it is, so that another instance can recover it.
    if (this.stopping.signal.aborted) return null;
    const claimStartedAt = performance.now();
    const approval = await claim();
    if (approval?.status !== 'executing') return approval;
    const lease = new RunLease(this.options.store, approval, this.options.diagnostics);
    if (!(await lease.isHeldSince(claimStartedAt))) return null;
    // The call may have changed between the check and the claim.
    const mayBegin = this.options.checks.isUnchanged(approval, tool) && !this.stopping.signal.aborted;
    return mayBegin
      ? this.runUnderLease(approval, tool, lease)
      : this.options.steps.finish(approval, unbegun);
  }

  private async runUnderLease(approval: Approval, tool: Tool, lease: RunLease): Promise<Approval | null> {
    const timeoutMs = this.options.settings.current().get('hitl.run_timeout') * 1000;
    const limits = {
      timeoutMs,
      takenOver: lease.takenOver,
      stopping: this.stopping.signal,
      graceMs: this.options.graceMs,
    };
    lease.start();
    try {
      const run = () => runTool(tool, approval, limits, this.options.redactor);
      const end = await this.options.tracing.run(approval, run);
      if (end === 'taken_over') return this.warn('was taken over while it ran', approval);
      if (end === 'stopped') return await this.stopWhileRunning(approval, tool);
      if (end.status !== 'executed') this.warn(`ended as ${end.status}`, approval);
      const finished = await this.options.steps.finish(approval, end);
      return finished ?? this.warn('returned after another instance took over', approval);
    } catch (error) {
      this.warn('has run, but its result could not be stored', approval);
      throw error;
    } finally {
      lease.stop();
    }
  }

  /**
   * Called when this instance stops during a run. Idempotent tools run again on another instance after the lease
   * expires.
   */
  private async stopWhileRunning(approval: Approval, tool: Tool): Promise<Approval | null> {
    if (approval.idempotent && tool.idempotent === true) {
      return this.warn('was left to another instance, because this one stops', approval);
    }
    this.warn('did not end before this instance stopped', approval);
    return this.options.steps.finish(approval, RUN_ENDS.stopped);
  }

  private warn(what: string, { id, tool }: Approval): null {
    this.options.diagnostics.warn(`an approved call ${what}`, { approval: id, tool });
    return null;
  }

  private track({ id }: Approval, work: () => Promise<Approval | null>): Promise<Approval | null> {
    const run = work();
    this.underWay.set(run, id);
    const forget = (): void => void this.underWay.delete(run);
    run.then(forget, forget);
    return run;
  }
}

/** An instance that does not renew its lease for this long counts as stopped. */
export const LEASE_MS = 30_000;

const RENEW_MS = LEASE_MS / 3;

/** The lease of one run: renewed while the tool runs, and lost when another instance takes over. */
class RunLease {
  private timer: NodeJS.Timeout | null = null;
  private lose!: () => void;
  /** Resolves when the lease is lost. */
  readonly takenOver = new Promise<'taken_over'>((resolve) => {
    this.lose = () => resolve('taken_over');
  });

  constructor(
    private readonly store: ApprovalStore,
    private readonly approval: Pick<Approval, 'id' | 'fence'>,
    private readonly diagnostics: Diagnostics,
  ) {}

  start(): void {
    // A tool that never ends must not keep the process alive.
    this.timer = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Checked before the run if the claim was slow: the process may have been suspended. */
  async isHeldSince(claimStartedAt: number): Promise<boolean> {
    if (performance.now() - claimStartedAt < RENEW_MS) return true;
    return this.store.renew(this.approval.id, this.approval.fence, LEASE_MS);
  }

  private async renew(): Promise<void> {
    const { id, fence } = this.approval;
    try {
      const isHeld = await this.store.renew(id, fence, LEASE_MS);
      if (isHeld) return;
      this.stop();
      this.lose();
    } catch (error) {
      const reason = messageOf(error);
      this.diagnostics.warn('the lease of a running call could not be renewed', { approval: id, reason });
    }
  }
}
