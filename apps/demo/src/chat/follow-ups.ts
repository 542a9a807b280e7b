import { Injectable } from '@nestjs/common';
import type { Approval, ApprovalStatus } from '../../../../libs/contracts/src/index.js';
import { Guardrails } from '../../../../src/index.js';
import { Assistant } from '../assistant/assistant.js';
import type { ChatTurn } from '../assistant/chat-turn.js';
import { DemoData } from '../storage/demo-data.js';
import { CHAT } from './chat-caller.js';
import { DecisionWatch, type ControlStep } from './decision-watch.js';

/** The page asks again after this long; what is decided meanwhile it is told at once. */
const PATIENCE_MS = 1_500;

export interface FollowUp {
  readonly status: ApprovalStatus;
  readonly decidedBy: string | null;
  /** `null` for as long as nothing is final. */
  readonly turn: ChatTurn | null;
  readonly steps: readonly ControlStep[];
}

/** What the chat goes on with once a call that waited has been decided. */
@Injectable()
export class FollowUps {
  /** The page asks again and again; the model speaks, and the controls decide, once. */
  private readonly told = new Map<number, Promise<FollowUp>>();

  constructor(
    private readonly data: DemoData,
    private readonly guardrails: Guardrails,
    private readonly assistant: Assistant,
    private readonly watch: DecisionWatch,
  ) {}

  /** `null`: no call of this chat has that number. */
  async find(approvalId: number): Promise<FollowUp | null> {
    const { approvals } = this.data.stores;
    const asked = await approvals.find(approvalId);
    if (asked === null || asked.application !== CHAT.application) return null;
    if (isOpen(asked)) await this.outcomeOf(approvalId);
    const approval = (await approvals.find(approvalId)) ?? asked;
    if (isOpen(approval)) return { ...decisionOn(approval), turn: null, steps: [] };
    const told = this.told.get(approvalId) ?? this.tell(approval);
    this.told.set(approvalId, told);
    told.catch(() => this.told.delete(approvalId));
    return told;
  }

  private async outcomeOf(approvalId: number): Promise<void> {
    try {
      await this.guardrails.approvalOutcome(approvalId, AbortSignal.timeout(PATIENCE_MS));
    } catch {
      // Nobody has decided yet.
    }
  }

  private async tell(approval: Approval): Promise<FollowUp> {
    const runId = approval.runId ?? '';
    const { result: turn, steps } = await this.watch.during(runId, async () =>
      approval.status === 'executed'
        ? this.assistant.resume(approval.tool, String(approval.result), { ...CHAT, runId })
        : { runId, answer: unfulfilled(approval), draft: null, tools: [], findings: {} },
    );
    return { ...decisionOn(approval), turn, steps };
  }
}

function isOpen({ status }: Approval): boolean {
  return status === 'pending' || status === 'approved' || status === 'executing';
}

function decisionOn({ status, decidedBy }: Approval): Pick<FollowUp, 'status' | 'decidedBy'> {
  return { status, decidedBy };
}

function unfulfilled({ status, reason, error }: Approval): string {
  switch (status) {
    case 'rejected':
      return reason === null
        ? 'A colleague declined this request.'
        : `A colleague declined this request: ${reason}`;
    case 'expired':
      return 'Nobody decided in time, so nothing was done.';
    case 'superseded':
      return 'The rules changed in the meantime, so nothing was done. Please ask again.';
    case 'outcome_unknown':
      return 'This was approved, but whether it took effect is not known. A colleague will look into it.';
    default:
      return `This was approved, but did not work. ${error?.message ?? ''}`.trimEnd();
  }
}
