import assert from 'node:assert/strict';
import type { BudgetClaim, BudgetLimit, BudgetState } from '#contracts/approvals/budgets.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import {
  change,
  changed,
  claiming,
  command,
  noEvidence,
  NOTHING,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  resolution,
  superseding,
  TWO_APPROVERS,
  voting,
} from './approval-helpers.js';
import type { Contract } from './backend-fixture.js';
import { approvalEvidence, decision, newApproval, newDigest } from './builders.js';
import { retain } from './retention-helpers.js';

const DAY_MS = 24 * 3_600_000;

/** A claim and a limit on a new budget. */
export function budgetOf(amount: string, lte: string, owner: string | null = null) {
  const budget = newDigest().slice(0, 64);
  const claim: BudgetClaim = { budget, owner, amount };
  const limit: BudgetLimit = { budget, windowMs: DAY_MS, lte };
  return { claim, limit, claimOf: (other: string): BudgetClaim => ({ ...claim, amount: other }) };
}

/** Admits a call with these claims. Returns whether it was admitted, and what was spent. */
export async function admit(
  { budgets }: Pick<StoreBackend, 'budgets'>,
  claims: readonly BudgetClaim[],
  limits: readonly BudgetLimit[],
  reference: string = crypto.randomUUID(),
): Promise<readonly [isAdmitted: boolean, ...spent: readonly string[]]> {
  const evidence = (states: readonly BudgetState[]) =>
    decision({ control: 'hitl', prompt: `spent ${states.map(({ spent }) => spent).join()}` });
  const { isAdmitted, states } = await budgets.admit({ reference, claims }, limits, evidence);
  return [isAdmitted, ...states.map(({ spent }) => spent)];
}

