import type { Approval } from '#contracts/approvals/approvals.js';
import type { Clock } from '#contracts/common/clock.js';
import type { SlackMessage } from './approval-message.js';
import { escapeSlackMarkup } from '#contracts/common/text.js';
import { type SlackAnswer, type SlackClient, SlackError } from './slack-client.js';

const APPROVAL = 'guardrails_approval';
const NOTICE = 'guardrails_notice';

const PAGE = 200;
const MAX_PAGES = 10;
/** Messages are usually posted soon after the call was requested, so this range is searched first. */
const SOON_SECONDS = 600;
/** Tolerated difference between the clocks of the database and of Slack. */
const SKEW_SECONDS = 300;
const MAX_CACHED = 1000;

/** The message was deleted, or this app cannot change it. */
const CANNOT_UPDATE: ReadonlySet<string | null> = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);

/** Stops Slack from turning words of the text into links or mentions. */
const AS_WRITTEN = { parse: 'none', link_names: false } as const;

type Identity = Readonly<Record<string, string | number>>;

interface Workspace {
  readonly teamId: string;
  readonly botId: string;
}

/**
 * The messages of one channel. Each has metadata that identifies its approval, by which any instance finds it again,
 * also after a restart.
 */
export class ChannelMessages {
  /** Time stamps of known messages by approval id; saves a search on the instance that posted them. */
  private readonly timeStamps = new Map<number, string>();
  private workspacePromise: Promise<Workspace> | null = null;

  constructor(
    private readonly client: SlackClient,
    private readonly channel: string,
    private readonly clock: Clock,
  ) {}

  /** The workspace of the bot token. */
  workspace(): Promise<Workspace> {
    this.workspacePromise ??= this.askWorkspace().catch((error: unknown) => {
      this.workspacePromise = null;
      throw error;
    });
    return this.workspacePromise;
  }

  /** The time stamp that identifies the message of an approval; `null` where there is none. */
  async find(approval: Approval): Promise<string | null> {
    const cached = this.timeStamps.get(approval.id);
    if (cached !== undefined) return cached;
    for (const range of rangesAfter(approval.createdAt, this.clock.now())) {
      const ts = await this.search('conversations.history', range, APPROVAL, identityOf(approval));
      if (ts !== null) return this.keep(approval, ts);
    }
    return null;
  }

  async post(approval: Approval, message: SlackMessage): Promise<string> {
    const { ts } = await this.send(message, metadata(APPROVAL, identityOf(approval)));
    if (typeof ts !== 'string') throw new SlackError('Slack answered chat.postMessage without a time stamp');
    return this.keep(approval, ts);
  }

  async update(ts: string, approval: Approval, message: SlackMessage): Promise<void> {
    try {
      const content = { ...message, ...AS_WRITTEN, ...metadata(APPROVAL, identityOf(approval)) };
      await this.client.call('chat.update', { channel: this.channel, ts, ...content });
    } catch (error) {
      if (!(error instanceof SlackError) || !CANNOT_UPDATE.has(error.code)) throw error;
    }
  }

  /** Posts a reply that the channel shows too, once for each event. Without a thread if the message was deleted. */
  async reply(ts: string, eventId: string, message: SlackMessage): Promise<void> {
    const identity = { event_id: eventId };
    let thread: object = { thread_ts: ts, reply_broadcast: true };
    try {
      if ((await this.search('conversations.replies', { ts }, NOTICE, identity)) !== null) return;
    } catch (error) {
      if (!(error instanceof SlackError) || error.code !== 'thread_not_found') throw error;
      thread = {};
    }
    await this.send(message, { ...thread, ...metadata(NOTICE, identity) });
  }

  /** Shows a text to one user. */
  async whisper(userId: string, text: string): Promise<void> {
    const shown = { text: escapeSlackMarkup(text), ...AS_WRITTEN };
    await this.client.call('chat.postEphemeral', { channel: this.channel, user: userId, ...shown });
  }

  async openDialog(triggerId: string, view: object): Promise<void> {
    await this.client.call('views.open', { trigger_id: triggerId, view });
  }

  /** Checks token, channel and scopes, and posts a message. */
  async test(name: string): Promise<void> {
    await this.workspace();
    await this.client.call('conversations.history', { channel: this.channel, limit: 1 });
    await this.send({ text: escapeSlackMarkup(`Test of the sink ${name}.`) });
  }

  private async askWorkspace(): Promise<Workspace> {
    const { team_id: teamId, bot_id: botId } = await this.client.call('auth.test');
    if (typeof teamId === 'string' && teamId !== '' && typeof botId === 'string') return { teamId, botId };
    throw new SlackError(
      'Slack answered auth.test without a workspace and a bot: set `botToken` to a bot token',
    );
  }

  /** The newest message of this app in the range, with this metadata. */
  private async search(
    method: string,
    range: object,
    type: string,
    identity: Identity,
  ): Promise<string | null> {
    const { botId } = await this.workspace();
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const shared = { channel: this.channel, include_all_metadata: true, limit: PAGE };
      const answer = await this.client.call(method, { ...shared, ...range, cursor });
      const match = messagesOf(answer).find(
        (message) => message['bot_id'] === botId && isAbout(message, type, identity),
      );
      if (typeof match?.['ts'] === 'string') return match['ts'];
      cursor = cursorOf(answer);
      if (cursor === undefined) return null;
    }
    return null;
  }

  private send(message: Partial<SlackMessage>, more: object = {}): Promise<SlackAnswer> {
    const content = { ...message, ...AS_WRITTEN, unfurl_links: false, unfurl_media: false, ...more };
    return this.client.call('chat.postMessage', { channel: this.channel, ...content });
  }

  private keep({ id }: Approval, ts: string): string {
    this.timeStamps.set(id, ts);
    const [oldest] = this.timeStamps.keys();
    if (this.timeStamps.size > MAX_CACHED && oldest !== undefined) this.timeStamps.delete(oldest);
    return ts;
  }
}

/** Ranges of time stamps to search for a message that was posted after this time. */
function rangesAfter(parkedAt: Date, now: Date): readonly object[] {
  const parked = Math.floor(parkedAt.getTime() / 1000);
  const oldest = String(parked - SKEW_SECONDS);
  const soon = String(parked + SOON_SECONDS);
  const isSoon = now.getTime() / 1000 < parked + SOON_SECONDS;
  return isSoon
    ? [{ oldest }]
    : [
        { oldest, latest: soon },
        { oldest: soon, inclusive: true },
      ];
}

/** The digest distinguishes approvals with the same id in deployments that share an app. */
function identityOf({ id, argumentsDigest }: Approval): Identity {
  return { approval_id: id, arguments_digest: argumentsDigest };
}

function metadata(type: string, identity: Identity): object {
  return { metadata: { event_type: type, event_payload: identity } };
}

function messagesOf({ messages }: SlackAnswer): readonly SlackAnswer[] {
  return Array.isArray(messages) ? (messages as readonly SlackAnswer[]) : [];
}

function cursorOf({ response_metadata: more }: SlackAnswer): string | undefined {
  const { next_cursor: cursor } = (more ?? {}) as SlackAnswer;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

function isAbout(message: SlackAnswer, type: string, identity: Identity): boolean {
  const { event_type, event_payload } = (message['metadata'] ?? {}) as SlackAnswer;
  const payload = (event_payload ?? {}) as SlackAnswer;
  return event_type === type && Object.entries(identity).every(([name, value]) => payload[name] === value);
}
