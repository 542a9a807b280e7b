import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalListData,
  PendingApproval,
} from '#contracts/approvals/approvals.api.js';
import type { AuditListData } from '#contracts/audit/entry.js';
import type { DecisionMade } from '#contracts/events/decision-events.js';
import type { NewApproval } from '#contracts/approvals/approvals.js';
import type { Tool, ToolArguments, ToolRun } from '#contracts/firewall/firewall.js';
import { ApprovalTokens } from '#engine/controls/approvals/approval-keys.js';
import { approvalEvidence, newApproval } from '#stores/contract/builders.js';
import type { Answer, Call } from '../support/client.js';
import { expectEnvelope, expectError } from '../support/envelope.js';
import { describeOnEachStore } from '../support/hosts.js';
import { TestHost } from '../support/host.js';

const SECRET = `AKIA${'Q7X2'.repeat(4)}`;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const DECISION = 'approval-decision';

interface Execution {
  readonly args: ToolArguments;
  readonly run: ToolRun;
}

const executions: Execution[] = [];
/** The next result of the tool. */
let behave: (args: ToolArguments) => unknown;

const refund: Tool = {
  name: 'refund',
  parameters: {
    type: 'object',
    properties: {
      order: { type: 'string' },
      amount: { type: 'number' },
      user_id: { type: 'string' },
    },
    required: ['order'],
    additionalProperties: false,
  },
  execute: (args, run) => {
    executions.push({ args, run });
    return behave(args);
  },
};

/** A promise that the test resolves. */
class Promised {
  keep!: (value?: unknown) => void;
  readonly kept = new Promise<unknown>((resolve) => {
    this.keep = resolve;
  });
}

/** The `data` of a decision that was answered, which has exactly the fields of the contract. */
function decided(answer: Answer): ApprovalDecisionData {
  const { data } = expectEnvelope(answer, 200, DECISION);
  expect(Object.keys(data).toSorted()).toEqual([
    'approval_id',
    'decided_at',
    'decided_by',
    'decision',
    'error',
    'policy',
    'result',
    'run_id',
    'status',
    'tool',
  ]);
  return data as unknown as ApprovalDecisionData;
}

