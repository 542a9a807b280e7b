import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ParkedCall } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { SlackApprovals } from '#slack/slack-approvals.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { aRun, parkedCall, parkedRequiring, recovered } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';
import { FakeSlack, type PostedMessage } from '../support/fake-slack.mjs';
import { buttonsOf, SIGNING_SECRET, textsOf } from '../support/slack-requests.mjs';

const CHANNEL = 'C0APPROVALS';
const PANEL = 'https://admin.example/guardrails';

let clock: SetClock;
let stores: StoreBackend;
let slack: FakeSlack;
let tool: ReturnType<typeof refundTool>;
let instances: Bench[];

beforeEach(async () => {
  clock = new SetClock();
  stores = memoryStores({ clock });
  slack = await new FakeSlack(() => clock.now()).start();
  tool = refundTool();
  instances = [];
});

afterEach(async () => {
  for (const { engine } of instances) await engine.stop();
  await slack.stop();
});

async function instance(options: { readonly content?: 'none' | 'arguments' } = {}): Promise<Bench> {
  const sink = new SlackApprovals({
    signingSecret: SIGNING_SECRET,
    botToken: 'xoxb-test',
    channel: CHANNEL,
    actorOf: () => 'ops-1',
    mayDecide: () => true,
    content: 'arguments',
    apiUrl: slack.apiUrl,
    clock,
    ...options,
  });
  const settings = {
    'hitl.enabled': true,
    'hitl.remind_after': 600,
    'hitl.escalate_after': 1800,
    'events.panel_url': `${PANEL}/`,
  };
  const setup = await bench(settings, { stores, clock, tools: [tool], sinks: [sink] });
  sink.connect(setup.engine.approvals);
  instances.push(setup);
  return setup;
}

const park = (setup: Bench, args: object = { order: 'A-1182' }): Promise<ParkedCall> =>
  parkedCall(setup.engine, tool, args, aRun());
function posted(at = 0): PostedMessage {
  const message = slack.messages.at(at);
  if (message === undefined) throw new Error('There is no such message.');
  return message;
}

const labels = (message: PostedMessage | undefined): readonly string[] =>
  buttonsOf(message).map(({ text }) => text.text);
const stateOf = async ({ engine }: Bench, name = 'slack-approvals') =>
  (await engine.events.states()).find((state) => state.name === name);

async function deliver(...setup: readonly Bench[]): Promise<void> {
  for (const { engine } of setup) await engine.relay.deliverDue();
}

describe('a waiting call in Slack', () => {
  it('is posted once, with its arguments, buttons and link, and with no token', async () => {
    const setup = await instance();
    const { approvalId } = await park(setup);
    await deliver(setup);
    expect(slack.messages).toHaveLength(1);
    const message = posted();
    const approval = await setup.engine.approvals.find(approvalId);
    expect(textsOf(message)).toContain('"order": "A-1182"');
    expect(textsOf(message)).toContain('Requested by\ncustomer-42');
    expect(labels(message)).toEqual(['Approve', 'Reject', 'Open in the panel']);
    expect(buttonsOf(message).map(({ value, url }) => value ?? url)).toEqual([
      `${approvalId}.${approval?.argumentsDigest}`,
      `${approvalId}.${approval?.argumentsDigest}`,
      `${PANEL}/approvals/${approvalId}`,
    ]);
    const token = setup.engine.approvalService.tokenOf({ reference: approval?.reference ?? '' });
    expect(JSON.stringify(slack.calls)).not.toContain(token);
    expect(JSON.stringify(slack.calls)).not.toContain(approval?.reference);
    expect(slack.calls.every(({ authorization }) => authorization === 'Bearer xoxb-test')).toBe(true);
  });

  it.each([
    ['content: none', { content: 'none' } as const, { order: 'A-1182' }],
    ['warnings', {}, { order: 'A-1182\u200b' }],
    ['arguments that do not fit', {}, { order: '&'.repeat(700) }],
  ])('has a link and no button to decide with %s', async (_, options, args) => {
    const setup = await instance(options);
    const { approvalId } = await park(setup, args);
    await deliver(setup);
    const message = posted();
    expect(buttonsOf(message).map(({ value, url }) => [value, url])).toEqual([
      [undefined, `${PANEL}/approvals/${approvalId}`],
    ]);
    expect(JSON.stringify(slack.calls)).not.toMatch(/A-1182|&&&|&amp;/);
  });

  it('is not posted if it was decided before', async () => {
    const setup = await instance();
    slack.answer = () => ({ status: 500 });
    const { approvalId } = await park(setup);
    await deliver(setup);
    await setup.engine.approvals.decide(approvalId, { verdict: 'rejected', actor: 'ops-1' });
    slack.answer = () => undefined;
    clock.advance(120_000);
    await deliver(setup);
    expect(slack.messages).toEqual([]);
    expect(await stateOf(setup)).toMatchObject({ waiting: 0, dead: 0 });
  });
});

