import assert from 'node:assert/strict';
import type { NewApproval } from '../../../contracts/src/approvals.js';
import { park } from './approval-acts.js';
import type { Runner, Stage } from './harness.js';
import { UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';

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

export function approvalsCallContract({ describe, it }: Runner, stage: Stage): void {
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
        const { id } = await park(stage, { arguments: JSON.parse(text) as Record<string, unknown> });
        assert.equal(JSON.stringify((await stage.backend.approvals.find(id))?.arguments), text);
      });
    }

    it('keeps unusual text to the letter', async () => {
      const { id } = await park(stage, { arguments: { [UNUSUAL_TEXT]: UNUSUAL_TEXT } });
      assert.deepEqual((await stage.backend.approvals.find(id))?.arguments, {
        [UNUSUAL_TEXT]: UNUSUAL_TEXT,
      });
    });

    it('keeps a long text whole', async () => {
      const text = 'pay everything. '.repeat(16_384);
      const { id } = await park(stage, { arguments: { text } });
      assert.ok((await stage.backend.approvals.find(id))?.arguments?.['text'] === text);
    });

    it('stays as it was parked, whatever becomes of the object that was handed in', async () => {
      const args = { to: ['customer-42'] };
      const { id } = await park(stage, { arguments: args });
      args.to.push('customer-7');
      assert.deepEqual((await stage.backend.approvals.find(id))?.arguments, { to: ['customer-42'] });
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`scrubs ${name} in every text`, async () => {
        const { approvals } = stage.backend;
        const { id } = await park(stage, textEverywhere(given));
        const found = await approvals.find(id);
        assert.ok(found !== null);
        assert.deepEqual(found, { ...found, ...textEverywhere(kept) });
        assert.equal(await approvals.findByTokenHash(given), null);
      });
    }
  });
}
