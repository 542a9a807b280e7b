import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FIRST, REQUESTER, Scene, SECOND, STRICTER } from './scene.js';
import { clickOn, formOf, signed } from '../support/slack-requests.mjs';
import { fromCode, inSlack, overHttp, sendToSlackRoute, type Decision } from './ways.js';
import { userOf } from './slack-host.js';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
});

afterAll(() => scene.close());

beforeEach(() => {
  scene.ran.length = 0;
});

const WAYS = [overHttp(() => scene), fromCode(() => scene), inSlack(() => scene)];

const approve = (actor: string): Decision => ({ verdict: 'approved', actor, reason: 'Checked.' });
const reject = (actor: string): Decision => ({
  verdict: 'rejected',
  actor,
  reason: 'The goods never came back.',
});
const refusedAs = (status: string) => ({ refused: true, status });
const becomes = (status: string) => ({ refused: false, status });

describe('the model approves its own call', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const call = await scene.park(200);
    expect(await decide(call, approve(REQUESTER))).toEqual(refusedAs('pending'));
    expect(await decide(call, approve(` ${REQUESTER.toUpperCase()}`))).toEqual(refusedAs('pending'));
    expect(await scene.call({ euros: 200, approved: true })).toMatchObject({ status: 'refused' });
    expect(scene.ran).toEqual([]);
  });
});

describe('a declined call runs', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const call = await scene.park(200);
    expect(await decide(call, reject(FIRST))).toEqual(becomes('rejected'));
    expect(await decide(call, approve(SECOND))).toEqual(refusedAs('rejected'));
    expect((await call.parked.outcome()).status).toBe('rejected');
    expect(scene.ran).toEqual([]);
  });
});

describe('a stale button decides another call', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const old = await scene.park(200);
    const current = await scene.edit(old, 300);
    expect(await decide(old, approve(SECOND))).toEqual(refusedAs('superseded'));
    expect(await scene.statusOf(current)).toBe('pending');
    expect(scene.ran).toEqual([]);
  });
});

describe('an edited call is not the one that runs', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const edited = await scene.edit(await scene.park(200), 120);
    expect(await decide(edited, approve(SECOND))).toEqual(becomes('executed'));
    expect(scene.ran).toEqual([{ euros: 120 }]);
    expect((await edited.parked.outcome()).result).toEqual({ paid: 120 });
  });
});

describe('an edit moves a call below a threshold', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const edited = await scene.edit(await scene.park(2000), 20);
    expect(scene.ran).toEqual([]);
    // The editor counts as a requester, and two approvers are still needed.
    expect(await decide(edited, approve(FIRST))).toEqual(refusedAs('pending'));
    expect(await decide(edited, approve(SECOND))).toEqual(becomes('pending'));
    expect(scene.ran).toEqual([]);
  });
});

describe('a decision is replayed', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const call = await scene.park(200);
    expect(await decide(call, approve(FIRST))).toEqual(becomes('executed'));
    const repeated = await Promise.all([1, 2, 3].map(() => decide(call, approve(FIRST))));
    expect(repeated.map(({ status }) => status)).toEqual(['executed', 'executed', 'executed']);
    expect(scene.ran).toHaveLength(1);
  });
});

describe('the instance crashes after it claimed the call', () => {
  it.each(WAYS)('$name', async ({ decide, decideOn }) => {
    const call = await scene.park(200);
    const instance = await scene.crashingInstance();
    const [, paid] = await Promise.all([decideOn(instance, call, approve(FIRST)), instance.dead()]);
    expect([paid, await scene.statusOf(call)]).toEqual([1, 'executing']);
    await scene.elapse('lease_until', call);
    await scene.recover(call);
    expect(await scene.statusOf(call)).toBe('outcome_unknown');
    expect((await decide(call, approve(FIRST))).status).toBe('outcome_unknown');
    expect(scene.ran).toEqual([]);
  });
});

describe('the policy changes while a call waits', () => {
  afterEach(() => scene.setPolicies(null));

  it.each(WAYS)('$name', async ({ decide }) => {
    const call = await scene.park(200);
    await scene.setPolicies(STRICTER);
    expect(await decide(call, approve(FIRST))).toEqual(refusedAs('superseded'));
    expect(scene.ran).toEqual([]);
  });
});

describe('one person decides twice', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const call = await scene.park(2000);
    expect(await decide(call, approve(FIRST))).toEqual(becomes('pending'));
    expect(await decide(call, approve(FIRST))).toEqual(becomes('pending'));
    await decide(call, approve(` ${FIRST.toUpperCase()} `));
    expect((await scene.find(call)).voteCount).toBe(1);
    expect(scene.ran).toEqual([]);
    expect(await decide(call, approve(SECOND))).toEqual(becomes('executed'));
  });
});

