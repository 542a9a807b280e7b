import type { Approval, ApprovalStatus, ApprovalStep } from '#contracts/approvals/approvals.js';
import { ControlMode, type Outcome } from '#contracts/common/control-mode.js';
import type { DecisionEventName } from '#contracts/events/decision-events.js';
import type { ToolArguments, ToolContext } from '#contracts/firewall/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import { canonicalJson } from '../../json/plain-json.js';
import type { DecisionDraft } from '../../shared/ports.js';

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
export function approvalEvidence(
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

function actorOf(
  step: ApprovalStep,
  { editors, decidedBy, resolvedBy }: Approval,
): string | null | undefined {
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
function recordable(args: ToolArguments | null): ToolArguments {
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
