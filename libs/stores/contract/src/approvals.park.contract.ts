import assert from 'node:assert/strict';
import type { Approval, NewApproval, RunEnd } from '#contracts/approvals/approvals.js';
import {
  change,
  changed,
  command,
  evidenceTexts,
  noEvidence,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  resolution,
  TWO_APPROVERS,
  voting,
} from './approval-helpers.js';
import { approvalEvidence, newApproval } from './builders.js';
import { entriesOf, type Contract } from './backend-fixture.js';
import { UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';
import type { BuildEvidence } from '#contracts/stores/approvals.store.js';

const FULL: Partial<NewApproval> = {
  runId: 'run-9',
  stepName: 'refund the order',
  tool: 'refund',
  reversible: true,
  idempotent: true,
  headline: ['Refund ', '49.90 \u202e"', ''],
  warnings: ['holds hidden characters', 'is very long'],
  principalId: 'customer-42',
  application: 'support',
  requestId: 'request-7',
  traceParent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  encryptedToken: 'c2VhbGVk',
  policyRevision: 'policy-2',
  requestedArguments: { order: 'A-1182', user_id: ['customer-7'] },
  overwritten: [{ path: '/user_id', from: ['customer-7'], to: 'customer-42' }],
  requirement: { rule: 3, approvers: 2, group: 'finance', isReasonRequired: true },
  ttlMs: 1_234_567,
};

const sameCall = (): NewApproval => newApproval({ runId: 'run-1', argumentsDigest: 'd'.repeat(64) });

const rejection = command({ verdict: 'rejected' });

const customerCall = (parts: Partial<NewApproval> = {}): NewApproval =>
  newApproval({ principalId: 'customer-42', ...parts });

/** The same text in every text field. */
const textEverywhere = (text: string): Partial<NewApproval> => ({
  runId: text,
  stepName: text,
  tool: text,
  arguments: { [text]: [text, { [text]: text }] },
  headline: [text, text],
  warnings: [text],
  principalId: text,
  application: text,
  requestId: text,
  policyRevision: text,
  requestedArguments: { [text]: text },
  overwritten: [{ path: text, from: text, to: text }],
  requirement: { rule: 1, approvers: 1, group: text, isReasonRequired: false },
  editors: [text],
  editReason: text,
});

/** Each makes another call of `sameCall()`. */
const OTHER_CALLS: readonly Partial<NewApproval>[] = [
  { runId: 'run-2' },
  { runId: null },
  { stepName: 'another step' },
  { tool: 'lookup' },
  { argumentsDigest: 'e'.repeat(64) },
  { principalId: 'customer-7' },
  { application: 'another' },
];

export const approvalsParkContract: Contract = ({ describe, it }, fixture) => {
  const { approvals, audit } = fixture;
  const parkUpTo = (maxOpen: number, call: NewApproval) => approvals.park(call, approvalEvidence, maxOpen);

  describe('park', () => {
    it('stores the call as a pending approval, with its evidence', async () => {
      const call = newApproval(FULL);
      const parked = await park(fixture, call);
      const { id, auditId, createdAt, expiresAt, ...approval } = parked;
      const { ttlMs, encryptedToken, ...stored } = call;
      assert.equal(await approvals.encryptedToken(id), encryptedToken);
      assert.ok(Number.isSafeInteger(id) && id > 0);
      assert.equal(expiresAt.getTime() - createdAt.getTime(), ttlMs);
      assert.deepEqual(await evidenceTexts(fixture), [`approval ${id} is pending`]);
      const [entry] = (await audit.list({ control: 'hitl' }, { limit: 1 })).entries;
      assert.equal(auditId, entry?.id);
      assert.deepEqual(approval, {
        ...stored,
        status: 'pending',
        decision: null,
        decidedBy: null,
        decidedAt: null,
        reason: null,
        decisionMac: null,
        votes: [],
        supersededBy: null,
        voteCount: 0,
        fence: 0,
        leaseUntil: null,
        finishedAt: null,
        notifyAttempts: 0,
        resolvedBy: null,
        resolvedAt: null,
        resolvedReason: null,
        result: null,
        error: null,
      });
      assert.deepEqual(await approvals.find(id), parked);
      assert.deepEqual(await approvals.findByTokenHash(parked.tokenHash), parked);
      assert.ok((await park(fixture)).id > id);
    });

    it('stores nothing if the evidence builder throws', async () => {
      const call = newApproval();
      await assert.rejects(approvals.park(call, noEvidence, 20), /no evidence/);
      assert.equal(await approvals.findByTokenHash(call.tokenHash), null);
      assert.deepEqual(await entriesOf((page) => approvals.pending(page)), []);
    });

    describe('the same call of a run', () => {
      it('is one approval with one entry while it is pending, also if requested concurrently', async () => {
        const results = await fixture.concurrently(20, (backend) =>
          backend.approvals.park(sameCall(), approvalEvidence, 1000),
        );
        assert.equal(results.filter((result) => result?.created === true).length, 1);
        const again = await approvals.park(sameCall(), noEvidence, 20);
        assert.equal(again?.created, false);
        for (const result of results) assert.deepEqual(result?.approval, again.approval);
        assert.equal((await evidenceTexts(fixture)).length, 1);
      });

      it('is found by `findSame` as by `park`, which stores other calls', async () => {
        assert.equal(await approvals.findSame(sameCall()), null);
        const parked = await park(fixture, sameCall());
        assert.deepEqual(await approvals.findSame(sameCall()), parked);
        for (const other of OTHER_CALLS) {
          const call = { ...sameCall(), ...other };
          assert.equal(await approvals.findSame(call), null, JSON.stringify(other));
          assert.equal((await parkUpTo(1000, call))?.created, true, JSON.stringify(other));
        }
        // Without a run, calls always differ.
        assert.equal((await parkUpTo(1000, { ...sameCall(), runId: null }))?.created, true);
      });

      it('has a last approval in any state, for its run, step and requester', async () => {
        assert.equal(await approvals.findLast(sameCall()), null);
        const expired = await park(fixture, { ...sameCall(), ttlMs: 0 });
        assert.equal((await approvals.findLast(sameCall()))?.id, expired.id);
        await changed(fixture, expired, { kind: 'expire' });
        assert.equal((await approvals.findLast(sameCall()))?.status, 'expired');
        const parked = await park(fixture, sameCall());
        assert.deepEqual(await approvals.findLast(sameCall()), parked);
        for (const other of OTHER_CALLS)
          assert.equal(await approvals.findLast({ ...sameCall(), ...other }), null, JSON.stringify(other));
        const edit = { argumentsDigest: 'e'.repeat(64), supersedes: parked.id, firstId: parked.id };
        const edited = newApproval({ ...sameCall(), ...edit });
        await approvals.propose(parked.id, edited, approvalEvidence);
        assert.equal((await approvals.findLast(sameCall()))?.status, 'superseded');
        assert.equal(await approvals.findLast(edited), null);
      });

      const end =
        (status: RunEnd | 'superseded') =>
        (parts: Partial<NewApproval>): Promise<Approval> =>
          parkFinished(fixture, status, parts);
      for (const [name, isNew, ended] of [
        ['approved', false, (parts) => parkApproved(fixture, parts)],
        ['rejected', false, async (parts) => changed(fixture, await park(fixture, parts), rejection)],
        ['executed', false, end('executed')],
        ['outcome_unknown', false, end('outcome_unknown')],
        ['failed', true, end('failed')],
        ['superseded', true, end('superseded')],
        [
          'resolved as failed',
          true,
          async (parts) =>
            changed(fixture, await end('outcome_unknown')(parts), resolution({ resolution: 'failed' })),
        ],
        ['overdue', true, (parts) => park(fixture, { ...parts, ttlMs: 0 })],
      ] as readonly (readonly [string, boolean, (parts: Partial<NewApproval>) => Promise<Approval>])[]) {
        it(`is ${isNew ? 'a new one' : 'the same one'} after it was ${name}`, async () => {
          const { id } = await ended(sameCall());
          assert.equal((await approvals.findSame(sameCall()))?.id, isNew ? undefined : id);
          const again = await parkUpTo(1000, sameCall());
          assert.deepEqual([again?.created, again?.approval.id === id], [isNew, !isNew]);
        });
      }

      it('stays rejected in another step of the run, and nowhere else', async () => {
        const ofShop = (parts: Partial<NewApproval> = {}): NewApproval => ({
          ...sameCall(),
          principalId: 'customer-42',
          application: 'shop',
          ...parts,
        });
        const { id } = await changed(fixture, await park(fixture, ofShop()), rejection);
        const again = await parkUpTo(1000, ofShop({ stepName: 'another step' }));
        assert.deepEqual([again?.created, again?.approval.id], [false, id]);
        for (const parts of [...OTHER_CALLS, { principalId: null }, { application: null }])
          if (parts.stepName === undefined)
            assert.equal((await parkUpTo(1000, ofShop(parts)))?.created, true, JSON.stringify(parts));
      });
    });

    describe('the open calls of a principal', () => {
      it('are refused above the limit, and nothing is written; the same call is returned', async () => {
        const same = { runId: 'run-1', argumentsDigest: 'd'.repeat(64) };
        await parkUpTo(2, customerCall(same));
        await parkUpTo(2, customerCall());
        const call = customerCall();
        assert.equal(await parkUpTo(2, call), null);
        assert.equal(await parkUpTo(0, call), null);
        assert.equal(await approvals.findByTokenHash(call.tokenHash), null);
        assert.equal((await evidenceTexts(fixture)).length, 2);
        assert.equal((await parkUpTo(2, customerCall(same)))?.created, false);
      });

      it('stay within the limit if requested concurrently', async () => {
        const parked = await fixture.concurrently(16, (backend) =>
          backend.approvals.park(customerCall(), approvalEvidence, 5),
        );
        assert.equal(parked.filter((result) => result !== null).length, 5);
      });

      it('stay within a limit of one per principal if many principals request calls concurrently', async () => {
        const parked = await fixture.concurrently(20, (backend, index) =>
          backend.approvals.park(
            customerCall({ principalId: `customer-${index >> 1}` }),
            approvalEvidence,
            1,
          ),
        );
        assert.equal(parked.filter((result) => result !== null).length, 10);
      });

      it('do not count for another principal, for a call without one, or after they ended', async () => {
        const first = await parkUpTo(1, customerCall());
        for (const principalId of ['customer-7', null, null])
          assert.notEqual(await parkUpTo(1, customerCall({ principalId })), null);
        await changed(fixture, { id: first?.approval.id ?? 0 }, command());
        assert.notEqual(await parkUpTo(1, customerCall({ ttlMs: 0 })), null);
        assert.notEqual(await parkUpTo(1, customerCall()), null);
      });
    });
  });

  describe('the pending call', () => {
    for (const [name, text] of [
      ['the order of the keys of its arguments', '{"zeta":1,"alpha":2,"nested":{"b":1,"a":2},"Alpha":3}'],
      ['numbers as arguments', '{"n":[1e+21,0.1,-0.5,1e-7,9007199254740991,0,123456789.123]}'],
      ['nested arguments', '{"a":[[],{},[[1,[2]]],{"b":{"c":{"d":[null,true,false]}}}]}'],
      [
        'arguments called __proto__ and constructor',
        '{"__proto__":{"admin":true},"constructor":{"prototype":1}}',
      ],
      ['an empty name and an empty text', '{"":""}'],
      ['no arguments at all', '{}'],
    ] as const) {
      it(`keeps ${name}`, async () => {
        const { id } = await park(fixture, { arguments: JSON.parse(text) as Record<string, unknown> });
        assert.equal(JSON.stringify((await approvals.find(id))?.arguments), text);
      });
    }

    it('keeps unusual and long texts, and does not change with the object of the caller', async () => {
      const args = {
        [UNUSUAL_TEXT]: UNUSUAL_TEXT,
        text: 'pay everything. '.repeat(16_384),
        to: ['customer-42'],
      };
      const requested = structuredClone(args);
      const { id } = await park(fixture, { arguments: args });
      args.to.push('customer-7');
      assert.deepEqual((await approvals.find(id))?.arguments, requested);
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`replaces ${name} in every text`, async () => {
        const { id } = await park(fixture, textEverywhere(given));
        const found = await approvals.find(id);
        assert.ok(found !== null);
        assert.deepEqual(found, { ...found, ...textEverywhere(kept) });
        assert.equal(await approvals.findByTokenHash(given), null);
      });
    }
  });
};

export const approvalsProposeContract: Contract = ({ describe, it }, fixture) => {
  const { approvals, audit } = fixture;
  const edited = (supersedes: number, parts: Partial<NewApproval> = {}): NewApproval => {
    const edit = { supersedes, firstId: supersedes, editors: ['ops-1'], editReason: 'half of it' };
    return newApproval({ ...edit, ...parts });
  };
  const propose = async (id: number, parts?: Partial<NewApproval>) => {
    const result = await approvals.propose(id, edited(id, parts), approvalEvidence);
    assert.ok(result !== null, 'the call can be edited');
    return result;
  };

  describe('propose', () => {
    it('supersedes the pending call and stores the proposal, linked to each other', async () => {
      const parked = await park(fixture, { encryptedToken: 'c2VhbGVk' });
      const { superseded, proposed } = await propose(parked.id);
      const { finishedAt } = superseded;
      assert.deepEqual(superseded, {
        ...parked,
        status: 'superseded',
        supersededBy: proposed.id,
        finishedAt,
      });
      const { supersedes, editors, editReason, firstId, status, votes } = proposed;
      assert.deepEqual(
        [supersedes, firstId, editors, editReason, status, votes],
        [parked.id, parked.id, ['ops-1'], 'half of it', 'pending', []],
      );
      assert.deepEqual(await approvals.find(parked.id), superseded);
      assert.deepEqual(await approvals.find(proposed.id), proposed);
      assert.deepEqual((await approvals.pending({ limit: 10 })).entries, [proposed]);
      assert.equal(await approvals.encryptedToken(parked.id), null);
      assert.ok(proposed.auditId !== null && (await audit.find(proposed.auditId)) !== null);
      assert.deepEqual(await evidenceTexts(fixture), [
        `approval ${parked.id} is pending`,
        `approval ${parked.id} is superseded`,
        `approval ${proposed.id} is pending`,
      ]);
      assert.deepEqual(await approvals.dueNotifications(0, 10), [], 'the superseded call is not notified');
    });

    it('returns null, and writes nothing, for a call that is not pending', async () => {
      for (const standing of [
        await parkApproved(fixture),
        await parkClaimed(fixture),
        await parkFinished(fixture, 'executed'),
        await park(fixture, { ttlMs: 0 }),
      ]) {
        assert.equal(await approvals.propose(standing.id, edited(standing.id), noEvidence), null);
        assert.deepEqual(await approvals.find(standing.id), standing);
      }
      assert.equal(await approvals.propose(999_999, edited(999_999), noEvidence), null);
    });

    it('writes nothing if the evidence of one of the two calls throws', async () => {
      const parked = await park(fixture);
      for (const failing of ['superseded', 'proposed']) {
        const evidence: BuildEvidence = (approval, step) =>
          step === failing ? noEvidence() : approvalEvidence(approval);
        await assert.rejects(approvals.propose(parked.id, edited(parked.id), evidence), /no evidence/);
      }
      assert.deepEqual((await approvals.pending({ limit: 10 })).entries, [parked]);
    });

    it('accepts exactly one of ten concurrent proposals, or a concurrent decision', async () => {
      const parked = await park(fixture);
      const results = await fixture.concurrently(10, async (backend, index) =>
        index === 9
          ? (await backend.approvals.change(parked.id, command(), approvalEvidence))?.kind === 'changed'
          : (await backend.approvals.propose(parked.id, edited(parked.id), approvalEvidence)) !== null,
      );
      assert.equal(results.filter((isDone) => isDone).length, 1);
    });

    it('does not transfer votes to the proposal', async () => {
      const call = await park(fixture, TWO_APPROVERS);
      await changed(fixture, call, voting({ actorId: 'ops-2', afterCount: 0 }));
      const { superseded, proposed } = await propose(call.id, TWO_APPROVERS);
      assert.deepEqual([superseded.votes.length, proposed.votes, proposed.voteCount], [1, [], 0]);
      const late = await change(fixture, call, voting({ actorId: 'ops-3', afterCount: 1 }));
      assert.equal(late?.kind, 'refused');
    });

    it('takes over the place among the calls of the run and of the principal', async () => {
      const requested = { runId: 'run-1', principalId: 'customer-42', argumentsDigest: 'd'.repeat(64) };
      const { id } = await park(fixture, requested);
      const { proposed } = await propose(id, { ...requested, argumentsDigest: 'e'.repeat(64) });
      const again = await approvals.park(newApproval(requested), approvalEvidence, 1);
      assert.deepEqual([again?.created, again?.approval.id], [false, proposed.id]);
      const other = newApproval({ ...requested, runId: 'run-2' });
      assert.equal(await approvals.park(other, approvalEvidence, 1), null);
      await changed(fixture, proposed, command({ verdict: 'rejected' }));
      const rejected = await approvals.park(newApproval(requested), approvalEvidence, 1);
      assert.deepEqual([rejected?.created, rejected?.approval.id], [false, proposed.id]);
    });
  });
};
