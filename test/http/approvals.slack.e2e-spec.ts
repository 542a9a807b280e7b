import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApprovalListData } from '#contracts/approvals/approvals.api.js';
import { ApproverGroups, type Approval } from '#contracts/approvals/approvals.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { Approvals } from '#engine/controls/approvals/approvals.js';
import { SlackApprovals, type SlackApprovalsOptions } from '#slack/slack-approvals.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { freshDatabase } from '../postgres/database.js';
import { refundTool } from '../support/engine.js';
import { FakeSlack, type PostedMessage } from '../support/fake-slack.mjs';
import {
  buttonsOf,
  clickOn,
  formOf,
  signed,
  SIGNING_SECRET,
  submitted,
  textsOf,
} from '../support/slack-requests.mjs';
import { SlackController } from '../support/slack.controller.js';
import type { Answer } from './support/client.js';
import { TestHost } from './support/host.js';
import { SetClock } from './support/set-clock.js';

class Finance extends ApproverGroups {
  override isMember(actorId: string, group: string): boolean {
    return group === 'finance' && actorId === 'ops-1';
  }
}

const PEOPLE: Readonly<Record<string, string>> = {
  'U-OPS-1': 'ops-1',
  'U-OPS-2': 'ops-2',
  'U-CUSTOMER': 'Customer-42',
};

const POLICIES = {
  refund: {
    rules: [
      { when: { '/amount': { gte: 5000 } }, require: 'approval', group: 'finance' },
      { when: { '/amount': { gte: 1000 } }, require: 'approval', reason: 'required' },
      { when: { '/amount': { gte: 500 } }, require: 'approval', approvers: 2 },
      { when: {}, require: 'approval' },
    ],
    limits: [],
  },
} as const;

/** A click or a submission of this user. */
interface By {
  readonly user?: string;
  readonly team?: string;
  readonly home?: string;
}

let clock: SetClock;
let stores: StoreBackend;
let slack: FakeSlack;
let tool: ReturnType<typeof refundTool>;
let hosts: TestHost[];
let warnings: string[];

beforeEach(async () => {
  clock = new SetClock();
  stores = memoryStores({ clock });
  slack = await new FakeSlack(() => clock.now()).start();
  tool = refundTool();
  hosts = [];
  warnings = [];
});

afterEach(async () => {
  for (const host of hosts) await host.stop();
  await slack.stop();
});

async function startHost(options: Partial<SlackApprovalsOptions> = {}): Promise<TestHost> {
  const approvals = new SlackApprovals({
    signingSecret: SIGNING_SECRET,
    botToken: 'xoxb-test',
    channel: 'C0APPROVALS',
    actorOf: (_team, user) => PEOPLE[user] ?? null,
    mayDecide: () => true,
    content: 'arguments',
    apiUrl: slack.apiUrl,
    clock,
    warn: (message) => void warnings.push(message),
    ...options,
  });
  const host = await TestHost.start({
    guardrails: {
      stores,
      clock,
      tools: [tool],
      sinks: [approvals],
      controls: { approverGroups: new Finance() },
      settings: {
        'hitl.enabled': true,
        'hitl.four_eyes': true,
        'hitl.policies': POLICIES,
        'events.panel_url': 'https://admin.example',
      },
    },
    host: {
      controllers: [SlackController],
      providers: [
        {
          provide: SlackApprovals,
          inject: [Approvals],
          useFactory: (desk: Approvals) => approvals.connect(desk),
        },
      ],
    },
    nest: { rawBody: true },
  });
  hosts.push(host);
  return host;
}

const approvalsOf = (host: TestHost): Approvals => host.application.get(Approvals, { strict: false });
const slackOf = (host: TestHost): SlackApprovals => host.application.get(SlackApprovals, { strict: false });

/** Parks a call and returns its message. */
async function posted(host: TestHost, amount = 40): Promise<PostedMessage> {
  const context = { principalId: 'customer-42', runId: `run-${amount}` };
  const outcome = await host.guardrails.guardTool(tool, context).execute({ order: 'A-1182', amount });
  if (outcome.status !== 'parked') throw new Error(`not parked: ${JSON.stringify(outcome)}`);
  return messageOf(outcome.parked.approvalId);
}