describe('the message of an approval', () => {
  it('shows a decision that was made elsewhere, and its outcome', async () => {
    const setup = await instance();
    const { approvalId } = await park(setup);
    await deliver(setup);
    await setup.engine.approvals.decide(approvalId, { verdict: 'approved', actor: 'ops-7' });
    await deliver(setup);
    expect(slack.messages).toHaveLength(1);
    expect(textsOf(posted())).toContain('Approved by ops-7. The call ran.');
    expect(labels(posted())).toEqual(['Open in the panel']);
    // The instance that posted the message does not search for it.
    expect(slack.callsOf('conversations.history')).toHaveLength(1);
  });

  it('is found by another instance, after a restart, and below many other messages', async () => {
    const first = await instance();
    const { approvalId } = await park(first);
    await deliver(first);
    await first.engine.stop();
    for (let count = 0; count < 250; count++)
      slack.messages.push({ ...posted(), ts: `${posted().ts}${count}`, metadata: {} });
    clock.advance(3000_000);
    const second = await instance();
    await second.engine.approvals.decide(approvalId, { verdict: 'rejected', actor: 'ops-7', reason: 'no' });
    await deliver(second);
    expect(textsOf(posted())).toContain('Rejected by ops-7. The call did not run.\nReason: no');
    expect(slack.callsOf('chat.postMessage')).toHaveLength(1);
  });

  it('is not confused with a message of another app or another deployment', async () => {
    const setup = await instance();
    const { approvalId } = await park(setup);
    await deliver(setup);
    const message = posted();
    const { event_payload: identity } = message.metadata;
    const other = { ...identity, arguments_digest: 'f'.repeat(64) };
    slack.messages.push(
      { ...message, ts: `${message.ts}1`, bot_id: 'B-OTHER', blocks: [] },
      {
        ...message,
        ts: `${message.ts}2`,
        metadata: { ...message.metadata, event_payload: other },
        blocks: [],
      },
    );
    const second = await instance();
    await second.engine.approvals.decide(approvalId, { verdict: 'rejected', actor: 'ops-7' });
    await deliver(second);
    expect(slack.messages.map(({ blocks }) => blocks.length > 0)).toEqual([true, false, false]);
    expect(textsOf(posted())).toContain('Rejected by ops-7');
  });

  it('shows an expiry', async () => {
    const setup = await instance();
    await park(setup);
    await deliver(setup);
    clock.advance(48 * 3600_000);
    await recovered(setup.engine);
    await deliver(setup);
    expect(textsOf(posted())).toContain('Expired before it was decided. The call did not run.');
    expect(labels(posted())).toEqual(['Open in the panel']);
  });

  it('shows that the call was edited, and a new message has the edited call', async () => {
    const setup = await instance();
    const { approvalId } = await park(setup);
    await deliver(setup);
    const edit = { arguments: { order: 'A-1182', amount: 40 }, actor: 'editor-1', reason: 'too much' };
    const proposed = await setup.engine.approvals.propose(approvalId, edit);
    await deliver(setup);
    const [old, next] = slack.messages;
    expect(textsOf(old)).toContain(`the call was edited. Approval ${proposed.id} waits in its place.`);
    expect(labels(old)).toEqual(['Open in the panel']);
    expect(textsOf(next)).toContain('Edited by\neditor-1');
    expect(labels(next)).toEqual(['Approve', 'Reject', 'Open in the panel']);
  });

  it('counts the votes that count, and names the voters', async () => {
    const setup = await instance();
    const { id } = await parkedRequiring(stores, await park(setup), { approvers: 2, group: null });
    await deliver(setup);
    const vote = (actor: string) => setup.engine.approvals.decide(id, { verdict: 'approved', actor });
    await vote('ops-1');
    await deliver(setup);
    expect(textsOf(posted(-1))).toContain('Approvals\n1 of 2: ops-1');
    expect(labels(posted(-1))).toContain('Approve');
    await vote('ops-2');
    await deliver(setup);
    expect(textsOf(posted(-1))).toContain('Approved by ops-1, ops-2. The call ran.');
  });

  it('is not posted again if somebody deleted it', async () => {
    const setup = await instance();
    const { approvalId } = await park(setup);
    await deliver(setup);
    slack.messages.length = 0;
    await setup.engine.approvals.decide(approvalId, { verdict: 'approved', actor: 'ops-7' });
    await deliver(setup);
    expect(slack.messages).toEqual([]);
    expect(await stateOf(setup)).toMatchObject({ waiting: 0, dead: 0, lastError: null });
  });

  it('shows the final state after a concurrent change', async () => {
    const setup = await instance();
    const { approvalId } = await park(setup);
    await deliver(setup);
    const rejected = () => setup.engine.approvals.decide(approvalId, { verdict: 'rejected', actor: 'ops-2' });
    const decisions: Promise<unknown>[] = [];
    slack.answer = (method) => {
      if (method === 'chat.update' && decisions.length === 0) decisions.push(rejected());
      return undefined;
    };
    clock.advance(601_000);
    await recovered(setup.engine);
    await deliver(setup);
    await Promise.all(decisions);
    expect(decisions).toHaveLength(1);
    expect(textsOf(posted())).toContain('Rejected by ops-2');
  });
});

