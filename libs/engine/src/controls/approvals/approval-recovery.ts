// Takes over what a stopped instance left. The periodic tasks call `recover` on every instance.
import { isStoreUnavailable } from '#contracts/common/errors.js';
import type { Approval, ApprovalId } from '#contracts/approvals/approvals.js';
import type { ReminderKind, StuckKind } from '#contracts/stores/approvals.store.js';
import type { ApprovalDependencies } from './approval-dependencies.js';
import { loggableReason } from './approval-errors.js';
import { NOT_RUN_IN_TIME } from './approval-outcomes.js';
import type { ApprovalRunner } from './approval-runner.js';
import type { ApprovalTransitions } from './approval-transitions.js';

/** The deciding instance usually starts the run within milliseconds; others wait this long. */
const UNRUN_MS = 10_000;

/** How long an interrupted idempotent call waits for an instance that has its tool. */
const LOST_FOR_GOOD_MS = 10 * 60_000;

/** Limits the runs of a tool that crashes its process. */
const MAX_RUNS = 3;

const BATCH = 50;

/** Recovers approvals that are stuck, on any instance. */
export class ApprovalRecovery {
  private readonly runs: BackgroundRuns;
  /** Approvals whose missing tool was already logged. */
  private readonly reportedMissing = new Set<number>();
  private isStopping = false;

  constructor(
    private readonly options: ApprovalDependencies & {
      readonly steps: ApprovalTransitions;
      readonly runner: ApprovalRunner;
    },
  ) {
    this.runs = new BackgroundRuns((id, error) => this.warn('could not be run', id, error));
  }

  /**
   * Expires overdue calls, sends reminders, supersedes calls that were approved too long ago, starts approved calls that did not
   * run, and marks interrupted runs, and approved calls of a restored database, as `outcome_unknown`; runs of idempotent tools start again. Does not wait for
   * runs. Skips calls whose tool is not registered here, and for `unrunMs` those that another instance may be
   * about to run.
   */
  async recover(unrunMs = UNRUN_MS): Promise<void> {
    const goodFor = this.options.settings.current().get('hitl.ttl') * 1000;
    await this.each('restored', unrunMs, (restored) => this.markUnknown(restored));
    await this.each('overdue', 0, (overdue) => this.options.steps.take(overdue, { kind: 'expire' }));
    await this.remind('reminded', this.options.settings.current().get('hitl.remind_after'));
    await this.remind('escalated', this.options.settings.current().get('hitl.escalate_after'));
    await this.each('lost', LOST_FOR_GOOD_MS, (lost) => this.markUnknown(lost));
    await this.each('lost', 0, (lost) => this.recoverLost(lost));
    await this.each('unrun', goodFor, (unrun) => this.supersede(unrun));
    if (this.mayRun()) await this.each('unrun', unrunMs, (unrun) => this.resume(unrun));
  }

  /** Once over all instances. A call that was escalated is only escalated once, and never approved by time. */
  private async remind(kind: ReminderKind, afterSeconds: number) {
    if (afterSeconds === 0 || !this.mayRun()) return;
    const afterMs = afterSeconds * 1000;
    for (const due of await this.options.store.dueReminders(kind, afterMs, BATCH)) {
      try {
        if (!this.isStopping) await this.options.steps.take(due, { kind: 'remind', reminder: kind, afterMs });
      } catch (error) {
        this.warn(`could not be ${kind}`, due.id, error);
        if (isStoreUnavailable(error)) throw error;
      }
    }
  }

  /** Starts nothing more; this instance stops. */
  beginStop(): void {
    this.isStopping = true;
    this.runs.close();
  }

  /** Resolves when all runs that were started here have ended. */
  idle(): Promise<void> {
    return this.runs.idle();
  }

  private async recoverLost(lost: ApprovalId): Promise<unknown> {
    const approval = await this.find(lost);
    if (approval === null) return null;
    const mayRunAgain = approval.idempotent && approval.fence < MAX_RUNS && this.mayRun();
    if (!mayRunAgain) return this.options.runner.markUnknown(approval);
    const tool = this.toolOf(approval);
    if (tool === undefined) return null;
    if (tool.idempotent !== true) return this.options.runner.markUnknown(approval);
    return this.runs.add(approval.id, () => this.options.runner.runAgain(approval, tool));
  }

