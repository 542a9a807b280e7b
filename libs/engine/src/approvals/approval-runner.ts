import type { Approval } from '../../../contracts/src/approvals.js';
import type { ApprovalStore } from '../../../contracts/src/approvals.store.js';
import type { Tool } from '../../../contracts/src/firewall.js';
import type { Redactor } from '../../../contracts/src/output.js';
import type { CurrentSettings } from '../../../contracts/src/settings/current-settings.js';
import type { Diagnostics } from '../diagnostics.js';
import type { ApprovalChecks } from './approval-checks.js';
import type { ApprovalSteps, End } from './approval-steps.js';
import { LEASE_MS, RunLease } from './run-lease.js';
import type { StepWatch } from './step-watch.js';
import { runTool } from './tool-run.js';

const SUPERSEDED: End = { status: 'superseded', result: { result: null, error: null } };

const INTERRUPTED: End = {
  status: 'outcome_unknown',
  result: {
    result: null,
    error: {
      code: 'interrupted',
      message: 'The instance that ran the tool is gone; whether it took effect is not known.',
    },
  },
};

/** Runs an approved call, at most once: whoever wins the claim runs it, everyone else gets `null`. */
export class ApprovalRunner {
  private readonly underWay = new Set<Promise<Approval | null>>();

  constructor(
    private readonly store: ApprovalStore,
    private readonly steps: ApprovalSteps,
    private readonly checks: ApprovalChecks,
    private readonly redactor: Redactor,
    private readonly settings: CurrentSettings,
    private readonly diagnostics: Diagnostics,
    private readonly watch: StepWatch,
  ) {}

  /** Runs what was approved, or supersedes it where it is not what was approved any more. */
  run(approval: Approval, tool: Tool): Promise<Approval | null> {
    return this.tracked(async () => {
      if (!(await this.checks.stands(approval, tool))) return this.steps.supersede(approval);
      this.watch('checked', approval.id);
      return this.claimed(() => this.store.claim(approval.id, LEASE_MS), tool);
    });
  }

  /** The same for a run that was interrupted, of a tool that may run twice. */
  runAgain(approval: Approval, tool: Tool): Promise<Approval | null> {
    return this.tracked(async () => {
      if (!(await this.checks.stands(approval, tool))) return this.giveUp(approval);
      return this.claimed(() => this.store.claimAgain(approval.id, approval.fence, LEASE_MS), tool);
    });
  }

  /** A run whose instance is gone: nobody knows whether the tool took effect. */
  giveUp(approval: Approval): Promise<Approval | null> {
    return this.steps.giveUp(approval, INTERRUPTED.result);
  }

  /** Resolves when no run is under way on this instance. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  private async claimed(claim: () => Promise<Approval | null>, tool: Tool): Promise<Approval | null> {
    const askedAt = performance.now();
    const approval = await claim();
    if (approval === null) return null;
    this.watch('claimed', approval.id);
    const lease = new RunLease(this.store, approval, this.diagnostics);
    if (!(await lease.isHeldSince(askedAt))) return null;
    // What was read before the claim may have changed until it.
    if (this.checks.isUnchanged(approval, tool)) return this.underLease(approval, tool, lease);
    return this.steps.finish(approval, approval.fence === 1 ? SUPERSEDED : INTERRUPTED);
  }

  private async underLease(approval: Approval, tool: Tool, lease: RunLease): Promise<Approval | null> {
    const timeoutMs = this.settings.current().get('hitl.run_timeout') * 1000;
    lease.start();
    try {
      const end = await runTool(tool, approval, timeoutMs, lease.lost, this.redactor);
      if (end === 'lost') return this.tell('was taken over while it ran', approval);
      this.watch('returned', approval.id);
      if (end.status !== 'executed') this.tell(`ended as ${end.status}`, approval);
      const finished = await this.steps.finish(approval, end);
      return finished ?? this.tell('came back after it was taken over', approval);
    } catch (error) {
      this.tell('has run, and what it came to could not be stored', approval);
      throw error;
    } finally {
      lease.stop();
    }
  }

  private tell(what: string, { id, tool }: Approval): null {
    this.diagnostics.warn(`an approved call ${what}`, { approval: id, tool });
    return null;
  }

  private tracked(work: () => Promise<Approval | null>): Promise<Approval | null> {
    const run = work();
    this.underWay.add(run);
    const forget = (): void => void this.underWay.delete(run);
    run.then(forget, forget);
    return run;
  }
}