describe('an approver loses the right before the last vote', () => {
  afterEach(() => scene.finance.left.clear());

  it.each(WAYS)('$name', async ({ decide }) => {
    const call = await scene.park(2000);
    await decide(call, approve(FIRST));
    scene.finance.left.add(FIRST);
    expect(await decide(call, approve(SECOND))).toEqual(becomes('pending'));
    expect(scene.ran).toEqual([]);
  });
});

describe('the reason is lost', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const { reason } = reject(FIRST);
    const call = await scene.park(200);
    await decide(call, reject(FIRST));
    const outcome = await call.parked.outcome();
    expect([outcome.reason, outcome.message]).toEqual([reason, expect.stringContaining(String(reason))]);
    const shown = await scene.host.get(`/approvals/${call.approvalId}`, { as: FIRST });
    expect(shown.text).toContain(reason);
  });
});

describe('the model asks again after a rejection', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const runId = scene.newRun();
    const call = await scene.park(200, runId);
    await decide(call, reject(FIRST));
    const again = await scene.call({ euros: 200 }, runId);
    expect(again).toMatchObject({
      parked: { approvalId: call.approvalId },
      message: expect.stringContaining('never came back'),
    });
    expect(await scene.statusOf(call)).toBe('rejected');
    expect((await scene.call({ euros: 200 })).status).toBe('parked');
    expect(scene.ran).toEqual([]);
  });
});

describe('the time runs out', () => {
  it.each(WAYS)('$name', async ({ decide }) => {
    const call = await scene.park(200);
    await scene.elapse('expires_at', call);
    expect(await decide(call, approve(FIRST))).toEqual(refusedAs('expired'));
    expect((await call.parked.outcome()).status).toBe('expired');
    expect(scene.ran).toEqual([]);
  });
});

describe('a link preview or a prefetch opens the link', () => {
  it('HTTP', async () => {
    const call = await scene.park(200);
    const decisions = ['approve', 'reject'].map((verb) => `/approvals/${call.token}/${verb}`);
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      for (const route of [`/approvals/${call.approvalId}`, ...decisions])
        await scene.host.call(method, route, { as: FIRST });
    expect(await scene.find(call)).toMatchObject({ status: 'pending', decision: null });
  });

  it('Slack', async () => {
    const call = await scene.park(200);
    await sendToSlackRoute(scene.host, signed(formOf(clickOn(call.message, 'Open in the panel'))));
    await scene.slackApprovals.idle();
    expect(await scene.find(call)).toMatchObject({ status: 'pending', decision: null });
  });
});

describe('somebody else decides', () => {
  it('HTTP', async () => {
    const call = await scene.park(200);
    for (const as of [null, 'stranger', ''])
      expect((await scene.host.post(`/approvals/${call.token}/approve`, {}, { as })).status).toBe(401);
    expect(await scene.statusOf(call)).toBe('pending');
  });

  it('code', async () => {
    const call = await scene.park(200);
    for (const actor of ['', ' ', undefined as unknown as string])
      await expect(scene.approvals.decide(call.approvalId, approve(actor))).rejects.toMatchObject({
        code: 'actor_required',
      });
    expect(await scene.statusOf(call)).toBe('pending');
  });

  it('Slack', async () => {
    const call = await scene.park(200);
    const others = [
      { user: 'STRANGER' },
      { user: userOf(FIRST), team: 'T0OTHER' },
      { user: userOf(FIRST), home: 'T0OTHER' },
    ];
    for (const other of others) {
      const answer = await sendToSlackRoute(
        scene.host,
        signed(formOf(clickOn(call.message, 'Approve', other))),
      );
      expect(answer.status).toBe(200);
      await scene.slackApprovals.idle();
    }
    expect(await scene.statusOf(call)).toBe('pending');
    expect(scene.ran).toEqual([]);
  });
});

describe('a forged or old request decides', () => {
  it('HTTP', async () => {
    const call = await scene.park(200);
    const forged = call.token.replace(/^./, call.token.startsWith('A') ? 'B' : 'A');
    expect((await scene.host.post(`/approvals/${forged}/approve`, {}, { as: FIRST })).status).toBe(404);
    expect(await scene.statusOf(call)).toBe('pending');
  });

  it('Slack', async () => {
    const call = await scene.park(200);
    const click = formOf(clickOn(call.message, 'Approve', { user: userOf(FIRST) }));
    const current = signed(click);
    const requests = [
      signed(click, { secret: 'another secret' }),
      signed(click, { at: new Date(Date.now() - 301_000) }),
      { ...current, body: Buffer.from(`${click}&x=1`) },
      { ...current, headers: { ...current.headers, 'x-slack-signature': '' } },
    ];
    for (const request of requests) expect((await sendToSlackRoute(scene.host, request)).status).toBe(401);
    await scene.slackApprovals.idle();
    expect(await scene.statusOf(call)).toBe('pending');
    expect(scene.ran).toEqual([]);
  });
});
