import type { Approval, ApprovalStore, RunEnd, RunResult } from '../../../contracts/src/approvals.js';
import type { Decision } from '../../../contracts/src/audit.js';
import type { Tool } from '../../../contracts/src/firewall.js';
import type { Redactor } from '../../../contracts/src/output.js';
import type { DecisionRecorder, PreparedDecision } from '../../../contracts/src/recorder.js';
import type { Rulebook } from '../../../contracts/src/screening.js';
import type { CurrentSettings } from '../../../contracts/src/settings/current-settings.js';
import type { Diagnostics } from '../diagnostics.js';
import { approvalRuling } from './approval-ruling.js';
import { storableResult } from './tool-result.js';

const TIMED_OUT = Symbol('timed out');

interface End {
  readonly status: RunEnd;
  readonly result: RunResult;
}

/** Runs an approved call, at most once: whoever wins the claim runs it, everyone else gets `null`. */
export class ApprovalRunner {
  private readonly underWay = new Set<Promise<Approval | null>>();

  constructor(
    private readonly store: ApprovalStore,
    private readonly recorder: DecisionRecorder,
    private readonly rulebook: Rulebook,
    private readonly redactor: Redactor,
    private readonly settings: CurrentSettings,
    private readonly diagnostics: Diagnostics,
  ) {}

  run(approval: Approval, tool: Tool): Promise<Approval | null> {
    const run = this.claimAndRun(approval, tool);
    this.underWay.add(run);
    const forget = (): void => void this.underWay.delete(run);
    run.then(forget, forget);
    return run;
  }

  /** Approved, but no longer what was approved. */
  supersede(approval: Approval): Promise<Approval | null> {
    return this.finish(approval, { status: 'superseded', result: { result: null, error: null } });
  }

  /** Resolves when no run is under way on this instance. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  private async claimAndRun(approval: Approval, tool: Tool): Promise<Approval | null> {
    const claimed = await this.store.claim(approval.id);
    if (claimed === null) return null;
    return this.finish(claimed, await this.execute(claimed, tool));
  }

  private async execute(approval: Approval, tool: Tool): Promise<End> {
    const abort = new AbortController();
    const settings = this.settings.current();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<typeof TIMED_OUT>((resolve) => {
      timer = setTimeout(() => resolve(TIMED_OUT), settings.get('hitl.run_timeout') * 1000);
    });
    try {
      const call = Promise.resolve(
        tool.execute(approval.arguments, {
          approvalId: approval.id,
          idempotencyKey: approval.reference,
          signal: abort.signal,
        }),
      );
      const result = await Promise.race([call, timeout]);
      if (result === TIMED_OUT) {
        // Whether it took effect nobody here can say; the operator is told so.
        abort.abort();
        const error = {
          code: 'timed_out',
          message: 'The tool did not answer in time; whether it took effect is not known.',
        };
        return { status: 'outcome_unknown', result: { result: null, error } };
      }
      const stored = storableResult(result, (text) => this.redactor.redactSecrets(text));
      return { status: 'executed', result: { result: stored, error: null } };
    } catch (error) {
      this.diagnostics.warn('an approved tool failed', { approval: approval.id, tool: approval.tool });
      const message = error instanceof Error ? error.message : 'The tool failed.';
      const told = this.redactor.redactSecrets(message).slice(0, 500);
      return { status: 'failed', result: { result: null, error: { code: 'tool_failed', message: told } } };
    } finally {
      clearTimeout(timer);
    }
  }

  private async finish(approval: Approval, end: End): Promise<Approval | null> {
    const settings = this.settings.current();
    let prepared: PreparedDecision | null = null;
    const evidence = (finished: Approval): Decision => {
      const ruling = approvalRuling(finished, settings, this.rulebook.rulesetVersion(settings));
      prepared = this.recorder.prepare(ruling, settings);
      return prepared.decision;
    };
    const finished = await this.store.finish(approval.id, end.status, end.result, evidence);
    if (finished !== null) (prepared as PreparedDecision | null)?.announce(null);
    return finished;
  }
}
