// Performs the changes of approvals: each commits with its evidence, then its event is published, then waiting code is
// resolved. `life-cycle.ts` says what a command does, and the store applies it.
import { setTimeout as pause } from 'node:timers/promises';
import type {
  Approval,
  ApprovalStatus,
  ApprovalStep,
  NewApproval,
  RunEnd,
  RunResult,
} from '#contracts/approvals/approvals.js';
import type {
  ApprovalChange,
  ApprovalCommand,
  ApprovalStore,
  BuildEvidence,
} from '#contracts/stores/approvals.store.js';
import { ControlMode, type Outcome } from '#contracts/common/control-mode.js';
import { isTransient } from '#contracts/common/errors.js';
import type { DecisionEventName } from '#contracts/events/decision-events.js';
import type { ToolArguments, ToolContext } from '#contracts/firewall/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import { canonicalJson } from '../../json/plain-json.js';
import type { DecisionDraft, PreparedDecision } from '../../shared/ports.js';
import type { ApprovalDependencies } from './approval-dependencies.js';

export interface RunOutcome {
  readonly status: RunEnd;
  readonly result: RunResult;
}

export class ApprovalTransitions {
  /** `settle` is called with each changed approval, after its event was published. */
  constructor(
    private readonly options: ApprovalDependencies & { readonly settle: (approval: Approval) => void },
  ) {}

  /** `record` is added to the evidence of the new call. */
  async park(
    call: NewApproval,
    settings: Settings,
    record: Partial<DecisionDraft>,
  ): ReturnType<ApprovalStore['park']> {
    const steps = this.recordedSteps(settings, record);
    const limit = settings.get('hitl.max_open_per_principal');
    const parked = await this.options.store.park(call, steps.evidence, limit);
    if (parked?.created === true) this.published(parked.approval, 'parked', steps);
    return parked;
  }

  /** `null`: no longer pending. Code that waits for the superseded call then waits for the proposal. */
  async propose(
    { id }: Pick<Approval, 'id'>,
    call: NewApproval,
    settings: Settings,
    record: Partial<DecisionDraft>,
  ): Promise<Approval | null> {
    const steps = this.recordedSteps(settings, record);
    const result = await this.options.store.propose(id, call, steps.evidence);
    if (result === null) return null;
    this.published(result.superseded, 'superseded', steps);
    return this.published(result.proposed, 'proposed', steps);
  }

  async perform({ id }: Pick<Approval, 'id'>, command: ApprovalCommand): Promise<ApprovalChange | null> {
    // Who votes is taken from the command: the stored votes may contain forged ones, which do not count.
    const voter = command.kind === 'decide' ? { actorId: command.actorId } : {};
    const steps = this.recordedSteps(undefined, voter);
    const change = await this.options.store.change(id, command, steps.evidence);
    if (change?.kind === 'changed' && change.step !== null)
      this.published(change.approval, change.step, steps);
    return change;
  }

  /** The changed approval; `null` where the command changed nothing. */
  async take(approval: Pick<Approval, 'id'>, command: ApprovalCommand): Promise<Approval | null> {
    const change = await this.perform(approval, command);
    return change?.kind === 'changed' ? change.approval : null;
  }

  /** Only this instance has the result, so a short outage of the store must not lose it. */
  async finish({ id, fence }: Approval, { status, result }: RunOutcome): Promise<Approval | null> {
    const steps = this.recordedSteps();
    const command = { kind: 'finish', fence, end: status, result } as const;
    return retryWhileUnavailable(async (isFirst) => {
      const change = await this.options.store.change(id, command, steps.evidence);
      if (change === null) return null;
      const { kind, approval } = change;
      // An earlier attempt may have committed, and its answer may be lost.
      const isDone =
        kind === 'changed' || (!isFirst && approval.fence === fence && approval.status === status);
      return isDone ? this.published(approval, status, steps) : null;
    });
  }

  private published(approval: Approval, step: ApprovalStep, { publish }: RecordedSteps) {
    publish(step);
    this.options.settle(approval);
    return approval;
  }

