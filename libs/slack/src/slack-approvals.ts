import type { Approval } from '#contracts/approvals.js';
import { type Clock, SystemClock } from '#contracts/clock.js';
import { ConfigurationError, GuardrailsError } from '#contracts/errors.js';
import { DeliveryError, EventSink, type DeliveredEvent } from '#contracts/event-sink.js';
import { SinkTested, type EventName } from '#contracts/events.js';
import type { Approvals } from '#engine/approvals/approvals.js';
import { withinTime } from '#engine/time-limit.js';
import {
  approvalMessage,
  isDecidableInSlack,
  noticeMessage,
  reasonDialog,
  type ShownApproval,
  type SlackContent,
} from './approval-message.js';
import { ChannelMessages } from './channel-messages.js';
import { SlackClient } from './slack-client.js';
import {
  BUTTONS,
  readInteraction,
  REASON,
  RefusedRequest,
  type DialogContext,
  type SlackClick,
  type SlackHeaders,
  type SlackSubmission,
} from './slack-request.js';

/** Time limit of `actorOf` and of `mayDecide`. */
const MOST_ASKED_MS = 2_000;
/** A delivery searches, posts and updates; each call of the Web API takes at most five seconds. */
const DELIVERY_MS = 30_000;

export interface SlackApprovalsOptions {
  /** From the app's Basic Information. */
  readonly signingSecret: string;
  /** `xoxb-…`. Its workspace is the only one whose users can decide. */
  readonly botToken: string;
  /** Id of the channel, such as `C0123456789`. Names are not accepted. */
  readonly channel: string;
  /** The id of the person that decisions are recorded with; `null` for users who cannot decide. */
  actorOf(teamId: string, userId: string): string | null | Promise<string | null>;
  /**
   * Whether this person may decide this call. Approver groups, four eyes and several approvers are checked as well. Like
   * `actorOf`, it refuses the decision if it throws or takes longer than two seconds.
   */
  mayDecide(actor: string, approval: Approval): boolean | Promise<boolean>;
  /** `arguments`: messages contain the arguments of calls and the reasons of decisions. `none`: only a link decides. */
  readonly content: SlackContent;
  /** The key of its deliveries in the outbox. Default `slack-approvals`. */
  readonly name?: string;
  /** Default `https://slack.com/api/`. */
  readonly apiUrl?: string;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Receives failures that no caller sees. Default: `console.warn`. */
  warn?(message: string): void;
}

/** The response to Slack. */
export interface SlackAcknowledgement {
  readonly status: number;
  /** A text, or an object to send as JSON. */
  readonly body: '' | Readonly<Record<string, unknown>>;
}

const NOT_CONNECTED = 'SlackApprovals is not connected: call connect(approvals) at start';

const ACKNOWLEDGED: SlackAcknowledgement = { status: 200, body: '' };

const SELECTED = /^guardrails\.(tool\.parked$|approval\.)/;

/**
 * Posts waiting calls to a channel, decides them there, and keeps their messages current. Add it to `sinks`, and
 * connect it to `Approvals`.
 */
export class SlackApprovals extends EventSink {
  override readonly name: string;
  override readonly concurrency = 1;
  override readonly timeoutMs = DELIVERY_MS;
  readonly #options: SlackApprovalsOptions;
  readonly #messages: ChannelMessages;
  readonly #clock: Clock;
  readonly #work = new Set<Promise<void>>();
  #approvals: Approvals | null = null;
  #isClosed = false;
  #isRefusing = false;

  constructor(options: SlackApprovalsOptions) {
    super();
    assertOptions(options);
    this.name = options.name ?? 'slack-approvals';
    this.#options = options;
    this.#clock = options.clock ?? new SystemClock();
    const client = new SlackClient(options.botToken, options.apiUrl);
    this.#messages = new ChannelMessages(client, options.channel, this.#clock);
  }

