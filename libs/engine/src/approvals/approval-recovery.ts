import { isStoreUnavailable } from '../../../contracts/src/errors.js';
import type { Approval, ApprovalId } from '../../../contracts/src/approvals.js';
import type { ApprovalStore, StuckKind } from '../../../contracts/src/approvals.store.js';
import type { Tool } from '../../../contracts/src/firewall.js';
import type { ToolCatalog } from '../ports.js';
import type { CurrentSettings, Diagnostics } from '../ports.js';
import { reasonOf } from './approval-errors.js';
import type { ApprovalKeys } from './approval-keys.js';
import type { ApprovalRunner } from './approval-runner.js';
import type { ApprovalTransitions } from './approval-transitions.js';
import { NOT_RUN_IN_TIME } from './outcome-waiters.js';

/** Whoever decided usually runs the call within milliseconds: nobody takes it from them before this. */
const UNRUN_MS = 10_000;

/** An interrupted call that may run again waits this long for an instance that has its tool. */
const LOST_FOR_GOOD_MS = 10 * 60_000;

/** A tool that kills its process each time is not run for ever. */
const MOST_RUNS = 3;

const BATCH = 50;

/** Sees to what is stuck, whichever instance left it so. */
export class ApprovalRecovery {
  private readonly runs: BackgroundRuns;
  /** Said once each: without their tools. */
  private readonly reportedMissing = new Set<number>();
  private isStopping = false;

  constructor(
    private readonly keys: ApprovalKeys | null,
    private readonly store: ApprovalStore,
    private readonly tools: ToolCatalog,
    private readonly steps: ApprovalTransitions,
    private readonly runner: ApprovalRunner,
    private readonly settings: CurrentSettings,
    private readonly diagnostics: Diagnostics,
  ) {
    this.runs = new BackgroundRuns((id, error) => this.warn('could not be run', id, error));
  }

  /**
   * Ends what is overdue or was approved too long ago, begins what was approved and never ran, and says of interrupted
   * runs that their outcome is unknown; those of idempotent tools begin again. No run is waited for. A call whose tool
   * is not registered here is left to others, and for `unrunMs` also to whoever decided.
   */
  async recover(unrunMs = UNRUN_MS): Promise<void> {
    const goodFor = this.settings.current().get('hitl.ttl') * 1000;
    await this.each('overdue', 0, (overdue) => this.steps.expire(overdue));
    await this.each('lost', LOST_FOR_GOOD_MS, (lost) => this.giveUp(lost));
    await this.each('lost', 0, (lost) => this.recoverLost(lost));
    await this.each('unrun', goodFor, (unrun) => this.supersede(unrun));
    if (this.mayRun()) await this.each('unrun', unrunMs, (unrun) => this.resume(unrun));
  }

  /** This instance stops: nothing more is begun. */
  beginStop(): void {
    this.isStopping = true;
    this.runs.close();
  }

  /** Resolves when nothing that was begun here runs any more. */
  idle(): Promise<void> {
    return this.runs.idle();
  }

  private async recoverLost(lost: ApprovalId): Promise<unknown> {
    const approval = await this.find(lost);
    if (approval === null) return null;
    const mayRunAgain = approval.idempotent && approval.fence < MOST_RUNS && this.mayRun();
    if (!mayRunAgain) return this.runner.giveUp(approval);
    const tool = this.toolOf(approval);
    if (tool === undefined) return null;
    if (tool.idempotent !== true) return this.runner.giveUp(approval);
    return this.runs.add(approval.id, () => this.runner.runAgain(approval, tool));
  }

  private async giveUp(lost: ApprovalId): Promise<unknown> {
    const approval = await this.find(lost);
    return approval === null ? null : this.runner.giveUp(approval);
  }

  private async supersede({ id }: ApprovalId): Promise<void> {
    const superseded = await this.steps.supersede({ id }, { result: null, error: NOT_RUN_IN_TIME });
    if (superseded !== null) this.warn('was not run while its decision was good', id);
  }

  private async resume(unrun: ApprovalId): Promise<void> {
    const approval = await this.find(unrun);
    if (approval === null) return;
    const tool = this.toolOf(approval);
    if (tool !== undefined) this.runs.add(approval.id, () => this.runner.run(approval, tool));
  }

  /** `null`: it is run here, or about to be. */
  private async find({ id }: ApprovalId): Promise<Approval | null> {
    return this.runs.has(id) || this.runner.isRunning({ id }) ? null : this.store.find(id);
  }

  private toolOf({ id, tool }: Approval): Tool | undefined {
    const found = this.tools.find(tool);
    if (found === undefined && !this.reportedMissing.has(id)) {
      this.reportedMissing.add(id);
      this.warn('waits for an instance that has its tool: it is not registered here', id);
    }
    return found;
  }

  private mayRun(): boolean {
    return this.keys !== null && !this.settings.current().mode('hitl').isOff();
  }

  /** One that cannot be seen to keeps no other one waiting; a store that is away ends the round. */
  private async each(
    kind: StuckKind,
    forMs: number,
    mend: (stuck: ApprovalId) => Promise<unknown>,
  ): Promise<void> {
    let cursor: number | null | undefined;
    while (cursor !== null && !this.isStopping) {
      const page = await this.store.stuck(kind, forMs, {
        limit: BATCH,
        ...(cursor !== undefined && { cursor }),
      });
      for (const stuck of page.entries) {
        try {
          if (!this.isStopping) await mend(stuck);
        } catch (error) {
          this.warn(`is ${kind} and could not be seen to`, stuck.id, error);
          if (isStoreUnavailable(error)) throw error;
        }
      }
      cursor = page.nextCursor;
    }
  }

  private warn(what: string, approval: number, error?: unknown): void {
    const reason = error === undefined ? {} : { reason: reasonOf(error) };
    this.diagnostics.warn(`an approval ${what}`, { approval, ...reason });
  }
}

/** Runs in progress at once; what is found beside them waits its turn. */
const MOST_AT_ONCE = 10;
/** More than this is left for the next look, here or elsewhere. */
const MOST_WAITING = 200;

/** Runs that nobody waits for: a slow one holds up neither the others, nor whoever asked for it. */
export class BackgroundRuns {
  private readonly waiting = new Map<number, () => Promise<unknown>>();
  private readonly running = new Map<number, Promise<unknown>>();
  private isClosed = false;

  /** `failed` hears of those that threw. */
  constructor(private readonly failed: (id: number, error: unknown) => void) {}

  /** There is no room for another one. */
  get isFull(): boolean {
    return this.isClosed || this.waiting.size >= MOST_WAITING;
  }

  has(id: number): boolean {
    return this.waiting.has(id) || this.running.has(id);
  }

  add(id: number, run: () => Promise<unknown>): void {
    if (this.isFull || this.has(id)) return;
    this.waiting.set(id, run);
    this.begin();
  }

  /** What has not begun does not begin any more. */
  close(): void {
    this.isClosed = true;
    this.waiting.clear();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private begin(): void {
    for (const [id, run] of this.waiting) {
      if (this.running.size >= MOST_AT_ONCE) return;
      this.waiting.delete(id);
      const ended = Promise.resolve().then(run);
      this.running.set(id, this.watched(id, ended));
    }
  }

  private async watched(id: number, ended: Promise<unknown>): Promise<void> {
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
