// Runs approved calls under a lease with a fencing number. The service and the recovery call it.
import { messageOf } from '#contracts/common/errors.js';
import type { Approval } from '#contracts/approvals/approvals.js';
import type { ApprovalCommand } from '#contracts/stores/approvals.store.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { Diagnostics } from '../../shared/ports.js';
import type { ApprovalChecks } from './approval-checks.js';
import type { ApprovalDependencies } from './approval-dependencies.js';
import type { ApprovalTransitions, RunOutcome } from './approval-transitions.js';
import { NOTHING } from './life-cycle.js';
import { RUN_ENDS, runTool } from './tool-run.js';

/** Runs an approved call at most once: the caller that wins the claim runs it, others get `null`. */
export class ApprovalRunner {
  private readonly underWay = new Map<Promise<Approval | null>, number>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly options: ApprovalDependencies & {
      readonly steps: ApprovalTransitions;
      readonly checks: ApprovalChecks;
      /** Time that a running tool gets when this instance stops. */
      readonly graceMs: number;
    },
  ) {}

  /** Runs an approved call, or supersedes it where something changed. */
  run(approval: Approval, tool: Tool): Promise<Approval | null> {
    return this.track(approval, async () => {
      if (await this.isStopped(approval, tool)) return null;
      if (!(await this.options.checks.isStillAllowed(approval, tool)))
        return this.options.steps.take(approval, { kind: 'supersede', result: NOTHING });
      const withinMs = this.options.settings.current().get('hitl.ttl') * 1000;
      const isUnchanged = (stored: Approval) => this.options.checks.isUnchanged(stored, tool);
      const claim = { kind: 'claim', leaseMs: LEASE_MS, withinMs, isUnchanged } as const;
      // A call that cannot be claimed may come from a restored database. `markUnknown` changes no other call.
      return (await this.claimAndRun(approval, claim, tool, RUN_ENDS.notBegun)) ?? this.markUnknown(approval);
    });
  }

  /** Repeats an interrupted run of an idempotent tool. */
  runAgain(approval: Approval, tool: Tool): Promise<Approval | null> {
    return this.track(approval, async () => {
      if (await this.isStopped(approval, tool)) return null;
      if (!(await this.options.checks.isStillAllowed(approval, tool))) return this.markUnknown(approval);
      const claim = { kind: 'claimAgain', fence: approval.fence, leaseMs: LEASE_MS } as const;
      return this.claimAndRun(approval, claim, tool, RUN_ENDS.interrupted);
    });
  }

  /** A call under a freeze is not claimed, and starts after the lift. */
  private async isStopped({ application }: Approval, tool: Tool) {
    return (await this.options.stops.find(tool, application)) !== null;
  }

  /** Ends a run whose instance stopped unexpectedly, or that was lost with the history of the database. */
  markUnknown(approval: Approval): Promise<Approval | null> {
    const { result } = approval.status === 'approved' ? RUN_ENDS.restored : RUN_ENDS.interrupted;
    return this.options.steps.take(approval, { kind: 'markUnknown', fence: approval.fence, result });
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
    unclaimed: Approval,
    claim: ApprovalCommand,
    tool: Tool,
    unbegun: RunOutcome,
  ): Promise<Approval | null> {
    // The approval stays as it is, so that another instance can recover it.
    if (this.stopping.signal.aborted) return null;
    const claimStartedAt = performance.now();
    const approval = await this.options.steps.take(unclaimed, claim);
    if (approval?.status !== 'executing') return approval;
    const lease = new RunLease(this.options.steps, approval, this.options.diagnostics);
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
  private async stopWhileRunning(approval: Approval, tool: Tool) {
    if (approval.idempotent && tool.idempotent === true) {
      return this.warn('was left to another instance, because this one stops', approval);
    }
    this.warn('did not end before this instance stopped', approval);
    return this.options.steps.finish(approval, RUN_ENDS.stopped);
  }

  private warn(what: string, { id, tool }: Approval) {
    this.options.diagnostics.warn(`an approved call ${what}`, { approval: id, tool });
    return null;
  }

  private track({ id }: Approval, work: () => Promise<Approval | null>) {
    const run = work();
    this.underWay.set(run, id);
    const forget = () => void this.underWay.delete(run);
    run.then(forget, forget);
    return run;
  }
}

/** An instance that does not renew its lease for this long counts as stopped. */
const LEASE_MS = 30_000;

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
    private readonly steps: ApprovalTransitions,
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
    return this.renewed();
  }

  private async renewed() {
    const { fence } = this.approval;
    return (await this.steps.take(this.approval, { kind: 'renew', fence, leaseMs: LEASE_MS })) !== null;
  }

  private async renew() {
    try {
      if (await this.renewed()) return;
      this.stop();
      this.lose();
    } catch (error) {
      const reason = messageOf(error);
      this.diagnostics.warn('the lease of a running call could not be renewed', {
        approval: this.approval.id,
        reason,
      });
    }
  }
}