  /** Call once at start. Until then deliveries fail and are retried, and clicks are refused. */
  connect(approvals: Approvals): this {
    if (this.#approvals !== null && this.#approvals !== approvals)
      throw new ConfigurationError(['SlackApprovals is already connected: create one for each mount']);
    this.#approvals = approvals;
    return this;
  }

  override selects(name: EventName): boolean {
    return SELECTED.test(name);
  }

  override async deliver({ id, name, payload }: DeliveredEvent): Promise<void> {
    if (name === SinkTested.eventName) return this.#messages.test(this.name);
    const { approval_id: approvalId } = payload;
    const approval = typeof approvalId === 'number' ? await this.#desk().find(approvalId) : null;
    if (approval === null) return;
    const isPending = approval.status === 'pending';
    const found = await this.#messages.find(approval);
    if (found !== null) await this.#refresh(approval.id, found);
    const ts = found ?? (isPending ? await this.#post(approval) : null);
    if (ts === null) return;
    const isEscalation = name === 'guardrails.approval.escalated';
    if (isPending && (isEscalation || name === 'guardrails.approval.reminded'))
      await this.#messages.reply(ts, id, noticeMessage(this.#shown(approval), isEscalation));
  }

  /**
   * Handles a request to the app's Interactivity URL: the raw bytes, and the headers as Node parses them. Returns at once;
   * the decision continues in the background.
   */
  handle(rawBody: Uint8Array | undefined, headers: SlackHeaders): SlackAcknowledgement {
    const { signingSecret } = this.#options;
    const interaction = readInteraction(rawBody, headers, signingSecret, this.#clock.now());
    if (interaction instanceof RefusedRequest) return this.#refused(interaction);
    this.#isRefusing = false;
    if (this.#approvals === null) this.#warn(NOT_CONNECTED);
    if (this.#isClosed || this.#approvals === null) return { status: 503, body: '' };
    switch (interaction.kind) {
      case 'click':
        this.#start(() => this.#click(interaction));
        return ACKNOWLEDGED;
      case 'submission':
        if (interaction.reason.trim() === '') return invalidReason();
        this.#start(() => this.#submit(interaction));
        return ACKNOWLEDGED;
      case 'other':
        return ACKNOWLEDGED;
      default:
        return interaction satisfies never;
    }
  }

  /** Resolves when no click is being handled. */
  async idle(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  /** Refuses further requests, and waits for those in progress. */
  override async close(): Promise<void> {
    this.#isClosed = true;
    await this.idle();
  }

  /** Warns of the first of a series, because anyone can send requests. */
  #refused({ status }: RefusedRequest): SlackAcknowledgement {
    if (!this.#isRefusing)
      this.#warn(
        status === 401
          ? 'a request has no valid signature: check `signingSecret` and the clock of this machine'
          : `a request was refused with ${status}: if there are no raw bytes, create the application with rawBody: true`,
      );
    this.#isRefusing = true;
    return { status, body: '' };
  }

  #start(work: () => Promise<void>): void {
    const ended = work()
      .catch((error: unknown) => this.#warn(`a click was not handled: ${reasonOf(error)}`))
      .finally(() => this.#work.delete(ended));
    this.#work.add(ended);
  }

  async #click(click: SlackClick): Promise<void> {
    if (!(await this.#isOurs(click))) return;
    const { verdict, hasDialog } = BUTTONS[click.action];
    const { call, place } = click;
    if (!hasDialog) return this.#decide({ ...click, verdict }, null);
    try {
      // The first thing that happens, because the trigger expires.
      await this.#messages.openDialog(click.triggerId, reasonDialog({ verdict, call, place }));
    } catch (error) {
      this.#warn(`a dialog was not opened: ${reasonOf(error)}`);
      await this.#whisper(click.userId, 'The dialog could not be opened. Click again.');
    }
  }

  async #submit(submission: SlackSubmission): Promise<void> {
    if (await this.#isOurs(submission)) await this.#decide(submission, submission.reason);
  }

  async #isOurs({
    teamId,
    userId,
    place,
  }: Pick<SlackClick, 'teamId' | 'userId' | 'place'>): Promise<boolean> {
    const workspace = await this.#messages.workspace();
    if (teamId === workspace.teamId && place.channel === this.#options.channel) return true;
    this.#warn('a click from another workspace or channel was ignored');
    await this.#whisper(userId, 'Only members of the workspace can decide, in the channel of the approvals.');
    return false;
  }

  async #decide(
    { userId, teamId, ...context }: DialogContext & Pick<SlackClick, 'teamId' | 'userId'>,
    reason: string | null,
  ): Promise<void> {
    const refusal = await this.#refusalOf(context, await this.#actorOf(teamId, userId), reason);
    try {
      await this.#refresh(context.call.approvalId, context.place.ts);
    } finally {
      if (refusal !== null) await this.#whisper(userId, refusal);
    }
  }

  /** Decides. Returns why nothing was decided; `null` after a decision. */
  async #refusalOf(
    { verdict, call }: DialogContext,
    actor: string | null,
    reason: string | null,
  ): Promise<string | null> {
    if (actor === null) return 'You cannot decide here: your Slack account belongs to no approver.';
    try {
      const approval = await this.#desk().find(call.approvalId);
      if (approval === null) return 'This approval no longer exists.';
      if (approval.argumentsDigest !== call.argumentsDigest)
        return 'The arguments have changed since this message was posted. Nothing was decided.';
      if (!(await this.#mayDecide(actor, approval))) return 'You may not decide this call.';
      if (!isDecidableInSlack(approval, this.#options.content))
        return 'This call cannot be decided in Slack. Decide it in the panel.';
      await this.#desk().decide(approval.id, { verdict, actor, reason });
      return null;
    } catch (error) {
      if (error instanceof GuardrailsError) return error.message;
      this.#warn(`a decision failed: ${reasonOf(error)}`);
      return 'The decision could not be confirmed. Try again.';
    }
  }

  /** `null` where the host gives no id in time. */
  async #actorOf(teamId: string, userId: string): Promise<string | null> {
    const actor = await this.#ask('actorOf', () => this.#options.actorOf(teamId, userId));
    return typeof actor === 'string' && actor.trim() !== '' ? actor : null;
  }

  async #mayDecide(actor: string, approval: Approval): Promise<boolean> {
    return (await this.#ask('mayDecide', () => this.#options.mayDecide(actor, approval))) === true;
  }

  /** An untyped host may return anything. */
  async #ask(name: string, question: () => unknown): Promise<unknown> {
    try {
      return await withinTime(Promise.resolve().then(question), MOST_ASKED_MS);
    } catch (error) {
      this.#warn(`${name} failed, so nothing was decided: ${reasonOf(error)}`);
      return null;
    }
  }

  #post(approval: Approval): Promise<string> {
    return this.#messages.post(approval, this.#messageOf(approval));
  }

  /**
   * Repeats until the state after the update is the one that was shown, so that of several instances the last one to
   * update shows the last state.
   */
  async #refresh(approvalId: number, ts: string): Promise<void> {
    for (let shown = ''; ;) {
      const approval = await this.#desk().find(approvalId);
      if (approval === null) return;
      const message = this.#messageOf(approval);
      const current = JSON.stringify(message);
      if (current === shown) return;
      await this.#messages.update(ts, approval, message);
      shown = current;
    }
  }

  #messageOf(approval: Approval) {
    return approvalMessage(this.#shown(approval), this.#options.content);
  }

  #shown(approval: Approval): ShownApproval {
    const desk = this.#desk();
    return { approval, votes: desk.votesOf(approval), link: desk.linkTo(approval.id) };
  }

  /** The decision does not depend on it. */
  async #whisper(userId: string, text: string): Promise<void> {
    await this.#messages.whisper(userId, text).catch((error: unknown) => {
      this.#warn(`a user was not answered: ${reasonOf(error)}`);
    });
  }

  #desk(): Approvals {
    if (this.#approvals !== null) return this.#approvals;
    throw new DeliveryError(NOT_CONNECTED);
  }

  #warn(message: string): void {
    const line = `${this.name}: ${message}`;
    if (this.#options.warn === undefined) console.warn(line);
    else this.#options.warn(line);
  }
}

function assertOptions({ signingSecret, channel, content }: SlackApprovalsOptions): void {
  const reasons = [
    ...(typeof signingSecret === 'string' && signingSecret.trim() !== ''
      ? []
      : ['SlackApprovals needs `signingSecret`, from the Basic Information of the app']),
    ...(typeof channel === 'string' && /^[CG][A-Z0-9]{1,31}$/.test(channel)
      ? []
      : ['channel of SlackApprovals must be the id of a channel, such as C0123456789']),
    ...(content === 'none' || content === 'arguments'
      ? []
      : ['content of SlackApprovals must be none or arguments']),
  ];
  if (reasons.length > 0) throw new ConfigurationError(reasons);
}

function invalidReason(): SlackAcknowledgement {
  return { status: 200, body: { response_action: 'errors', errors: { [REASON]: 'Give a reason.' } } };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