describeOnEachStore({ settings: { 'hitl.enabled': true }, tools: [refund] }, (bench) => {
  const { it, itOnEachStore } = bench;

  const events: DecisionMade[] = [];
  const tokens: string[] = [];
  let runs = 0;

  beforeAll(() => {
    bench.host.application
      .get(EventEmitter2, { strict: false })
      .onAny((_, event: unknown) => void events.push(event as DecisionMade));
  });

  beforeEach(() => {
    bench.clock.setToNow();
    executions.length = 0;
    events.length = 0;
    behave = ({ order }) => ({ refunded: order });
  });

  afterEach(async () => {
    const { overridden } = await bench.read<{ overridden: readonly string[] }>('/settings');
    const settings = Object.fromEntries(overridden.map((key) => [key, null]));
    await bench.api.put('/settings', { settings });
  });

  /** The parked call of a run that requested a refund. */
  async function park(
    principalId = `customer-${++runs}`,
  ): Promise<PendingApproval & { readonly token: string }> {
    const runId = `run-${bench.hostKind}-${++runs}`;
    const guarded = bench.host.guardrails.guardTool(refund, { principalId, runId, application: 'shop' });
    const outcome = await guarded.execute({ order: `A-${runs}`, amount: 12 });
    expect(outcome.status).toBe('parked');
    const { pending } = await bench.read<ApprovalListData>('/approvals');
    const waiting = pending.find((item) => item.run_id === runId);
    if (waiting === undefined || waiting.token === null) throw new Error('the call does not wait');
    tokens.push(waiting.token);
    expect(JSON.stringify(outcome)).not.toContain(waiting.token);
    return { ...waiting, token: waiting.token };
  }

  /** Adds a call to the store directly. */
  async function stand(parts: Partial<NewApproval>): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const call = newApproval({ tokenHash: ApprovalTokens.hash(token), ...parts });
    await bench.stores.approvals.park(call, approvalEvidence, 1000);
    tokens.push(token);
    return token;
  }

  const send = (token: string, verb: string, body?: unknown, call?: Call): Promise<Answer> =>
    bench.api.post(`/approvals/${token}/${verb}`, body, call);
  const approve = (token: string, body?: unknown, call?: Call): Promise<Answer> =>
    send(token, 'approve', body, call);
  const reject = (token: string, body?: unknown, call?: Call): Promise<Answer> =>
    send(token, 'reject', body, call);
  const isPending = async (token: string): Promise<boolean> =>
    (await bench.read<ApprovalListData>('/approvals')).pending.some((item) => item.token === token);
  const names = (): readonly string[] =>
    events.map(({ name }) => name).filter((name) => name.includes('approval'));

  describe('contract 7.1: approve', () => {
    itOnEachStore('resumes the parked tool, with the arguments that were shown', async () => {
      const waiting = await park('customer-42');
      expect(executions).toEqual([]);
      expect(waiting.token).toMatch(TOKEN);
      const data = decided(await approve(waiting.token, { reason: 'checked with the customer' }));
      expect(data).toEqual({
        decision: 'approved',
        approval_id: waiting.approval_id,
        run_id: waiting.run_id,
        tool: 'refund',
        status: 'executed',
        decided_by: 'ops-1',
        decided_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        result: { refunded: waiting.arguments['order'] },
        error: null,
        policy: { rule: null, needed: 1, given: 1, group: null, reason_required: false },
      });
      expect(executions.map(({ args }) => args)).toEqual([waiting.arguments]);
      expect(waiting.arguments).toMatchObject({ amount: 12, user_id: 'customer-42' });
      expect(executions[0]?.run).toMatchObject({
        approvalId: waiting.approval_id,
        idempotencyKey: expect.stringMatching(/\S/),
      });
      expect(await isPending(waiting.token)).toBe(false);
      expect(names()).toEqual(['guardrails.approval.decided', 'guardrails.approval.executed']);
      expect(events.find(({ name }) => name === 'guardrails.approval.decided')?.facts).toMatchObject({
        actorId: 'ops-1',
        approvalId: waiting.approval_id,
        control: 'hitl',
        outcome: 'allowed',
        tool: 'refund',
      });
    });

    it('shows the result of the tool with its secrets redacted', async () => {
      behave = () => ({ key: SECRET, list: [`use ${SECRET} here`], [SECRET]: 1, fine: 'é ✓' });
      const answer = await approve((await park()).token);
      expect(decided(answer).result).toMatchObject({
        fine: 'é ✓',
        list: [expect.stringMatching(/^use .+ here$/)],
      });
      expect(answer.text).not.toContain(SECRET);
    });

    it.each<readonly [string, unknown, unknown]>([
      ['nothing', undefined, null],
      ['null', null, null],
      ['false', false, false],
      ['zero', 0, 0],
      ['a text', 'done', 'done'],
      ['a list', [1, 'two'], [1, 'two']],
      ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
      ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ])('shows a tool that returned %s', async (_, returned, shown) => {
      behave = () => returned;
      const data = decided(await approve((await park()).token));
      expect(data).toMatchObject({ status: 'executed', result: shown, error: null });
    });

    it.each<readonly [string, () => unknown]>([
      ['ASCII', () => 'x'.repeat(100_000)],
      ['wide characters', () => '😀'.repeat(20_000)],
      ['quotes', () => '"\\\n'.repeat(20_000)],
      ['many entries', () => Array.from({ length: 10_000 }, (_, index) => ({ index }))],
      ['just too much', () => 'x'.repeat(16 * 1024 - 1)],
    ])('keeps a result of %s within 16 KiB', async (_, returned) => {
      behave = returned;
      const { result, status } = decided(await approve((await park()).token));
      expect(status).toBe('executed');
      const size = Buffer.byteLength(JSON.stringify(result));
      expect(size).toBeGreaterThan(1000);
      expect(size).toBeLessThanOrEqual(16 * 1024);
    });

    it('answers a result that is no JSON', async () => {
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      behave = () => circle;
      expect(decided(await approve((await park()).token)).status).toBe('executed');
      behave = () => ({ big: 10n });
      expect(decided(await approve((await park()).token)).result).toEqual({ big: '10' });
    });

    it.each<readonly [string, () => unknown]>([
      [
        'throws',
        () => {
          throw new Error(`the bank said no to ${SECRET}`);
        },
      ],
      ['rejects', () => Promise.reject(new Error(`the bank said no to ${SECRET}`))],
    ])('answers 200 although the tool %s, because the decision was made', async (_, behaviour) => {
      behave = behaviour;
      const { token } = await park();
      const answer = await approve(token);
      expect(decided(answer)).toMatchObject({
        decision: 'approved',
        status: 'failed',
        result: null,
        error: {
          code: expect.stringMatching(/^[a-z_]+$/),
          message: expect.stringContaining('the bank said no'),
        },
      });
      expect(answer.text).not.toContain(SECRET);
      expect(names()).toEqual(['guardrails.approval.decided', 'guardrails.approval.failed']);
      behave = () => 'a second chance';
      expect(decided(await approve(token)).status).toBe('failed');
      expect(executions).toHaveLength(1);
    });

    it('answers if the tool throws a value that is not an Error', async () => {
      behave = () => {
        throw 'text';
      };
      expect(decided(await approve((await park()).token)).status).toBe('failed');
    });
  });

  describe('contract 7.1: reject', () => {
    it('refuses the parked tool, which never runs', async () => {
      const waiting = await park();
      const data = decided(await reject(waiting.token, { reason: null }));
      expect(data).toMatchObject({
        decision: 'rejected',
        status: 'rejected',
        approval_id: waiting.approval_id,
        decided_by: 'ops-1',
        result: null,
        error: null,
      });
      expect(executions).toEqual([]);
      expect(names()).toEqual(['guardrails.approval.decided']);
      expect(events.at(-1)?.facts).toMatchObject({ outcome: 'blocked', actorId: 'ops-1' });
      expect(await isPending(waiting.token)).toBe(false);
    });
  });

  describe.each(['approve', 'reject'])('contract 7.1: the body of %s', (verb) => {
    it.each<readonly [string, unknown, Call]>([
      ['is missing', undefined, {}],
      ['is empty', '', { headers: { 'content-type': 'application/json' } }],
      ['is an empty object', {}, {}],
      ['has a reason of 1000 characters', { reason: 'é'.repeat(1000) }, {}],
      ['has no approval', { approval_id: null }, {}],
      ['has an actor, which is ignored', { reason: 'x', actor: 'mallory' }, {}],
    ])('%s', async (_, body, call) => {
      const answer = await send((await park()).token, verb, body, call);
      expect(decided(answer)).toMatchObject({ decided_by: 'ops-1' });
      expect(answer.text).not.toContain('mallory');
    });

    it.each<readonly [string, unknown, Call, number, string]>([
      ['a reason of 1001 characters', { reason: 'x'.repeat(1001) }, {}, 422, 'invalid_body'],
      ['a reason that is no text', { reason: 7 }, {}, 422, 'invalid_body'],
      ['a reason that is a list', { reason: ['x'] }, {}, 422, 'invalid_body'],
      ['a list', [], {}, 422, 'invalid_body'],
      ['null', 'null', {}, 422, 'invalid_body'],
      ['broken JSON', '{"reason":', {}, 400, 'malformed_json'],
      ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'malformed_json'],
      [
        'a form',
        'reason=x',
        { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        415,
        'unsupported_media_type',
      ],
      ['a megabyte', { reason: 'x'.repeat(1024 * 1024) }, {}, 413, 'body_too_large'],
    ])('contract 7.1, 2.3: a body with %s decides nothing', async (_, body, call, status, code) => {
      const { token } = await park();
      const error = expectError(await send(token, verb, body, call), status, DECISION, code).data.error;
      const isAboutReason = typeof body === 'object' && 'reason' in (body as object) && status === 422;
      expect(Object.keys(error.fields ?? {})).toEqual(isAboutReason ? ['reason'] : []);
      expect(await isPending(token)).toBe(true);
      await reject(token);
    });

    it('rejects a body with unknown members, and names all of them', async () => {
      const { token } = await park();
      const body = {
        reason: 'x',
        arguments: { amount: 2 },
        note: 'x',
        actor: 'mallory',
        actor_id: 'mallory',
      };
      const { error } = expectError(await send(token, verb, body), 422, DECISION, 'invalid_body').data;
      expect(Object.keys(error.fields).toSorted()).toEqual(['actor_id', 'arguments', 'note']);
      expect(await isPending(token)).toBe(true);
      await reject(token);
    });

    it('contract 7.1, 6.3: ignores an actor in the request, and refuses callers without an actor or the right', async () => {
      const { token } = await park();
      const calls = await bench.stores.callsDuring(async () => {
        expectError(await send(token, verb, {}, { as: 'nameless' }), 403, DECISION, 'actor_required');
        expectError(await send(token, verb, {}, { as: 'reader' }), 403, DECISION, 'forbidden');
        expectError(await send(token, verb, {}, { as: null }), 401, DECISION, 'unauthenticated');
      });
      expect(calls).toEqual([]);
      expect(await isPending(token)).toBe(true);
      const call = { headers: { actor: 'mallory', 'x-actor': 'mallory' } };
      const answer = await bench.api.post(
        `/approvals/${token}/${verb}?actor=mallory`,
        { actor: 'mallory' },
        call,
      );
      expect(decided(answer).decided_by).toBe('ops-1');
    });

    it('a token of another approval is not found, and decides neither approval', async () => {
      const [one, other] = [await park(), await park()];
      const body = { approval_id: other.approval_id };
      expectError(await send(one.token, verb, body), 404, DECISION, 'not_found');
      expect([await isPending(one.token), await isPending(other.token)]).toEqual([true, true]);
      await reject(one.token);
      expect(decided(await send(other.token, verb, body))).toMatchObject(body);
      expectError(
        await send(other.token, verb, { approval_id: one.approval_id }),
        404,
        DECISION,
        'not_found',
      );
    });

    it.each([0, -1, 1.5, '1', true, [1], {}, Number.MAX_SAFE_INTEGER + 1])(
      '%j is not the id of an approval',
      async (id) => {
        const { token } = await park();
        const answer = await send(token, verb, { approval_id: id });
        const { error } = expectError(answer, 422, DECISION, 'invalid_body').data;
        expect(Object.keys(error.fields)).toEqual(['approval_id']);
        expect(await isPending(token)).toBe(true);
        await reject(token);
      },
    );

    it('contract 7.2: an unknown token is not found', async () => {
      const { token } = await park();
      for (const unknown of [
        'A'.repeat(43),
        token.slice(0, -1),
        `${token}A`,
        token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
        '0',
        '-1',
        '1',
        'x'.repeat(5000),
        '%00',
        '%E0%A4%A',
        '%',
        '%F0%9F%98%80',
        '..%2F..',
        "'%20or%201=1--",
        '__proto__',
        'constructor',
      ]) {
        expectError(await send(unknown, verb), 404, DECISION, 'not_found');
      }
      expect(await isPending(token)).toBe(true);
      await reject(token);
    });

    itOnEachStore(
      'contract 7.2: answers 410 to an expired token, and records one entry of evidence for repeated requests',
      async () => {
        const token = await stand({ ttlMs: 0 });
        expect(await isPending(token)).toBe(false);
        for (const again of [verb, verb, 'approve', 'reject']) {
          expectError(await send(token, again), 410, DECISION, 'expired');
        }
        expect(executions).toEqual([]);
        expect(names()).toEqual(['guardrails.approval.expired']);
      },
    );
  });

  describe('contract 7.2: a second decision', () => {
    itOnEachStore(
      'answers a repetition by the same actor with the stored outcome, and does not run the tool again',
      async () => {
        for (const verb of ['approve', 'reject']) {
          const { token } = await park();
          const first = decided(await send(token, verb, { reason: 'first' }));
          executions.length = 0;
          events.length = 0;
          expect(decided(await send(token, verb, { reason: 'second' }))).toEqual(first);
          expect(decided(await send(token, verb))).toEqual(first);
          expect(executions).toEqual([]);
          expect(names()).toEqual([]);
        }
      },
    );

    itOnEachStore.each([
      ['approve', 'approve', 'second-operator'],
      ['approve', 'reject', 'second-operator'],
      ['approve', 'reject', 'operator'],
      ['reject', 'reject', 'second-operator'],
      ['reject', 'approve', 'second-operator'],
      ['reject', 'approve', 'operator'],
    ])('%s, then %s by %s answers 409 with the first actor', async (first, second, as) => {
      const { token } = await park();
      const { decision, decided_by, decided_at } = decided(await send(token, first));
      executions.length = 0;
      const { error } = expectError(
        await send(token, second, {}, { as }),
        409,
        DECISION,
        'already_decided',
      ).data;
      expect(error.details).toEqual({ decision, decided_by, decided_at });
      expect(executions).toEqual([]);
    });

    it('answers executing to the same actor and already_decided to another while the tool runs', async () => {
      const promised = new Promised();
      const begun = new Promised();
      behave = () => {
        begun.keep();
        return promised.kept;
      };
      const { token } = await park();
      const first = approve(token);
      await begun.kept;
      try {
        expectError(await approve(token), 409, DECISION, 'executing');
        expectError(await approve(token, {}, { as: 'second-operator' }), 409, DECISION, 'already_decided');
        expectError(await reject(token), 409, DECISION, 'already_decided');
      } finally {
        promised.keep('late');
      }
      expect(decided(await first)).toMatchObject({ status: 'executed', result: 'late' });
      expect(decided(await approve(token))).toMatchObject({ status: 'executed', result: 'late' });
      expect(executions).toHaveLength(1);
    });

    itOnEachStore.each([
      ['approvals of one actor', ['approve'], ['operator']],
      ['approvals of two', ['approve'], ['operator', 'second-operator']],
      ['rejections of two', ['reject'], ['operator', 'second-operator']],
      ['both of two', ['approve', 'reject'], ['operator', 'second-operator']],
    ] as const)(
      'one of twenty concurrent requests decides, and the tool runs at most once: %s',
      async (_, verbs, people) => {
        const { token } = await park();
        const answers = await Promise.all(
          Array.from({ length: 20 }, (__, index) =>
            send(
              token,
              verbs[index % verbs.length] ?? 'approve',
              {},
              {
                as: people[Math.floor(index / verbs.length) % people.length] ?? null,
              },
            ),
          ),
        );
        const successes = answers.filter(({ status }) => status === 200).map(decided);
        expect(successes.length).toBeGreaterThan(0);
        const [winner] = successes;
        for (const { decision, decided_by, decided_at } of successes) {
          expect({ decision, decided_by, decided_at }).toEqual({
            decision: winner?.decision,
            decided_by: winner?.decided_by,
            decided_at: winner?.decided_at,
          });
        }
        for (const answer of answers.filter(({ status }) => status !== 200)) {
          const { error } = expectEnvelope(answer, 409, DECISION).data;
          expect(['already_decided', 'executing']).toContain(error.code);
          if (error.code === 'already_decided') expect(error.details['decided_by']).toBe(winner?.decided_by);
        }
        expect(executions).toHaveLength(winner?.decision === 'approved' ? 1 : 0);
        expect(names().filter((name) => name === 'guardrails.approval.decided')).toHaveLength(1);
      },
    );
  });

  describe('contract 7.2, 7.4: changes after parking', () => {
    it('contract 7.2: approve is refused and reject works while HITL is off', async () => {
      const kept = await park();
      const dropped = await park();
      await bench.api.put('/settings', { settings: { 'hitl.enabled': false } });
      const { approval } = await bench.read<ApprovalDetailData>(`/approvals/${kept.approval_id}`);
      expect(approval).toMatchObject({ cannot_decide_reason: 'hitl_unavailable', warnings: [] });
      expectError(await approve(kept.token), 409, DECISION, 'hitl_unavailable');
      expectError(await approve('A'.repeat(43)), 404, DECISION, 'not_found');
      expect(decided(await reject(dropped.token)).status).toBe('rejected');
      expectError(await approve(dropped.token), 409, DECISION, 'already_decided');
      expect(await isPending(kept.token)).toBe(true);
      expect(executions).toEqual([]);
      await bench.api.put('/settings', { settings: { 'hitl.enabled': null } });
      expect(decided(await approve(kept.token)).status).toBe('executed');
    });

    it.each<readonly [string, unknown]>([
      ['modes.tool_firewall', 'monitor'],
      ['tool_firewall.reject_unknown_arguments', false],
      ['tool_firewall.owner_keys', ['user_id']],
      ['hitl.destructive_tools', ['refund', 'other']],
      ['hitl.fallback', 'pass'],
      ['tool_authorization.owner_key_depth', 'top_level'],
    ])('contract 7.4: a change of %s supersedes the approval, and nothing runs', async (key, value) => {
      const { token, approval_id: id } = await park();
      await bench.api.put('/settings', { settings: { [key]: value } });
      // The list says so before anyone decides (contract 5.7).
      const { pending } = await bench.read<ApprovalListData>('/approvals');
      expect(pending.find((waiting) => waiting.approval_id === id)).toMatchObject({
        can_decide: false,
        cannot_decide_reason: 'superseded',
        warnings: [],
      });
      expectError(await approve(token), 409, DECISION, 'superseded');
      expectError(await approve(token), 409, DECISION, 'superseded');
      expect(executions).toEqual([]);
      expect(names()).toContain('guardrails.approval.superseded');
      expect(await isPending(token)).toBe(false);
    });

    it('contract 7.4: unrelated settings, and a policy that was changed back, do not supersede a call', async () => {
      const { token } = await park();
      const other = { 'retention.days': 3, 'modes.input_screen': 'off', 'normalization.nfkc': false };
      await bench.api.put('/settings', { settings: { ...other, 'hitl.fallback': 'pass' } });
      await bench.api.put('/settings', { settings: { 'hitl.fallback': null } });
      expect(decided(await approve(token)).status).toBe('executed');
    });

    itOnEachStore('contract 7.4: does not run arguments that differ from their digest', async () => {
      const waiting = await park();
      const stored = await bench.stores.approvals.find(waiting.approval_id);
      if (stored === null) throw new Error('it is not stored');
      const { policyRevision, toolFingerprint, argumentsDigest } = stored;
      const token = await stand({
        policyRevision,
        toolFingerprint,
        argumentsDigest,
        arguments: { ...stored.arguments, amount: 1_000_000 },
      });
      expectError(await approve(token), 409, DECISION, 'superseded');
      expect(executions).toEqual([]);
      await reject(waiting.token);
    });

    it('contract 7.4: a tool that is not registered here cannot be approved, but can be rejected', async () => {
      const token = await stand({ tool: 'unheard_of' });
      expectError(await approve(token), 409, DECISION, 'hitl_unavailable');
      expect(decided(await reject(token))).toMatchObject({ tool: 'unheard_of', status: 'rejected' });
    });
  });

  describe('contract 7.6: the token', () => {
    itOnEachStore('is in no event, no audit row and no error', async () => {
      behave = () => 'done';
      const { token } = await park();
      const wrong = await approve(token, { reason: 7 });
      await approve(token);
      const again = await reject(token);
      for (const { text, headers } of [wrong, again]) {
        expect(text).not.toContain(token);
        expect(JSON.stringify(headers)).not.toContain(token);
      }
      const { entries } = await bench.read<AuditListData>('/audit?control=all&limit=200');
      expect(entries.length).toBeGreaterThan(2);
      const details = await Promise.all(entries.slice(0, 10).map(({ id }) => bench.api.get(`/audit/${id}`)));
      const seen = JSON.stringify([entries, events, executions]) + details.map(({ text }) => text).join('');
      for (const known of tokens) expect(seen).not.toContain(known);
    });
  });

  describe('contract 2.3: a store that fails', () => {
    it('decides nothing', async () => {
      const { token } = await park();
      const fault = new Error('deadlock detected in relation xyzzy');
      for (const verb of ['approve', 'reject']) {
        const answer = await bench.stores.failingWith(fault, () => send(token, verb));
        expectError(answer, 500, DECISION, 'internal');
        expect(answer.text).not.toMatch(/deadlock|xyzzy/);
      }
      expect(executions).toEqual([]);
      expect(await isPending(token)).toBe(true);
      await reject(token);
    });
  });
});

describe('contract 2.3, 7: self_approval', () => {
  test('contract 2.3: under four eyes the requester cannot approve, but can reject', async () => {
    behave = () => 'done';
    const host = await TestHost.start({
      guardrails: { tools: [refund], settings: { 'hitl.enabled': true, 'hitl.four_eyes': true } },
    });
    try {
      const ask = async (runId: string): Promise<string> => {
        const guarded = host.guardrails.guardTool(refund, { principalId: 'Ops\u200b-1', runId });
        await guarded.execute({ order: 'A-1' });
        const { pending } = (await host.get('/approvals')).body.data as unknown as ApprovalListData;
        return pending.find((item) => item.run_id === runId)?.token ?? '';
      };
      const token = await ask('run-1');
      expectError(await host.post(`/approvals/${token}/approve`), 409, DECISION, 'self_approval');
      const other = await host.post(`/approvals/${token}/approve`, {}, { as: 'second-operator' });
      expect(other.body.data).toMatchObject({ status: 'executed', decided_by: 'ops-2' });
      expect((await host.post(`/approvals/${await ask('run-2')}/reject`)).status).toBe(200);
    } finally {
      await host.stop();
    }
  });
});