const messageOf = (id: number): Promise<PostedMessage> =>
  slack.until(() => slack.messages.find(({ metadata }) => metadata?.event_payload.approval_id === id));
const idOf = (message: PostedMessage): number => message.metadata.event_payload.approval_id;
const saying = (message: PostedMessage, words: string) => slack.until(() => textsOf(message).includes(words));
const whispered = () => slack.until(() => slack.whispers.at(-1));

async function approvalOf(host: TestHost, message: PostedMessage): Promise<Approval> {
  const found = await approvalsOf(host).find(idOf(message));
  if (found === null) throw new Error('There is no such approval.');
  return found;
}

function send(
  host: TestHost,
  payload: unknown,
  { secret = SIGNING_SECRET, at = clock.now() } = {},
): Promise<Answer> {
  const { body, headers } = signed(formOf(payload), { secret, at });
  return host.raw('POST', '/slack/interactions', { as: null, headers, body });
}

/** Clicks, and waits until the click is handled. */
async function click(host: TestHost, message: PostedMessage, label: string, by: By = {}): Promise<Answer> {
  const answer = await send(host, clickOn(message, label, by));
  await slackOf(host).idle();
  return answer;
}

async function submit(host: TestHost, reason: string | null, by: By = {}): Promise<Answer> {
  const answer = await send(host, submitted(slack.dialogs.at(-1), reason, by));
  await slackOf(host).idle();
  return answer;
}

