import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApproverGroups, type Approval } from '#contracts/approvals/approvals.js';
import type { ToolContext } from '#contracts/firewall/firewall.js';
import type { PolicyRecord } from '#contracts/policies/policies.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { parkedCall } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';

const POLICY = {
  rules: [
    { when: { '/amount': { lte: 50 } }, require: 'allow' },
    { when: { '/amount': { gt: 50, lte: 500 } }, require: 'approval' },
    {
      when: { '/amount': { gt: 500, lte: 5000 } },
      require: 'approval',
      approvers: 2,
      group: 'finance',
      ttl: 600,
    },
    { require: 'deny' },
  ],
  limits: [{ sum: '/amount', lte: 10_000, per: 'day', require: 'deny' }],
};

const FINANCE = ['customer-42', 'cfo', 'controller', 'editor'];

class Finance extends ApproverGroups {
  readonly calls: (readonly [actor: string, group: string])[] = [];
  readonly former = new Set<string>();

  override isMember(actorId: string, group: string): boolean {
    this.calls.push([actorId, group]);
    return group === 'finance' && FINANCE.includes(actorId) && !this.former.has(actorId);
  }
}

/** Calls of a tool with a policy, from the request to the last vote. */
export function describeQuorum(where: string, openStores: () => Promise<StoreBackend>): void {
  describe(`a policy with several approvers, over ${where}`, () => {
    let setup: Bench;
    let finance: Finance;
    let tool: ReturnType<typeof refundTool>;
    let runs = 0;

    beforeEach(async () => {
      finance = new Finance();
      tool = refundTool();
      setup = await bench(
        { 'hitl.enabled': true, 'hitl.destructive_tools': [], 'hitl.policies': { refund: POLICY } },
        { stores: await openStores(), tools: [tool], approverGroups: finance },
      );
    });

    const context = (): ToolContext => ({ principalId: 'customer-42', runId: `run-${++runs}` });
    const ask = (amount: number) =>
      setup.engine.guardrails.guardTool(tool, context()).execute({ order: 'A-1', amount });
    const wait = async (amount: number): Promise<number> =>
      (await parkedCall(setup.engine, tool, { order: 'A-1', amount }, context())).approvalId;
    const approve = (id: number, actor: string): Promise<Approval> =>
      setup.engine.approvals.decide(id, { verdict: 'approved', actor });
    const edit = (id: number, amount: number): Promise<Approval> => {
      const reason = `${amount} is enough`;
      return setup.engine.approvals.propose(id, {
        arguments: { order: 'A-1', amount },
        actor: 'editor',
        reason,
      });
    };
    const lifetimeOf = ({ createdAt, expiresAt }: Approval): number => Number(expiresAt) - Number(createdAt);

    it('answers `not_found` to ids that no approval can have', async () => {
      const { approvals } = setup.engine;
      for (const id of [Number.NaN, 1.5, -1, 1e300]) {
        expect(await approvals.find(id)).toBeNull();
        await expect(approve(id, 'cfo')).rejects.toMatchObject({ code: 'not_found' });
        await expect(edit(id, 20)).rejects.toMatchObject({ code: 'not_found' });
      }
    });

    it('voids the vote of an approver who left, on each of several calls, and two others approve them', async () => {
      const ids = [await wait(600), await wait(700)];
      for (const id of ids) await approve(id, 'cfo');
      finance.former.add('cfo');
      for (const id of ids.toReversed()) {
        expect((await approve(id, 'controller')).status).toBe('pending');
        const { votes, decidedBy } = await approve(id, 'editor');
        expect(votes.map(({ actorId, voidedAt }) => [actorId, voidedAt === null])).toEqual([
          ['cfo', false],
          ['controller', true],
          ['editor', true],
        ]);
        expect(decidedBy).toBe('editor');
      }
    });

    /** The amount that the principal has spent today, from the limits of a waiting call. */
    async function spent(id: number): Promise<readonly string[]> {
      const claims = (await setup.stores.approvals.find(id))?.claims ?? [];
      const limits = claims.map(({ budget }) => ({ budget, windowMs: 24 * 3_600_000, lte: '10000' }));
      return (await setup.stores.budgets.states(claims, limits)).map((state) => state.spent);
    }

    async function lastRecord(): Promise<readonly [ruleId: string | null, record: PolicyRecord]> {
      const [latest] = (await setup.stores.audit.list({ control: 'hitl' }, { limit: 1 })).entries;
      const entry = await setup.stores.audit.find(latest?.id ?? 0);
      return [entry?.ruleId ?? null, JSON.parse(entry?.policy ?? 'null') as PolicyRecord];
    }

    it('runs a call of 20 at once', async () => {
      expect((await ask(20)).status).toBe('executed');
      expect((await setup.engine.approvals.pending()).entries).toEqual([]);
    });

    it('runs a call of 200 after one approval of any operator', async () => {
      const id = await wait(200);
      const { requirement } = (await setup.engine.approvals.find(id)) ?? {};
      expect(requirement).toEqual({ rule: 2, approvers: 1, group: null, isReasonRequired: false });
      expect((await approve(id, 'ops-1')).status).toBe('executed');
      expect([tool.calls.length, finance.calls]).toEqual([1, []]);
    });

    it('runs a call of 2,000 after the approvals of two members of the group', async () => {
      const id = await wait(2000);
      const waiting = await setup.engine.approvals.find(id);
      expect(waiting?.requirement).toEqual({
        rule: 3,
        approvers: 2,
        group: 'finance',
        isReasonRequired: false,
      });
      expect(waiting === null ? 0 : lifetimeOf(waiting)).toBe(600_000);
      await expect(approve(id, 'customer-42')).rejects.toMatchObject({ code: 'self_approval' });
      await expect(approve(id, 'ops-1')).rejects.toMatchObject({ code: 'forbidden' });
      for (let repeated = 0; repeated < 2; repeated++)
        expect(await approve(id, 'cfo')).toMatchObject({ status: 'pending', voteCount: 1 });
      expect(tool.calls).toEqual([]);
      expect(await approve(id, 'controller')).toMatchObject({ status: 'executed', voteCount: 2 });
      expect(tool.calls).toHaveLength(1);
      expect(finance.calls).toContainEqual(['controller', 'finance']);
    });

    it('reserves the limit with the last vote, and not before', async () => {
      const id = await wait(2000);
      expect(await spent(id)).toEqual(['0']);
      await approve(id, 'cfo');
      expect(await spent(id)).toEqual(['0']);
      await approve(id, 'controller');
      expect(await spent(id)).toEqual(['2000']);
    });

    it('reserves nothing for a call that is rejected after a vote', async () => {
      const id = await wait(2000);
      await approve(id, 'cfo');
      await setup.engine.approvals.decide(id, { verdict: 'rejected', actor: 'controller' });
      expect(await spent(id)).toEqual(['0']);
    });

    it('waits for as many approvers of the same group after an edit under the threshold', async () => {
      const id = await wait(2000);
      await approve(id, 'cfo');
      const proposed = await edit(id, 20);
      expect(proposed).toMatchObject({
        status: 'pending',
        votes: [],
        requirement: { rule: 1, approvers: 2, group: 'finance' },
        claims: [{ amount: '20' }],
      });
      const [ruleId, record] = await lastRecord();
      expect([ruleId, record]).toMatchObject([
        'policy.1',
        { require: 'allow', arguments: { '/amount': { value: 20 } } },
      ]);
      expect([await spent(id), await spent(proposed.id)]).toEqual([['0'], ['0']]);
      await expect(approve(proposed.id, 'editor')).rejects.toMatchObject({ code: 'self_approval' });
      expect((await approve(proposed.id, 'cfo')).status).toBe('pending');
      expect((await approve(proposed.id, 'controller')).status).toBe('executed');
      expect(tool.calls).toMatchObject([{ amount: 20 }]);
      expect(await spent(proposed.id)).toEqual(['20']);
    });

    it('requires what the policy requires for the edited call above the threshold', async () => {
      const proposed = await edit(await wait(200), 2000);
      expect(proposed).toMatchObject({ requirement: { rule: 3, approvers: 2, group: 'finance' } });
      expect(lifetimeOf(proposed)).toBe(600_000);
    });

    it('refuses an edit that the rules or a limit deny, and changes nothing', async () => {
      const id = await wait(200);
      const before = await setup.stores.approvals.find(id);
      const refused = {
        code: 'invalid_body',
        fields: { arguments: ['are denied by the policy of the tool'] },
      };
      await expect(edit(id, 6000)).rejects.toMatchObject(refused);
      for (const amount of [5000, 4000]) {
        const large = await wait(amount);
        for (const actor of ['cfo', 'controller']) await approve(large, actor);
      }
      await expect(edit(id, 3000)).rejects.toMatchObject(refused);
      expect(await setup.stores.approvals.find(id)).toEqual(before);
      expect(await edit(id, 900)).toMatchObject({ status: 'pending' });
    });
  });
}
