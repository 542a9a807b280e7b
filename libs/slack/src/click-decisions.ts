import type { Approval } from '#contracts/approvals/approvals.js';
import { isActorId } from '#contracts/common/comparison.js';
import { GuardrailsError, messageOf } from '#contracts/common/errors.js';
import { withinTime } from '#engine/shared/time-limit.js';
import type { ApprovalBoard } from './approval-board.js';
import { isDecidableInSlack, reasonDialog, type SlackContent } from './approval-message.js';
import type { ChannelMessages } from './channel-messages.js';
import { BUTTONS, type DialogContext, type SlackClick, type SlackSubmission } from './slack-request.js';

/** Time limit of `actorOf` and of `mayDecide`. */
const CALLBACK_TIMEOUT_MS = 2_000;

/** What the host configures: the channel, the content of messages, and who may decide. */
export interface DecisionRules {
  /** Id of the channel, such as `C0123456789`. Names are not accepted. */
  readonly channel: string;
  /** `arguments`: messages contain the arguments of calls and the reasons of decisions. `none`: calls are decided in the panel, by a link. */
  readonly content: SlackContent;
  /** The id of the person that decisions are recorded with; `null` for users who cannot decide. */
  actorOf(teamId: string, userId: string): string | null | Promise<string | null>;
  /**
   * Whether this person may decide this call. Approver groups, four eyes and several approvers are checked as well. Like
   * `actorOf`, it refuses the decision if it throws or takes longer than two seconds.
   */
  mayDecide(actor: string, approval: Approval): boolean | Promise<boolean>;
}

type Author = Pick<SlackClick, 'teamId' | 'userId'>;

/** Decides what users click, and answers those who may not. */
export class ClickDecisions {
  constructor(
    private readonly rules: DecisionRules,
    private readonly messages: ChannelMessages,
    private readonly board: ApprovalBoard,
    private readonly warn: (message: string) => void,
  ) {}

  async click(click: SlackClick): Promise<void> {
    if (!(await this.isOurs(click))) return;
    const { verdict, hasDialog } = BUTTONS[click.action];
    const { call, place } = click;
    if (!hasDialog) return this.decide({ ...click, verdict }, null);
    try {
      // Before anything else, because the trigger expires after three seconds.
      await this.messages.openDialog(click.triggerId, reasonDialog({ verdict, call, place }));
    } catch (error) {
      this.warn(`a dialog was not opened: ${messageOf(error)}`);
      await this.answer(click.userId, 'The dialog could not be opened. Click again.');
    }
  }

  async submit(submission: SlackSubmission): Promise<void> {
    if (await this.isOurs(submission)) await this.decide(submission, submission.reason);
  }

  private async isOurs({ teamId, userId, place }: Author & Pick<SlackClick, 'place'>): Promise<boolean> {
    const workspace = await this.messages.workspace();
    if (teamId === workspace.teamId && place.channel === this.rules.channel) return true;
    this.warn('a click from another workspace or channel was ignored');
    await this.answer(userId, 'Only members of the workspace can decide, in the channel of the approvals.');
    return false;
  }

  private async decide(
    { userId, teamId, ...context }: Author & DialogContext,
    reason: string | null,
  ): Promise<void> {
    const refusal = await this.refusalOf(context, await this.actorOf(teamId, userId), reason);
    try {
      await this.board.refresh(context.call.approvalId, context.place.ts);
    } finally {
      if (refusal !== null) await this.answer(userId, refusal);
    }
  }

  /** Decides. Returns why nothing was decided; `null` after a decision. */
  private async refusalOf(
    { verdict, call }: DialogContext,
    actor: string | null,
    reason: string | null,
  ): Promise<string | null> {
    if (actor === null) return 'You cannot decide here: your Slack account belongs to no approver.';
    try {
      const { approvals } = this.board;
      const approval = await approvals.find(call.approvalId);
      if (approval === null) return 'This approval no longer exists.';
      if (approval.argumentsDigest !== call.argumentsDigest)
        return 'The arguments have changed since this message was posted. Nothing was decided.';
      if (!(await this.mayDecide(actor, approval))) return 'You may not decide this call.';
      if (!isDecidableInSlack(approval, this.rules.content))
        return 'This call cannot be decided in Slack. Decide it in the panel.';
      await approvals.decide(approval.id, { verdict, actor, reason });
      return null;
    } catch (error) {
      if (error instanceof GuardrailsError) return error.message;
      this.warn(`a decision failed: ${messageOf(error)}`);
      return 'The decision could not be confirmed. Try again.';
    }
  }

  /** `null` where the host gives no usable id in time. */
  private async actorOf(teamId: string, userId: string): Promise<string | null> {
    const actor = await this.ask('actorOf', () => this.rules.actorOf(teamId, userId));
    return isActorId(actor) ? actor : null;
  }

  private async mayDecide(actor: string, approval: Approval): Promise<boolean> {
    return (await this.ask('mayDecide', () => this.rules.mayDecide(actor, approval))) === true;
  }

  /** An untyped host may return anything. */
  private async ask(name: string, question: () => unknown): Promise<unknown> {
    try {
      return await withinTime(Promise.resolve().then(question), CALLBACK_TIMEOUT_MS);
    } catch (error) {
      this.warn(`${name} failed, so nothing was decided: ${messageOf(error)}`);
      return null;
    }
  }

  /** A failure does not change the decision. */
  private async answer(userId: string, text: string): Promise<void> {
    await this.messages.whisper(userId, text).catch((error: unknown) => {
      this.warn(`the answer to a user could not be sent: ${messageOf(error)}`);
    });
  }
}