describe('a decision in Slack', () => {
  it('approves with a click, records the actor of the host, and shows the result', async () => {
    const host = await startHost();
    const message = await posted(host);
    expect(await click(host, message, 'Approve')).toMatchObject({ status: 200, text: '' });
    expect(tool.calls).toHaveLength(1);
    expect(await approvalOf(host, message)).toMatchObject({ status: 'executed', decidedBy: 'ops-1' });
    await saying(message, 'Approved by ops-1. The call ran.');
    expect(buttonsOf(message).map(({ text }) => text.text)).toEqual(['Open in the panel']);
    expect(slack.whispers).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('acknowledges before the tool runs', async () => {
    let finish = (): void => undefined;
    const running = new Promise<void>((resolve) => (finish = resolve));
    tool = refundTool({ execute: () => running });
    const host = await startHost();
    const message = await posted(host);
    expect(await send(host, clickOn(message, 'Approve'))).toMatchObject({ status: 200 });
    await saying(message, 'Approved by ops-1. The call is running.');
    finish();
    await saying(message, 'Approved by ops-1. The call ran.');
  });

  it('rejects with a reason that is entered in a dialog', async () => {
    const host = await startHost();
    const message = await posted(host);
    await click(host, message, 'Reject');
    expect((await approvalOf(host, message)).status).toBe('pending');
    expect(slack.callsOf('views.open')).toMatchObject([{ trigger_id: 'trigger-U-OPS-1' }]);
    const blank = await submit(host, ' \n');
    expect(JSON.parse(blank.text)).toEqual({
      response_action: 'errors',
      errors: { reason: 'Give a reason.' },
    });
    expect((await approvalOf(host, message)).status).toBe('pending');
    expect(await submit(host, 'not due')).toMatchObject({ status: 200, text: '' });
    expect(await approvalOf(host, message)).toMatchObject({
      status: 'rejected',
      decidedBy: 'ops-1',
      reason: 'not due',
    });
    await saying(message, 'Rejected by ops-1. The call did not run.\nReason: not due');
    expect(tool.calls).toEqual([]);
  });

  it('approves with a reason where the policy requires one', async () => {
    const host = await startHost();
    const message = await posted(host, 1000);
    await click(host, message, 'Approve');
    expect((await approvalOf(host, message)).status).toBe('pending');
    await submit(host, 'checked');
    expect(await approvalOf(host, message)).toMatchObject({ status: 'executed', reason: 'checked' });
  });

  it('needs two persons where the policy requires two', async () => {
    const host = await startHost();
    const message = await posted(host, 500);
    await click(host, message, 'Approve');
    await saying(message, 'Approvals\n1 of 2: ops-1');
    await click(host, message, 'Approve');
    expect((await approvalOf(host, message)).status).toBe('pending');
    await click(host, message, 'Approve', { user: 'U-OPS-2' });
    await saying(message, 'Approved by ops-1, ops-2. The call ran.');
    expect(tool.calls).toHaveLength(1);
  });

  it('is one decision if the request is sent again', async () => {
    const host = await startHost();
    const message = await posted(host);
    const { body, headers } = signed(formOf(clickOn(message, 'Approve')), { at: clock.now() });
    for (let count = 0; count < 2; count++)
      expect(await host.raw('POST', '/slack/interactions', { as: null, headers, body })).toMatchObject({
        status: 200,
      });
    await slackOf(host).idle();
    await saying(message, 'Approved by ops-1. The call ran.');
    expect(tool.calls).toHaveLength(1);
  });

  it('is shown where it was made over HTTP', async () => {
    const host = await startHost();
    const message = await posted(host);
    const { pending } = (await host.get('/approvals')).body.data as unknown as ApprovalListData;
    await host.post(`/approvals/${pending[0]?.token}/reject`, { reason: 'not due' });
    await saying(message, 'Rejected by ops-1. The call did not run.\nReason: not due');
  });

  it('can be made on another instance than the one that posted the message, and after both stopped', async () => {
    const database = await freshDatabase();
    const instance = () => {
      stores = typeormStores({ url: database.url });
      return startHost();
    };
    const [here, there] = [await instance(), await instance()];
    const [first, second] = [await posted(here), await posted(here, 41)];
    await click(there, first, 'Approve');
    await saying(first, 'Approved by ops-1. The call ran.');
    for (const host of hosts.splice(0)) await host.stop();
    const later = await instance();
    await approvalsOf(later).decide(idOf(second), { verdict: 'rejected', actor: 'ops-2', reason: 'no' });
    await saying(second, 'Rejected by ops-2. The call did not run.\nReason: no');
    expect(slack.callsOf('chat.postMessage')).toHaveLength(2);
    for (const host of hosts.splice(0)) await host.stop();
    await database.drop();
  });

  it('is made while Slack is unavailable, and shown later', async () => {
    const host = await startHost();
    const message = await posted(host);
    slack.answer = () => ({ status: 500 });
    expect(await click(host, message, 'Approve')).toMatchObject({ status: 200 });
    expect((await approvalOf(host, message)).status).toBe('executed');
    slack.answer = () => undefined;
    clock.advance(120_000);
    await saying(message, 'Approved by ops-1. The call ran.');
  });
});

describe('a click that is too late', () => {
  it('loses against a decision made elsewhere, and shows that one', async () => {
    const host = await startHost();
    const message = await posted(host);
    const late = clickOn(message, 'Approve', { user: 'U-OPS-2' });
    await approvalsOf(host).decide(idOf(message), { verdict: 'rejected', actor: 'ops-1', reason: 'no' });
    await saying(message, 'Rejected by ops-1');
    message.blocks = [];
    await send(host, late);
    expect(await whispered()).toEqual({ user: 'U-OPS-2', text: 'This approval was already rejected.' });
    await slackOf(host).idle();
    expect(textsOf(message)).toContain('Rejected by ops-1');
    expect(tool.calls).toEqual([]);
  });

  it('decides nothing after the expiry, and shows it', async () => {
    const host = await startHost();
    const message = await posted(host);
    clock.advance(2 * 3600_000);
    await click(host, message, 'Approve');
    expect(await whispered()).toMatchObject({ text: expect.stringContaining('expired') });
    await saying(message, 'Expired before it was decided. The call did not run.');
    expect(tool.calls).toEqual([]);
  });

  it('decides neither an edited call nor the one in its place', async () => {
    const host = await startHost();
    const message = await posted(host);
    const late = clickOn(message, 'Approve');
    const edit = { arguments: { order: 'A-1182', amount: 20 }, actor: 'ops-2', reason: 'too much' };
    const proposed = await approvalsOf(host).propose(idOf(message), edit);
    await send(host, late);
    expect(await whispered()).toMatchObject({
      text: expect.stringContaining('An operator edited this call.'),
    });
    await saying(message, `the call was edited. Approval ${proposed.id} waits in its place.`);
    // A button of the new approval with the digest of the old one.
    const next = await messageOf(proposed.id);
    const forged = clickOn(next, 'Approve');
    const [button] = forged.actions;
    const [, digest] = late.actions[0].value.split('.');
    await send(host, { ...forged, actions: [{ ...button, value: `${proposed.id}.${digest}` }] });
    await slackOf(host).idle();
    expect(slack.whispers.at(-1)?.text).toContain('The arguments have changed');
    expect(await approvalsOf(host).find(proposed.id)).toMatchObject({ status: 'pending' });
    expect(tool.calls).toEqual([]);
  });
});

describe('a delayed update of a message', () => {
  it('does not leave an earlier state in the message', async () => {
    const host = await startHost();
    const message = await posted(host);
    let release = (): void => undefined;
    const released = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
    slack.answer = (method, _args, count) => (method === 'chat.update' && count === 1 ? released : undefined);
    // The refused click shows the waiting call again; this update is held back.
    await send(host, clickOn(message, 'Approve', { user: 'U-STRANGER' }));
    await slack.until(() => slack.callsOf('chat.update').length > 0);
    await approvalsOf(host).decide(idOf(message), { verdict: 'rejected', actor: 'ops-1', reason: 'no' });
    await saying(message, 'Rejected by ops-1');
    release();
    await slackOf(host).idle();
    expect(textsOf(message)).toContain('Rejected by ops-1');
    expect(slack.callsOf('chat.update')).toHaveLength(3);
  });
});

describe('a click that may not decide', () => {
  it('gets an answer if the approval does not exist', async () => {
    const host = await startHost();
    const message = await posted(host);
    const payload = clickOn(message, 'Approve');
    const [button] = payload.actions;
    await send(host, { ...payload, actions: [{ ...button, value: `999.${'a'.repeat(64)}` }] });
    await slackOf(host).idle();
    expect(slack.whispers).toMatchObject([{ text: 'This approval no longer exists.' }]);
  });

  it.each<readonly [string, Partial<SlackApprovalsOptions>, By, RegExp]>([
    ['an unknown user', {}, { user: 'U-STRANGER' }, /belongs to no approver/],
    ['a user of another workspace', {}, { team: 'T-OTHER' }, /Only members of the workspace/],
    ['a guest from another workspace', {}, { home: 'T-OTHER' }, /Only members of the workspace/],
    ['the requester', {}, { user: 'U-CUSTOMER' }, /The requester cannot approve this call/],
    ['a user that mayDecide refuses', { mayDecide: () => false }, {}, /You may not decide this call/],
    ['a mayDecide that answers a text', { mayDecide: () => 'yes' as never }, {}, /You may not decide/],
    ['a mayDecide that throws', { mayDecide: () => fail() }, {}, /You may not decide this call/],
    ['a mayDecide that is slow', { mayDecide: () => never<boolean>() }, {}, /You may not decide this call/],
    ['an actorOf that throws', { actorOf: () => fail() }, {}, /belongs to no approver/],
    ['an actorOf that is slow', { actorOf: () => never<string>() }, {}, /belongs to no approver/],
    ['an actorOf that answers a blank text', { actorOf: () => ' ' }, {}, /belongs to no approver/],
  ])('gets an answer that is visible to its user only: %s', async (_, options, by, words) => {
    const host = await startHost(options);
    const message = await posted(host);
    expect(await click(host, message, 'Approve', by)).toMatchObject({ status: 200, text: '' });
    expect(slack.whispers).toEqual([{ user: by.user ?? 'U-OPS-1', text: expect.stringMatching(words) }]);
    expect((await approvalOf(host, message)).status).toBe('pending');
    expect(tool.calls).toEqual([]);
  });

  it('needs a member of the group, to approve and to reject', async () => {
    const host = await startHost();
    const message = await posted(host, 5000);
    const by = { user: 'U-OPS-2' };
    await click(host, message, 'Approve', by);
    await click(host, message, 'Reject', by);
    await submit(host, 'not due', by);
    expect(slack.whispers.map(({ text }) => text)).toEqual(
      Array.from({ length: 2 }, () => 'Only members of the approver group finance can decide this call.'),
    );
    expect((await approvalOf(host, message)).status).toBe('pending');
    await click(host, message, 'Approve');
    expect((await approvalOf(host, message)).status).toBe('executed');
  });

  it('needs a message that shows everything: a button that is not offered decides nothing', async () => {
    const open = await startHost();
    const message = await posted(open);
    const closed = await startHost({ content: 'none', name: 'slack-closed' });
    await click(closed, message, 'Approve');
    expect(slack.whispers.at(-1)?.text).toContain('cannot be decided in Slack');
    expect((await approvalOf(open, message)).status).toBe('pending');
  });

  it('passes the workspace, the user and the call to the host', async () => {
    const calls: unknown[] = [];
    const host = await startHost({
      actorOf: (team, user) => (calls.push([team, user]), 'ops-1'),
      mayDecide: (actor, { tool: name, arguments: args }) => (calls.push([actor, name, args]), true),
    });
    const message = await posted(host);
    await click(host, message, 'Approve');
    const args = { order: 'A-1182', amount: 40, customer_id: 'customer-42' };
    expect(calls).toEqual([
      ['T1DC2JH3J', 'U-OPS-1'],
      ['ops-1', 'refund', args],
    ]);
  });

  it('gets an answer if the dialog cannot be opened', async () => {
    const host = await startHost();
    const message = await posted(host);
    slack.answer = (method) =>
      method === 'views.open' ? { body: { ok: false, error: 'expired_trigger_id' } } : undefined;
    await click(host, message, 'Reject');
    expect(slack.whispers.at(-1)?.text).toBe('The dialog could not be opened. Click again.');
    expect(warnings).toEqual([expect.stringContaining('Slack answered expired_trigger_id to views.open')]);
  });
});

describe('a request that is not from Slack', () => {
  it.each<readonly [string, object, number]>([
    ['a forged signature', { secret: 'another secret' }, 401],
    ['an old timestamp', { at: new Date(Date.now() - 400_000) }, 401],
  ])('is refused with %s, and decides nothing', async (_, options, status) => {
    const host = await startHost();
    const message = await posted(host);
    const answer = await send(host, clickOn(message, 'Approve'), options);
    expect(answer).toMatchObject({ status, text: '' });
    await slackOf(host).idle();
    await send(host, clickOn(message, 'Approve'), options);
    expect((await approvalOf(host, message)).status).toBe('pending');
    expect(slack.whispers).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('check `signingSecret` and the clock')]);
  });

  it('is refused if it is malformed or too large', async () => {
    const host = await startHost();
    const raw = (text: string): Promise<Answer> => {
      const { body, headers } = signed(text, { at: clock.now() });
      return host.raw('POST', '/slack/interactions', { as: null, headers, body });
    };
    expect(await raw('payload=%7B')).toMatchObject({ status: 400, text: '' });
    expect(await raw(`payload=${'x'.repeat(70_000)}`)).toMatchObject({ status: 413, text: '' });
  });

  it('is refused after the application has closed', async () => {
    const host = await startHost();
    const message = await posted(host);
    const { body, headers } = signed(formOf(clickOn(message, 'Approve')), { at: clock.now() });
    const approvals = slackOf(host);
    await host.stop();
    hosts.length = 0;
    expect(approvals.handle(body, headers)).toEqual({ status: 503, body: '' });
    expect(tool.calls).toEqual([]);
  });
});

function fail(): never {
  throw new Error('the directory is down');
}

function never<Result>(): Promise<Result> {
  return new Promise(() => undefined);
}
