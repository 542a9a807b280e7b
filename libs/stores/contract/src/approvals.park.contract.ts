import assert from 'node:assert/strict';
import type { NewApproval } from '../../../contracts/src/approvals.js';
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
  sealedToken: 'c2VhbGVk',
  policyRevision: 'policy-2',
  ttlMs: 1_234_567,
};

const sameCall = (): NewApproval => newApproval({ runId: 'run-1', argumentsDigest: 'd'.repeat(64) });

const hers = (parts: Partial<NewApproval> = {}): NewApproval =>
  newApproval({ principalId: 'customer-42', ...parts });

/** The same text in every place that takes one. */
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
});

export function approvalsParkContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const parkUpTo = (maxOpen: number, call: NewApproval): ReturnType<typeof fixture.backend.approvals.park> =>
    fixture.backend.approvals.park(call, approvalEvidence, maxOpen);
  const parkFreely = (call: NewApproval): ReturnType<typeof fixture.backend.approvals.park> =>
    parkUpTo(1000, call);

  describe('park', () => {
    it('answers the call as a pending approval, exactly', async () => {
      const call = newApproval(FULL);
      const parked = await parkFreely(call);
      assert.ok(parked !== null && parked.created);
      const { id, createdAt, expiresAt, ...approval } = parked.approval;
      const { ttlMs, sealedToken, ...kept } = call;
      assert.equal(await fixture.backend.approvals.sealedToken(id), sealedToken);
      assert.ok(Number.isSafeInteger(id) && id > 0);
      assert.equal(expiresAt.getTime() - createdAt.getTime(), ttlMs);
      assert.deepEqual(approval, {
        ...kept,
        status: 'pending',
        decision: null,
        decidedBy: null,
        decidedAt: null,
        reason: null,
        decisionSeal: null,
        fence: 0,
        leaseUntil: null,
        finishedAt: null,
        tellings: 0,
        resolvedBy: null,
        resolvedAt: null,
        resolvedReason: null,
        result: null,
        error: null,
      });
    });

    it('is found by its id and by the hash of its token', async () => {
      const { approvals } = fixture.backend;
      const approval = await park(fixture, FULL);
      assert.deepEqual(await approvals.find(approval.id), approval);
      assert.deepEqual(await approvals.findByTokenHash(approval.tokenHash), approval);
    });

    it('hands the approval with its id to the evidence, and commits that once', async () => {
      const { id } = await park(fixture);
      assert.deepEqual(await evidenceTexts(fixture), [`approval ${id} is pending`]);
    });

    it('parks nothing when its evidence cannot be built', async () => {
      const call = newApproval();
      await assert.rejects(fixture.backend.approvals.park(call, noEvidence, 20), /no evidence/);
      assert.equal(await fixture.backend.approvals.findByTokenHash(call.tokenHash), null);
      assert.deepEqual(await entriesOf((page) => fixture.backend.approvals.pending(page)), []);
    });

    it('gives growing ids', async () => {
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
      it('is one approval while it is pending, and leaves one evidence', async () => {
        const first = await parkFreely(sameCall());
        const again = await parkFreely(sameCall());
        assert.deepEqual(again, { approval: first?.approval, created: false });
        assert.equal((await evidenceTexts(fixture)).length, 1);
      });

      it('asks for no evidence when it is answered again', async () => {
        await parkFreely(sameCall());
        const again = await fixture.backend.approvals.park(sameCall(), noEvidence, 20);
        assert.equal(again?.created, false);
      });

      it('is one approval for many that park it at once', async () => {
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
        it(`is another with another ${name}`, async () => {
          await parkFreely(sameCall());
          assert.equal((await parkFreely({ ...sameCall(), ...parts }))?.created, true);
        });
      }

      it('is never the same without a run', async () => {
        const call = { ...sameCall(), runId: null };
        await parkFreely(call);
        const again = await parkFreely({ ...sameCall(), runId: null });
        assert.equal(again?.created, true);
      });

      for (const verdict of ['approved', 'rejected'] as const) {
        it(`is ${verdict === 'rejected' ? 'a new one' : 'the same one'} after it was ${verdict}`, async () => {
          const call = sameCall();
          await parkFreely(call);
          await fixture.backend.approvals.decide(call.tokenHash, command({ verdict }));
          assert.equal((await parkFreely(sameCall()))?.created, verdict === 'rejected');
        });
      }

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

      it('is a new one after an unknown outcome turned out to be a failure', async () => {
        const { id } = await parkFinished(fixture, 'outcome_unknown', sameCall());
        await fixture.backend.approvals.resolve(id, resolution({ resolution: 'failed' }));
        assert.equal((await parkFreely(sameCall()))?.created, true);
      });

      it('is a new one after its time was up', async () => {
        await parkFreely({ ...sameCall(), ttlMs: 0 });
        assert.equal((await parkFreely(sameCall()))?.created, true);
      });
    });

    describe('the open calls of a principal', () => {
      it('are refused beyond the limit, and leave nothing', async () => {
        await parkUpTo(2, hers());
        await parkUpTo(2, hers());
        const call = hers();
        assert.equal(await parkUpTo(2, call), null);
        assert.equal(await fixture.backend.approvals.findByTokenHash(call.tokenHash), null);
        assert.equal((await evidenceTexts(fixture)).length, 2);
      });

      it('are refused altogether by a limit of none', async () => {
        assert.equal(await parkUpTo(0, hers()), null);
      });

      it('keep to the limit when they are parked at once', async () => {
        const parked = await fixture.concurrently(16, ({ approvals }) =>
          approvals.park(hers(), approvalEvidence, 5),
        );
        assert.equal(parked.filter((result) => result !== null).length, 5);
      });

      it('do not count for another principal, nor for a call without one', async () => {
        await parkUpTo(1, hers());
        assert.notEqual(await parkUpTo(1, hers({ principalId: 'customer-7' })), null);
        assert.notEqual(await parkUpTo(1, hers({ principalId: null })), null);
        assert.notEqual(await parkUpTo(1, hers({ principalId: null })), null);
      });

      it('keep to a limit of one for each of many principals that park at once', async () => {
        const parked = await fixture.concurrently(20, ({ approvals }, index) =>
          approvals.park(hers({ principalId: `customer-${index >> 1}` }), approvalEvidence, 1),
        );
        assert.equal(parked.filter((result) => result !== null).length, 10);
      });

      it('do not count once they are decided or expired', async () => {
        const call = hers();
        await parkUpTo(1, call);
        await fixture.backend.approvals.decide(call.tokenHash, command());
        assert.notEqual(await parkUpTo(1, hers({ ttlMs: 0 })), null);
        assert.notEqual(await parkUpTo(1, hers()), null);
      });

      it('are answered again at the limit where they are the same call', async () => {
        const parts = { runId: 'run-1', argumentsDigest: 'd'.repeat(64) };
        await parkUpTo(1, hers(parts));
        assert.equal((await parkUpTo(1, hers(parts)))?.created, false);
      });
    });
  });

  describe('the call', () => {
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

    it('keeps unusual text to the letter', async () => {
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

    it('stays as it was parked, whatever becomes of the object that was handed in', async () => {
      const args = { to: ['customer-42'] };
      const { id } = await park(fixture, { arguments: args });
      args.to.push('customer-7');
      assert.deepEqual((await fixture.backend.approvals.find(id))?.arguments, { to: ['customer-42'] });
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`scrubs ${name} in every text`, async () => {
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