describe('reminders in Slack', () => {
  it('are replies that the channel shows, once over two instances', async () => {
    const [here, there] = [await instance(), await instance()];
    const { approvalId } = await park(here);
    await deliver(here, there);
    for (let round = 0; round < 4; round++) {
      clock.advance(601_000);
      for (const { engine } of [here, there]) await recovered(engine);
      await deliver(here, there);
    }
    const replies = slack.messages.slice(1);
    expect(replies.map(({ thread_ts, reply_broadcast }) => [thread_ts, reply_broadcast])).toEqual([
      [posted().ts, true],
      [posted().ts, true],
    ]);
    expect(replies.map(({ text }) => text)).toEqual([
      expect.stringMatching(
        new RegExp(`^Approval ${approvalId} \\(refund\\) is still pending. It expires at`),
      ),
      expect.stringContaining('is still pending, and escalated.'),
    ]);
    expect((await here.engine.approvals.find(approvalId))?.status).toBe('pending');
  });

  it('are sent without a thread if the message was deleted', async () => {
    const setup = await instance();
    await park(setup);
    await deliver(setup);
    slack.messages.length = 0;
    clock.advance(601_000);
    await recovered(setup.engine);
    await deliver(setup);
    expect(slack.messages.map(({ thread_ts }) => thread_ts)).toEqual([undefined]);
  });
});

