import type { Approval } from '#contracts/approvals/approvals.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import { DeliveryError, type DeliveredEvent } from '#contracts/events/event-sink.js';
import type { Approvals } from '#engine/controls/approvals/approvals.js';
import {
  approvalMessage,
  noticeMessage,
  type ShownApproval,
  type SlackContent,
  type SlackMessage,
} from './approval-message.js';
import type { ChannelMessages } from './channel-messages.js';

export const NOT_CONNECTED = 'SlackApprovals is not connected: call connect(approvals) at start';

/** Keeps one message for each approval, and shows its current state. */
export class ApprovalBoard {
  private connected: Approvals | null = null;

  constructor(
    private readonly messages: ChannelMessages,
    private readonly content: SlackContent,
  ) {}

  get isConnected(): boolean {
    return this.connected !== null;
  }

  get approvals(): Approvals {
    if (this.connected !== null) return this.connected;
    throw new DeliveryError(NOT_CONNECTED);
  }

  connect(approvals: Approvals): void {
    if (this.connected !== null && this.connected !== approvals)
      throw new ConfigurationError(['SlackApprovals is already connected: create one for each mount']);
    this.connected = approvals;
  }

  /** Posts or updates the message of the approval, and posts reminders below it. */
  async show({ id, name, payload }: DeliveredEvent): Promise<void> {
    const { approval_id: approvalId } = payload;
    const approval = typeof approvalId === 'number' ? await this.approvals.find(approvalId) : null;
    if (approval === null) return;
    const isPending = approval.status === 'pending';
    const earlier = await this.messages.find(approval);
    if (earlier !== null) await this.refresh(approval.id, earlier);
    const ts = earlier ?? (isPending ? await this.messages.post(approval, this.messageOf(approval)) : null);
    if (ts === null) return;
    const isEscalation = name === 'guardrails.approval.escalated';
    if (isPending && (isEscalation || name === 'guardrails.approval.reminded'))
      await this.messages.reply(ts, id, noticeMessage(this.shown(approval), isEscalation));
  }

  /**
   * Repeats until the state after the update is the one that was shown, so that of several instances the last one to
   * update shows the last state.
   */
  async refresh(approvalId: number, ts: string): Promise<void> {
    let shown: string | null = null;
    for (;;) {
      const approval = await this.approvals.find(approvalId);
      if (approval === null) return;
      const message = this.messageOf(approval);
      const current = JSON.stringify(message);
      if (current === shown) return;
      await this.messages.update(ts, approval, message);
      shown = current;
    }
  }

  private messageOf(approval: Approval): SlackMessage {
    return approvalMessage(this.shown(approval), this.content);
  }

  private shown(approval: Approval): ShownApproval {
    const { approvals } = this;
    return { approval, votes: approvals.votesOf(approval), link: approvals.linkTo(approval.id) };
  }
}