  private async markUnknown(lost: ApprovalId): Promise<unknown> {
    const approval = await this.find(lost);
    return approval === null ? null : this.options.runner.markUnknown(approval);
  }

  private async supersede({ id }: ApprovalId) {
    const command = { kind: 'supersede', result: { result: null, error: NOT_RUN_IN_TIME } } as const;
    if ((await this.options.steps.take({ id }, command)) !== null)
      this.warn('was not run within hitl.ttl and is superseded', id);
  }

  private async resume(unrun: ApprovalId) {
    const approval = await this.find(unrun);
    if (approval === null) return;
    const tool = this.toolOf(approval);
    if (tool !== undefined) this.runs.add(approval.id, () => this.options.runner.run(approval, tool));
  }

  /** `null`: it runs on this instance, or is about to. */
  private async find({ id }: ApprovalId) {
    return this.runs.has(id) || this.options.runner.isRunning({ id }) ? null : this.options.store.find(id);
  }

  private toolOf({ id, tool }: Approval) {
    const registered = this.options.tools.find(tool);
    if (registered === undefined && !this.reportedMissing.has(id)) {
      this.reportedMissing.add(id);
      this.warn('waits for an instance that has its tool: add the tool to `tools`', id);
    }
    return registered;
  }

  private mayRun() {
    return this.options.keys !== null && !this.options.settings.current().mode('hitl').isOff();
  }

  /** An approval that fails does not delay others; a store that is unavailable ends the round. */
  private async each(kind: StuckKind, forMs: number, mend: (stuck: ApprovalId) => Promise<unknown>) {
    let cursor: number | null | undefined;
    while (cursor !== null && !this.isStopping) {
      const page = await this.options.store.stuck(kind, forMs, {
        limit: BATCH,
        ...(cursor !== undefined && { cursor }),
      });
      for (const stuck of page.entries) {
        try {
          if (!this.isStopping) await mend(stuck);
        } catch (error) {
          this.warn(`is ${kind} and could not be recovered`, stuck.id, error);
          if (isStoreUnavailable(error)) throw error;
        }
      }
      cursor = page.next_cursor;
    }
  }

  private warn(what: string, approval: number, error?: unknown) {
    const reason = error === undefined ? {} : { reason: loggableReason(error) };
    this.options.diagnostics.warn(`an approval ${what}`, { approval, ...reason });
  }
}

/** Maximum number of concurrent runs. */
const MAX_CONCURRENT = 10;
/** Maximum number of queued runs; the rest is found by the next round. */
const MAX_QUEUED = 200;

/** Runs in the background, so that a slow run delays neither others nor the caller. */
class BackgroundRuns {
  private readonly waiting = new Map<number, () => Promise<unknown>>();
  private readonly running = new Map<number, Promise<unknown>>();
  private isClosed = false;

  /** `failed` is called with the error of each failed run. */
  constructor(private readonly failed: (id: number, error: unknown) => void) {}

  /** No more runs can be queued. */
  get isFull(): boolean {
    return this.isClosed || this.waiting.size >= MAX_QUEUED;
  }

  has(id: number): boolean {
    return this.waiting.has(id) || this.running.has(id);
  }

  add(id: number, run: () => Promise<unknown>): void {
    if (this.isFull || this.has(id)) return;
    this.waiting.set(id, run);
    this.begin();
  }

  /** Drops queued runs. */
  close(): void {
    this.isClosed = true;
    this.waiting.clear();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private begin() {
    for (const [id, run] of this.waiting) {
      if (this.running.size >= MAX_CONCURRENT) return;
      this.waiting.delete(id);
      const ended = Promise.resolve().then(run);
      this.running.set(id, this.watched(id, ended));
    }
  }

  private async watched(id: number, ended: Promise<unknown>) {
    try {
      await ended;
    } catch (error) {
      this.failed(id, error);
    } finally {
      this.running.delete(id);
      this.begin();
    }
  }
}