describe('a failing Slack', () => {
  const retried = async (setup: Bench): Promise<void> => {
    clock.advance(120_000);
    await deliver(setup);
  };

  it('gets the message once, although the answer to the first attempt was lost', async () => {
    const setup = await instance();
    slack.answer = (method, _args, count) =>
      method === 'chat.postMessage' && count === 1 ? { lost: true } : undefined;
    await park(setup);
    await deliver(setup);
    expect(await stateOf(setup)).toMatchObject({
      waiting: 1,
      lastError: expect.stringMatching(/^Slack cannot be reached: [A-Z_]+ \(chat.postMessage\)$/),
    });
    await retried(setup);
    expect(slack.messages).toHaveLength(1);
    expect(await stateOf(setup)).toMatchObject({ waiting: 0, dead: 0 });
  });

  it('gets a reminder once, although the answer to the first attempt was lost', async () => {
    const setup = await instance();
    await park(setup);
    await deliver(setup);
    slack.answer = (method, { thread_ts }, count) =>
      method === 'chat.postMessage' && thread_ts !== undefined && count === 2 ? { lost: true } : undefined;
    clock.advance(601_000);
    await recovered(setup.engine);
    await deliver(setup);
    await retried(setup);
    expect(slack.messages).toHaveLength(2);
    expect(await stateOf(setup)).toMatchObject({ waiting: 0, dead: 0 });
  });

  it.each([
    ['a limit', { status: 429, headers: { 'retry-after': '30' } }, 'Slack answered 429 to chat.postMessage'],
    ['an error', { status: 500, body: 'no' }, 'Slack answered 500 to chat.postMessage'],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://evil.example/' } },
      'Slack answered 302 to chat.postMessage: redirects are not followed',
    ],
    [
      'a refusal',
      { body: { ok: false, error: 'not_in_channel' } },
      'Slack answered not_in_channel to chat.postMessage: invite the app to the channel',
    ],
    [
      'a refusal that is not a code',
      { body: { ok: false, error: 'https://evil.example' } },
      'Slack answered an unknown error to chat.postMessage',
    ],
  ])('retries after %s and logs how to fix it', async (_, answer, error) => {
    const setup = await instance();
    slack.answer = (method, _args, count) =>
      method === 'chat.postMessage' && count === 1 ? answer : undefined;
    await park(setup);
    await deliver(setup);
    expect(await stateOf(setup)).toMatchObject({ waiting: 1, lastError: error });
    await retried(setup);
    expect(slack.messages).toHaveLength(1);
    expect(await stateOf(setup)).toMatchObject({ waiting: 0, dead: 0 });
  });

  it('delays no decision', async () => {
    const setup = await instance();
    const { approvalId } = await park(setup);
    await deliver(setup);
    slack.answer = () => ({ status: 500 });
    await setup.engine.approvals.decide(approvalId, { verdict: 'approved', actor: 'ops-7' });
    await deliver(setup);
    expect(tool.calls).toHaveLength(1);
    slack.answer = () => undefined;
    await retried(setup);
    expect(textsOf(posted())).toContain('Approved by ops-7. The call ran.');
  });
});

describe('the sink', () => {
  it('is tested with its token, channel and scopes, and posts a message', async () => {
    const setup = await instance();
    const test = await setup.engine.events.test('slack-approvals', 'ops-1');
    expect(test).toMatchObject({ delivered: true, error: null });
    expect(slack.calls.map(({ method }) => method)).toEqual([
      'auth.test',
      'conversations.history',
      'chat.postMessage',
    ]);
    expect(slack.messages.map(({ text }) => text)).toEqual(['Test of the sink slack-approvals.']);
    slack.answer = () => ({ body: { ok: false, error: 'missing_scope' } });
    expect(await setup.engine.events.test('slack-approvals', 'ops-1')).toMatchObject({
      delivered: false,
      error: expect.stringContaining('add the scopes chat:write and channels:history'),
    });
  });

  it('reports that it is not connected, and delivers afterwards', async () => {
    const sink = new SlackApprovals({
      signingSecret: SIGNING_SECRET,
      botToken: 'xoxb-test',
      channel: CHANNEL,
      actorOf: () => null,
      mayDecide: () => false,
      content: 'none',
      apiUrl: slack.apiUrl,
      clock,
    });
    const setup = await bench({ 'hitl.enabled': true }, { stores, clock, tools: [tool], sinks: [sink] });
    instances.push(setup);
    await park(setup);
    await deliver(setup);
    expect((await stateOf(setup))?.lastError).toMatch(/is not connected: call connect\(approvals\)/);
    sink.connect(setup.engine.approvals);
    clock.advance(120_000);
    await deliver(setup);
    expect(slack.messages).toHaveLength(1);
  });
});
