import type { Approval } from '../../../contracts/src/approvals.js';
import type { ApprovalStore, StuckKind } from '../../../contracts/src/approvals.store.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import type { ToolCatalogue } from '../../../contracts/src/firewall.js';
import type { CurrentSettings } from '../../../contracts/src/settings/current-settings.js';
import type { Diagnostics } from '../diagnostics.js';
import type { ApprovalKeys } from './approval-keys.js';
import type { ApprovalRunner } from './approval-runner.js';
import type { ApprovalSteps } from './approval-steps.js';

/** Whoever decided usually runs the call within milliseconds: nobody takes it from them before this. */
const UNRUN_MS = 10_000;

/** An interrupted call that may run again waits this long for an instance that has its tool. */
const LOST_FOR_GOOD_MS = 10 * 60_000;

/** A tool that kills its process each time is not run for ever. */
const MOST_RUNS = 3;

const BATCH = 10;

/** Sees to what is stuck, whichever instance left it so. */
export class ApprovalRecovery {
  constructor(
    private readonly keys: ApprovalKeys | null,
    private readonly store: ApprovalStore,
    private readonly tools: ToolCatalogue,
    private readonly steps: ApprovalSteps,
    private readonly runner: ApprovalRunner,
    private readonly settings: CurrentSettings,
    private readonly diagnostics: Diagnostics,
  ) {}

  /**
   * Ends what is overdue, runs what was approved and never ran, and says of interrupted runs that their outcome is
   * unknown; those of idempotent tools run again. A call whose tool is not registered here is left to others, and for
   * `unrunMs` also to whoever decided.
   */
  async recover(unrunMs = UNRUN_MS): Promise<void> {
    await this.each('overdue', 0, (approval) => this.steps.expire(approval));
    await this.each('lost', 0, (approval) => this.mend(approval));
    await this.each('lost', LOST_FOR_GOOD_MS, (approval) => this.runner.giveUp(approval));
    if (this.mayRun()) await this.each('unrun', unrunMs, (approval) => this.resume(approval));
  }

  private async mend(approval: Approval): Promise<unknown> {
    const mayRunAgain = approval.idempotent && approval.fence < MOST_RUNS && this.mayRun();
    if (!mayRunAgain) return this.runner.giveUp(approval);
    const tool = this.tools.find(approval.tool);
    if (tool === undefined) return null;
    return tool.idempotent === true ? this.runner.runAgain(approval, tool) : this.runner.giveUp(approval);
  }

  private async resume(approval: Approval): Promise<unknown> {
    const tool = this.tools.find(approval.tool);
    return tool === undefined ? null : this.runner.run(approval, tool);
  }

  private mayRun(): boolean {
    return this.keys !== null && !this.settings.current().mode('hitl').isOff();
  }

  private async each(
    kind: StuckKind,
    forMs: number,
    mend: (approval: Approval) => Promise<unknown>,
  ): Promise<void> {
    let cursor: number | null | undefined;
    while (cursor !== null) {
      const page = await this.store.stuck(kind, forMs, {
        limit: BATCH,
        ...(cursor !== undefined && { cursor }),
      });
      const mended = await Promise.allSettled(page.entries.map(mend));
      for (const [index, { status }] of mended.entries()) {
        if (status === 'rejected')
          this.diagnostics.warn(`an approval that is ${kind} could not be seen to`, {
            approval: page.entries[index]?.id,
          });
      }
      const away = mended.find((end) => end.status === 'rejected' && end.reason instanceof GuardrailsError);
      if (away?.status === 'rejected') throw away.reason;
      cursor = page.nextCursor;
    }
  }
}