export const budgetsContract: Contract = ({ describe, it }, fixture) => {
  const { approvals, audit, budgets } = fixture;
  const spent = async (claim: BudgetClaim, windowMs = DAY_MS) =>
    (await budgets.states([claim], [{ budget: claim.budget, windowMs, lte: '0' }]))[0]?.spent;

  describe('admit', () => {
    it('admits calls up to the limit, and commits the evidence of these only', async () => {
      const { claim, limit } = budgetOf('10', '30');
      const admitted = [];
      for (let call = 0; call < 4; call++) admitted.push(await admit(fixture, [claim], [limit]));
      assert.deepEqual(admitted, [
        [true, '0'],
        [true, '10'],
        [true, '20'],
        [false, '30'],
      ]);
      assert.equal(await spent(claim), '30');
      const entries = await fixture.entries();
      assert.deepEqual(
        entries.map(({ prompt_preview: promptPreview }) => promptPreview),
        ['spent 20', 'spent 10', 'spent 0'],
      );
    });

    it('reserves nothing if the evidence builder throws', async () => {
      const { claim, limit } = budgetOf('10', '10');
      const reservation = { reference: 'r', claims: [claim] };
      await assert.rejects(budgets.admit(reservation, [limit], noEvidence), /no evidence/);
      assert.equal(await spent(claim), '0');
    });

    for (const [amounts, sum] of [
      [['0.1', '0.1', '0.1'], '0.3'],
      [['0.1', '0.2', '1000000000000000000000.7'], '1000000000000000000001'],
      [['12.50', '0', '7.50'], '20'],
      [['9007199254740991', '9007199254740991', '1'], '18014398509481983'],
      [[`1${'0'.repeat(300)}`, `0.${'0'.repeat(323)}5`], `1${'0'.repeat(300)}.${'0'.repeat(323)}5`],
    ] as const) {
      it(`sums ${amounts.join(' + ').slice(0, 60)} exactly`, async () => {
        const { claimOf, claim, limit } = budgetOf('0', sum);
        for (const amount of amounts) {
          const [isAdmitted] = await admit(fixture, [claimOf(amount)], [limit]);
          assert.equal(isAdmitted, true);
        }
        assert.equal(await spent(claim), sum);
        assert.equal((await admit(fixture, [claimOf('0.1')], [limit]))[0], false);
      });
    }

    it('reserves in every claimed budget or in none', async () => {
      const [sum, count] = [budgetOf('10', '100'), budgetOf('1', '1')];
      const [claims, limits] = [
        [sum.claim, count.claim],
        [sum.limit, count.limit],
      ];
      assert.deepEqual(await admit(fixture, claims, limits), [true, '0', '0']);
      assert.deepEqual(await admit(fixture, claims, limits), [false, '10', '1']);
      assert.deepEqual([await spent(sum.claim), await spent(count.claim)], ['10', '1']);
    });

    it('looks at the window of each limit', async () => {
      const { claim, limit } = budgetOf('10', '10');
      await admit(fixture, [claim], [limit]);
      const now = { ...limit, windowMs: 0 };
      assert.deepEqual(await admit(fixture, [claim], [now]), [true, '0']);
      assert.deepEqual(await admit(fixture, [claim], [now, limit]), [false, '0', '20']);
    });

    it('never exceeds a limit with 200 concurrent calls on two instances', async () => {
      const { claim, limit } = budgetOf('0.7', '35');
      const admitted = await fixture.concurrently(200, (backend) => admit(backend, [claim], [limit]));
      assert.equal(admitted.filter(([isAdmitted]) => isAdmitted).length, 50);
      assert.equal(await spent(claim), '35');
    });
  });

  describe('release', () => {
    it('frees what the call reserved, once', async () => {
      const { claim, limit } = budgetOf('10', '20');
      await admit(fixture, [claim], [limit], 'first');
      await admit(fixture, [claim], [limit], 'second');
      for (const reference of ['unknown', 'first', 'first']) {
        await budgets.release(reference);
        assert.equal(await spent(claim), reference === 'unknown' ? '20' : '10');
      }
      assert.deepEqual(await admit(fixture, [claim], [limit]), [true, '10']);
    });
  });

  describe('the claims of an approval', () => {
    it('reserve nothing while the call waits, or when it is rejected or expires', async () => {
      const { claim } = budgetOf('10', '0');
      const call = await park(fixture, { claims: [claim] });
      assert.equal(await spent(claim), '0');
      await changed(fixture, call, command({ verdict: 'rejected' }));
      const expired = await park(fixture, { claims: [claim], ttlMs: 0 });
      await changed(fixture, expired, { kind: 'expire' });
      assert.equal(await spent(claim), '0');
    });

    it('are stored, and reserved by the approval, also above the limit', async () => {
      const { claim, limit } = budgetOf('10', '15', 'customer-42');
      const { id } = await parkApproved(fixture, { claims: [claim] });
      await parkApproved(fixture, { claims: [claim] });
      assert.deepEqual((await approvals.find(id))?.claims, [claim]);
      assert.deepEqual(await admit(fixture, [claim], [limit]), [false, '20']);
    });

    it('are reserved by the last of several votes, and not by an earlier one', async () => {
      const { claim } = budgetOf('10', '0');
      const call = await park(fixture, { ...TWO_APPROVERS, claims: [claim] });
      await changed(fixture, call, voting({ actorId: 'ops-1', afterCount: 0 }));
      assert.equal(await spent(claim), '0');
      await changed(fixture, call, voting({ actorId: 'ops-2', afterCount: 1, isLast: true }));
      assert.equal(await spent(claim), '10');
      await changed(fixture, call, superseding());
      assert.equal(await spent(claim), '0');
    });

    it('reserve nothing when an edited call replaces the call, whose approval reserves its own', async () => {
      const { claim, claimOf } = budgetOf('10', '0');
      const { id } = await park(fixture, { claims: [claim] });
      const call = newApproval({ supersedes: id, firstId: id, editors: ['ops-1'], claims: [claimOf('4')] });
      const { proposed } = (await approvals.propose(id, call, approvalEvidence)) ?? {};
      assert.deepEqual([proposed?.claims, await spent(claim)], [[claimOf('4')], '0']);
      await changed(fixture, { id: proposed?.id ?? 0 }, command());
      assert.equal(await spent(claim), '4');
    });

    it('reserve nothing if the evidence of the approval throws', async () => {
      const { claim } = budgetOf('10', '0');
      const call = await park(fixture, { claims: [claim] });
      await assert.rejects(change(fixture, call, command(), noEvidence), /no evidence/);
      assert.equal(await spent(claim), '0');
    });

    for (const [end, kept] of [
      ['executed', '10'],
      ['outcome_unknown', '10'],
      ['failed', '0'],
      ['superseded', '0'],
    ] as const) {
      it(`are ${kept === '0' ? 'released' : 'kept'} when the call is ${end}`, async () => {
        const { claim } = budgetOf('10', '0');
        await parkFinished(fixture, end, { claims: [claim] });
        assert.equal(await spent(claim), kept);
      });
    }

    it('are released when a claim finds the call changed', async () => {
      const { claim } = budgetOf('10', '0');
      const call = await parkApproved(fixture, { claims: [claim] });
      await changed(fixture, call, claiming({ isUnchanged: () => false }));
      assert.equal(await spent(claim), '0');
    });

    it('are kept while the run is lost, and follow the resolution of its outcome', async () => {
      const { claim } = budgetOf('10', '0');
      const [one, other] = [
        await parkClaimed(fixture, 0, { claims: [claim] }),
        await parkClaimed(fixture, 0, { claims: [claim] }),
      ];
      for (const call of [one, other])
        await changed(fixture, call, { kind: 'markUnknown', fence: call.fence, result: NOTHING });
      assert.equal(await spent(claim), '20');
      await changed(fixture, one, resolution({ resolution: 'executed' }));
      assert.equal(await spent(claim), '20');
      await changed(fixture, other, resolution({ resolution: 'failed' }));
      assert.equal(await spent(claim), '10');
    });
  });

  it('erases the budgets of a principal with its name', async () => {
    const [one, other] = [budgetOf('10', '0', 'customer-42'), budgetOf('10', '0', 'customer-7')];
    for (const { claim } of [one, other]) await admit(fixture, [claim], []);
    await audit.append(decision({ principalId: 'customer-42' }));
    await retain(fixture, 'anonymize', { kind: 'principal', principalId: 'customer-42' });
    assert.deepEqual([await spent(one.claim), await spent(other.claim)], ['0', '10']);
  });
};
