import assert from 'node:assert/strict';
import type { NewApproval } from '#contracts/approvals/approvals.js';
import { command, evidenceTexts, noEvidence, park, parkFinished, resolution } from './approval-helpers.js';
import { approvalEvidence, newApproval, newDigest } from './builders.js';
import { type Runner, type BackendFixture, entriesOf } from './backend-fixture.js';
import { UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';

const FULL: Partial<NewApproval> = {
  runId: 'run-9',
  stepName: 'refund the order',
  tool: 'refund',
  reversible: true,
  idempotent: true,
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

const customerCall = (parts: Partial<NewApproval> = {}): NewApproval =>
  newApproval({ principalId: 'customer-42', ...parts });

/** The same text in every text field. */
const textEverywhere = (text: string): Partial<NewApproval> => ({
  runId: text,
  stepName: text,
  tool: text,
  arguments: { [text]: [text, { [text]: text }] },
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

export function approvalsParkContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const parkUpTo = (maxOpen: number, call: NewApproval): ReturnType<typeof fixture.backend.approvals.park> =>
    fixture.backend.approvals.park(call, approvalEvidence, maxOpen);
  const parkFreely = (call: NewApproval): ReturnType<typeof fixture.backend.approvals.park> =>
    parkUpTo(1000, call);

  describe('park', () => {
    it('returns the call as a pending approval', async () => {
      const call = newApproval(FULL);
      const parked = await parkFreely(call);
      assert.ok(parked !== null && parked.created);
      const { id, auditId, createdAt, expiresAt, ...approval } = parked.approval;
      const { ttlMs, encryptedToken, ...kept } = call;
      assert.equal(await fixture.backend.approvals.encryptedToken(id), encryptedToken);
      assert.ok(Number.isSafeInteger(id) && id > 0);
      assert.equal(expiresAt.getTime() - createdAt.getTime(), ttlMs);
      const [entry] = (await fixture.backend.audit.list({ control: 'hitl' }, { limit: 1 })).entries;
      assert.equal(auditId, entry?.id);
      assert.deepEqual(approval, {
        ...kept,
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
    });

    it('makes the call findable by id and by token hash', async () => {
      const { approvals } = fixture.backend;
      const approval = await park(fixture, FULL);
      assert.deepEqual(await approvals.find(approval.id), approval);
      assert.deepEqual(await approvals.findByTokenHash(approval.tokenHash), approval);
    });

    it('passes the approval with its id to the evidence builder and commits the evidence once', async () => {
      const { id } = await park(fixture);
      assert.deepEqual(await evidenceTexts(fixture), [`approval ${id} is pending`]);
    });

    it('stores nothing if the evidence builder throws', async () => {
      const call = newApproval();
      await assert.rejects(fixture.backend.approvals.park(call, noEvidence, 20), /no evidence/);
      assert.equal(await fixture.backend.approvals.findByTokenHash(call.tokenHash), null);
      assert.deepEqual(await entriesOf((page) => fixture.backend.approvals.pending(page)), []);
    });

    it('assigns increasing ids', async () => {
      const ids = [await park(fixture), await park(fixture), await park(fixture)].map(
        (approval) => approval.id,
      );
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(ids).size, 3);
    });

    describe('the same call of a run', () => {
      it('is one approval with one entry while it is pending', async () => {
        const first = await parkFreely(sameCall());
        const again = await parkFreely(sameCall());
        assert.deepEqual(again, { approval: first?.approval, created: false });
        assert.equal((await evidenceTexts(fixture)).length, 1);
      });

      it('is found by `findSame` under the same conditions as by `park`', async () => {
        const { approvals } = fixture.backend;
        assert.equal(await approvals.findSame(sameCall()), null);
        const parked = await parkFreely(sameCall());
        assert.deepEqual(await approvals.findSame(sameCall()), parked?.approval);
        for (const other of OTHER_CALLS)
          assert.equal(await approvals.findSame({ ...sameCall(), ...other }), null, JSON.stringify(other));
        await approvals.decide(parked?.approval.tokenHash ?? '', command({ verdict: 'rejected' }));
        const inOtherStep = await approvals.findSame({ ...sameCall(), stepName: 'another step' });
        assert.equal(inOtherStep?.status, 'rejected');
        const overdue = newApproval({ runId: 'run-3', ttlMs: 0 });
        await parkFreely(overdue);
        assert.equal(await approvals.findSame(overdue), null);
      });

      it('has a last approval in any state, for its run, step and requester', async () => {
        const { approvals } = fixture.backend;
        assert.equal(await approvals.findLast(sameCall()), null);
        const expired = await parkFreely(newApproval({ ...sameCall(), ttlMs: 0 }));
        assert.equal((await approvals.findLast(sameCall()))?.id, expired?.approval.id);
        await approvals.expire(expired?.approval.id ?? 0, approvalEvidence);
        assert.equal((await approvals.findLast(sameCall()))?.status, 'expired');
        const parked = await parkFreely(sameCall());
        assert.deepEqual(await approvals.findLast(sameCall()), parked?.approval);
        for (const other of OTHER_CALLS)
          assert.equal(await approvals.findLast({ ...sameCall(), ...other }), null, JSON.stringify(other));
        const edited = newApproval({
          ...sameCall(),
          argumentsDigest: 'e'.repeat(64),
          supersedes: parked?.approval.id ?? 0,
          firstId: parked?.approval.id ?? 0,
        });
        const evidence = { evidence: approvalEvidence, supersession: approvalEvidence };
        await approvals.propose(parked?.approval.id ?? 0, { call: edited, ...evidence });
        assert.equal((await approvals.findLast(sameCall()))?.status, 'superseded');
        assert.equal(await approvals.findLast(edited), null);
      });

      it('does not call the evidence builder if the approval exists', async () => {
        await parkFreely(sameCall());
        const again = await fixture.backend.approvals.park(sameCall(), noEvidence, 20);
        assert.equal(again?.created, false);
      });

      it('is one approval if requested many times concurrently', async () => {
        const parked = await fixture.concurrently(20, ({ approvals }) =>
          approvals.park(sameCall(), approvalEvidence, 1000),
        );
        assert.equal(parked.filter((result) => result?.created === true).length, 1);
        assert.equal(new Set(parked.map((result) => result?.approval.id)).size, 1);
        assert.equal((await evidenceTexts(fixture)).length, 1);
      });

      for (const [name, parts] of [
        ['run', { runId: 'run-2' }],
        ['step', { stepName: 'another step' }],
        ['tool', { tool: 'send_email' }],
        ['arguments', { argumentsDigest: newDigest() }],
        ['principal', { principalId: 'customer-7' }],
        ['application', { application: 'another' }],
      ] as const) {
        it(`is a different approval with a different ${name}`, async () => {
          await parkFreely(sameCall());
          assert.equal((await parkFreely({ ...sameCall(), ...parts }))?.created, true);
        });
      }

      it('is always a new approval without a run', async () => {
        const call = { ...sameCall(), runId: null };
        await parkFreely(call);
        const again = await parkFreely({ ...sameCall(), runId: null });
        assert.equal(again?.created, true);
      });

      for (const verdict of ['approved', 'rejected'] as const) {
        it(`is the same one after it was ${verdict}`, async () => {
          const call = sameCall();
          const first = await parkFreely(call);
          await fixture.backend.approvals.decide(call.tokenHash, command({ verdict }));
          const again = await parkFreely(sameCall());
          assert.deepEqual([again?.created, again?.approval.id], [false, first?.approval.id]);
        });
      }

      it('stays rejected in another step of the run, and nowhere else', async () => {
        const ofShop = (parts: Partial<NewApproval> = {}): NewApproval => ({
          ...sameCall(),
          principalId: 'customer-42',
          application: 'shop',
          ...parts,
        });
        const call = ofShop();
        const first = await parkFreely(call);
        await fixture.backend.approvals.decide(call.tokenHash, command({ verdict: 'rejected' }));
        const again = await parkFreely(ofShop({ stepName: 'another step' }));
        assert.deepEqual([again?.created, again?.approval.id], [false, first?.approval.id]);
        for (const parts of [
          { runId: 'run-2' },
          { tool: 'send_email' },
          { argumentsDigest: newDigest() },
          { principalId: 'customer-7' },
          { principalId: null },
          { application: 'another' },
          { application: null },
        ])
          assert.equal((await parkFreely(ofShop(parts)))?.created, true);
      });

      for (const [end, isNew] of [
        ['executed', false],
        ['outcome_unknown', false],
        ['failed', true],
        ['superseded', true],
      ] as const) {
        it(`is ${isNew ? 'a new one' : 'the same one'} after its run was ${end}`, async () => {
          const { id } = await parkFinished(fixture, end, sameCall());
          const again = await parkFreely(sameCall());
          assert.deepEqual([again?.created, again?.approval.id === id], [isNew, !isNew]);
        });
      }

      it('is a new one after an unknown outcome was resolved as failed', async () => {
        const { id } = await parkFinished(fixture, 'outcome_unknown', sameCall());
        await fixture.backend.approvals.resolve(id, resolution({ resolution: 'failed' }));
        assert.equal((await parkFreely(sameCall()))?.created, true);
      });

      it('is a new one after it expired', async () => {
        await parkFreely({ ...sameCall(), ttlMs: 0 });
        assert.equal((await parkFreely(sameCall()))?.created, true);
      });
    });

    describe('the open calls of a principal', () => {
      it('are refused above the limit, and nothing is written', async () => {
        await parkUpTo(2, customerCall());
        await parkUpTo(2, customerCall());
        const call = customerCall();
        assert.equal(await parkUpTo(2, call), null);
        assert.equal(await fixture.backend.approvals.findByTokenHash(call.tokenHash), null);
        assert.equal((await evidenceTexts(fixture)).length, 2);
      });

      it('are all refused by a limit of 0', async () => {
        assert.equal(await parkUpTo(0, customerCall()), null);
      });

      it('stay within the limit if requested concurrently', async () => {
        const parked = await fixture.concurrently(16, ({ approvals }) =>
          approvals.park(customerCall(), approvalEvidence, 5),
        );
        assert.equal(parked.filter((result) => result !== null).length, 5);
      });

      it('do not count for another principal or for a call without one', async () => {
        await parkUpTo(1, customerCall());
        assert.notEqual(await parkUpTo(1, customerCall({ principalId: 'customer-7' })), null);
        assert.notEqual(await parkUpTo(1, customerCall({ principalId: null })), null);
        assert.notEqual(await parkUpTo(1, customerCall({ principalId: null })), null);
      });

      it('stay within a limit of one per principal if many principals request calls concurrently', async () => {
        const parked = await fixture.concurrently(20, ({ approvals }, index) =>
          approvals.park(customerCall({ principalId: `customer-${index >> 1}` }), approvalEvidence, 1),
        );
        assert.equal(parked.filter((result) => result !== null).length, 10);
      });

      it('do not count after they were decided or expired', async () => {
        const call = customerCall();
        await parkUpTo(1, call);
        await fixture.backend.approvals.decide(call.tokenHash, command());
        assert.notEqual(await parkUpTo(1, customerCall({ ttlMs: 0 })), null);
        assert.notEqual(await parkUpTo(1, customerCall()), null);
      });

      it('return the existing approval at the limit if the call is the same', async () => {
        const parts = { runId: 'run-1', argumentsDigest: 'd'.repeat(64) };
        await parkUpTo(1, customerCall(parts));
        assert.equal((await parkUpTo(1, customerCall(parts)))?.created, false);
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
        assert.equal(JSON.stringify((await fixture.backend.approvals.find(id))?.arguments), text);
      });
    }

    it('keeps unusual text unchanged', async () => {
      const { id } = await park(fixture, { arguments: { [UNUSUAL_TEXT]: UNUSUAL_TEXT } });
      assert.deepEqual((await fixture.backend.approvals.find(id))?.arguments, {
        [UNUSUAL_TEXT]: UNUSUAL_TEXT,
      });
    });

    it('keeps a long text whole', async () => {
      const text = 'pay everything. '.repeat(16_384);
      const { id } = await park(fixture, { arguments: { text } });
      assert.ok((await fixture.backend.approvals.find(id))?.arguments?.['text'] === text);
    });

    it('does not change if the caller changes its object afterwards', async () => {
      const args = { to: ['customer-42'] };
      const { id } = await park(fixture, { arguments: args });
      args.to.push('customer-7');
      assert.deepEqual((await fixture.backend.approvals.find(id))?.arguments, { to: ['customer-42'] });
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`replaces ${name} in every text`, async () => {
        const { approvals } = fixture.backend;
        const { id } = await park(fixture, textEverywhere(given));
        const found = await approvals.find(id);
        assert.ok(found !== null);
        assert.deepEqual(found, { ...found, ...textEverywhere(kept) });
        assert.equal(await approvals.findByTokenHash(given), null);
      });
    }
  });
}