  private recordedSteps(
    settings = this.options.settings.current(),
    record: Partial<DecisionDraft> = {},
  ): RecordedSteps {
    // A retried transaction builds the evidence again; only the last one is committed.
    const prepared = new Map<ApprovalStep, PreparedDecision>();
    return {
      evidence: (approval, step) => {
        const version = this.options.ruleCatalog.rulesetVersion(settings);
        const draft = approvalEvidence(approval, step, settings, version);
        const isExtended = step === 'parked' || step === 'proposed' || step === 'voted';
        const decision = this.options.recorder.prepare({ ...draft, ...(isExtended && record) }, settings);
        prepared.set(step, decision);
        return decision.decision;
      },
      publish: (step) => prepared.get(step)?.publish(null),
    };
  }
}

/** Evidence that commits with its step, and the event of each step for after the commit. */
interface RecordedSteps {
  readonly evidence: BuildEvidence;
  readonly publish: (step: ApprovalStep) => void;
}

const PAUSES_MS = [250, 500, 1000, 2000, 4000];

/** Retries for about eight seconds while the store is unavailable. An earlier attempt may have succeeded. */
async function retryWhileUnavailable<Result>(work: (isFirst: boolean) => Promise<Result>) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt === 0);
    } catch (error) {
      const wait = PAUSES_MS[attempt];
      if (wait === undefined || !isTransient(error)) throw error;
      await pause(wait);
    }
  }
}

const EVENTS: Readonly<Record<ApprovalStep, DecisionEventName>> = {
  parked: 'guardrails.tool.parked',
  proposed: 'guardrails.approval.proposed',
  voted: 'guardrails.approval.voted',
  reminded: 'guardrails.approval.reminded',
  escalated: 'guardrails.approval.escalated',
  approved: 'guardrails.approval.decided',
  rejected: 'guardrails.approval.decided',
  executed: 'guardrails.approval.executed',
  failed: 'guardrails.approval.failed',
  outcome_unknown: 'guardrails.approval.outcome_unknown',
  expired: 'guardrails.approval.expired',
  superseded: 'guardrails.approval.superseded',
};

const RAN: ReadonlySet<ApprovalStatus> = new Set(['approved', 'executed', 'failed', 'outcome_unknown']);

/** The entry of a step. */
function approvalEvidence(
  approval: Approval,
  step: ApprovalStep,
  settings: Settings,
  rulesetVersion: string,
): DecisionDraft {
  const outcome: Outcome = RAN.has(approval.status) ? 'allowed' : 'blocked';
  const actorId = actorOf(step, approval);
  const args = recordable(approval.arguments);
  return {
    event: EVENTS[step],
    control: 'hitl',
    outcome,
    mode: settings.mode('hitl').observes() ? ControlMode.monitor : ControlMode.enforce,
    origin: step === 'parked' ? 'tool_call' : 'approval',
    text: canonicalJson(args),
    json: args,
    context: contextOf(approval),
    rulesetVersion,
    durationUs: 0,
    tool: approval.tool,
    approvalId: approval.id,
    approvalStep: step,
    ...(actorId != null && { actorId }),
  };
}

function actorOf(step: ApprovalStep, { editors, decidedBy, resolvedBy }: Approval) {
  switch (step) {
    case 'proposed':
      return editors.at(-1);
    case 'approved':
    case 'rejected':
      return decidedBy;
    default:
      return resolvedBy;
  }
}

/**
 * A row changed in the database may contain values without canonical form; the transition is then recorded without
 * arguments.
 */
function recordable(args: ToolArguments | null) {
  try {
    canonicalJson(args);
    return args ?? {};
  } catch {
    return {};
  }
}

/** The context in which the call was requested. */
export function contextOf(approval: Approval): ToolContext {
  const { principalId, application, runId, requestId, stepName } = approval;
  return {
    stepName,
    ...(principalId === null ? {} : { principalId }),
    ...(application === null ? {} : { application }),
    ...(runId === null ? {} : { runId }),
    ...(requestId === null ? {} : { requestId }),
  };
}
