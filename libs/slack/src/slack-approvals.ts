import { type Clock, SystemClock } from '#contracts/common/clock.js';
import { ConfigurationError, messageOf } from '#contracts/common/errors.js';
import { EventSink, type DeliveredEvent } from '#contracts/events/event-sink.js';
import type { EventName } from '#contracts/events/events.js';
import { SinkTested } from '#contracts/events/operation-events.js';
import type { Approvals } from '#engine/controls/approvals/approvals.js';
import { ApprovalBoard, NOT_CONNECTED } from './approval-board.js';
import { ChannelMessages } from './channel-messages.js';
import { ClickDecisions, type DecisionRules } from './click-decisions.js';
import { SlackClient } from './slack-client.js';
import { readInteraction, REASON, RefusedRequest, type SlackHeaders } from './slack-request.js';

/** A delivery searches, posts and updates; each call of the Web API takes at most five seconds. */
const DELIVERY_MS = 30_000;

/** The options of `SlackApprovals`. */
export interface SlackApprovalsOptions extends DecisionRules {
  /** The signing secret from the Basic Information of the app. */
  readonly signingSecret: string;
  /** `xoxb-…`. Its workspace is the only one whose users can decide. */
  readonly botToken: string;
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

const ACKNOWLEDGED: SlackAcknowledgement = { status: 200, body: '' };

const SELECTED = /^guardrails\.(tool\.parked$|approval\.)/;

/**
 * Posts pending calls to a channel, decides them there, and keeps their messages current. Add it to `sinks`, and
 * connect it to `Approvals`.
 */
export class SlackApprovals extends EventSink {
  override readonly name: string;
  override readonly concurrency = 1;
  override readonly timeoutMs = DELIVERY_MS;
  readonly #options: SlackApprovalsOptions;
  readonly #clock: Clock;
  readonly #messages: ChannelMessages;
  readonly #board: ApprovalBoard;
  readonly #decisions: ClickDecisions;
  readonly #work = new Set<Promise<void>>();
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
    this.#board = new ApprovalBoard(this.#messages, options.content);
    const warn = (message: string) => this.#warn(message);
    this.#decisions = new ClickDecisions(options, this.#messages, this.#board, warn);
  }

  /** Call once at start. Until then deliveries fail and are retried, and clicks are refused. */
  connect(approvals: Approvals): this {
    this.#board.connect(approvals);
    return this;
  }

  override selects(name: EventName) {
    return SELECTED.test(name);
  }

  override deliver(event: DeliveredEvent) {
    return event.name === SinkTested.eventName ? this.#messages.test(this.name) : this.#board.show(event);
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
    if (!this.#board.isConnected) this.#warn(NOT_CONNECTED);
    if (this.#isClosed || !this.#board.isConnected) return { status: 503, body: '' };
    switch (interaction.kind) {
      case 'click':
        this.#start(() => this.#decisions.click(interaction));
        return ACKNOWLEDGED;
      case 'submission':
        if (interaction.reason.trim() === '') return reasonMissing();
        this.#start(() => this.#decisions.submit(interaction));
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
  override async close() {
    this.#isClosed = true;
    await this.idle();
  }

  #start(work: () => Promise<void>): void {
    const ended = work()
      .catch((error: unknown) => this.#warn(`a click was not handled: ${messageOf(error)}`))
      .finally(() => this.#work.delete(ended));
    this.#work.add(ended);
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

function reasonMissing(): SlackAcknowledgement {
  return { status: 200, body: { response_action: 'errors', errors: { [REASON]: 'Give a reason.' } } };
}
