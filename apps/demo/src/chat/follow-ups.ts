import { Injectable } from '@nestjs/common';
import type { Approval, ApprovalStatus } from '#contracts/approvals/approvals.js';
import { Guardrails } from '#src/index.js';
import { DemoData } from '../storage/demo-data.js';
import { Assistant, type ChatTurn } from './assistant.js';
import { DecisionRecorder, type RecordedDecision } from './decision-recorder.js';

/** The customer of the chat. A real product takes the principal from its own session. */
export const CHAT = { principalId: 'customer-42', application: 'support-chat' } as const;

/** How long a request waits for a decision. The page then sends the next request. */
const POLL_TIMEOUT_MS = 1_500;

export interface FollowUp {
  readonly status: ApprovalStatus;
  readonly decidedBy: string | null;
  /** `null` until the status is final. */
  readonly turn: ChatTurn | null;
  readonly steps: readonly RecordedDecision[];
}

/** Continues the chat after the decision about a pending call. */
@Injectable()
export class FollowUps {
  /** The page polls, but the model and the controls run once per approval. */
  private readonly completed = new Map<number, Promise<FollowUp>>();

  constructor(
    private readonly data: DemoData,
    private readonly guardrails: Guardrails,
    private readonly assistant: Assistant,
    private readonly recorder: DecisionRecorder,
  ) {}

  /** Waits briefly for the outcome. Returns `null` if this chat has no such call. */
  async find(approvalId: number): Promise<FollowUp | null> {
    const { approvals } = this.data.stores;
    const first = await approvals.find(approvalId);
    if (first === null || first.application !== CHAT.application) return null;
    const settledId = isOpen(first) ? await this.waitForOutcome(approvalId) : approvalId;
    // If an operator edited the call, its outcome is that of the proposal.
    const approval = (await approvals.find(settledId)) ?? first;
    if (isOpen(approval)) return { ...decisionOn(approval), turn: null, steps: [] };
    const followUp = this.completed.get(approvalId) ?? this.complete(approval);
    this.completed.set(approvalId, followUp);
    followUp.catch(() => this.completed.delete(approvalId));
    return followUp;
  }

  /** The approval that has the outcome. */
  private async waitForOutcome(approvalId: number) {
    const limit = AbortSignal.timeout(POLL_TIMEOUT_MS);
    try {
      return (await this.guardrails.approvalOutcome(approvalId, limit)).approvalId;
    } catch {
      // The time is over, and the approval is still pending.
      return approvalId;
    }
  }

  private async complete(approval: Approval): Promise<FollowUp> {
    const runId = approval.runId ?? '';
    const { result: turn, steps } = await this.recorder.record(runId, async () =>
      approval.status === 'executed'
        ? this.assistant.resume(approval.tool, String(approval.result), { ...CHAT, runId })
        : { runId, answer: failureMessage(approval), draft: null, tools: [] },
    );
    return { ...decisionOn(approval), turn, steps };
  }
}

function isOpen({ status, supersededBy }: Approval) {
  return supersededBy !== null || status === 'pending' || status === 'approved' || status === 'executing';
}

function decisionOn({ status, decidedBy }: Approval): Pick<FollowUp, 'status' | 'decidedBy'> {
  return { status, decidedBy };
}

function failureMessage({ status, reason, error }: Approval): string {
  switch (status) {
    case 'rejected':
      return reason === null
        ? 'A colleague declined this request.'
        : `A colleague declined this request: ${reason}`;
    case 'expired':
      return 'The request expired before a decision, so nothing was done.';
    case 'superseded':
      return 'The rules changed in the meantime, so nothing was done. Please ask again.';
    case 'outcome_unknown':
      return 'The request was approved, but its result is unknown. A colleague will check it.';
    default:
      return `The request was approved, but it failed. ${error?.message ?? ''}`.trimEnd();
  }
}
