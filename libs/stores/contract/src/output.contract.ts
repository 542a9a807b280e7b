import assert from 'node:assert/strict';
import type { OutputCount, OutputDay } from '#contracts/output/output.js';
import type { Contract } from './backend-fixture.js';
import { decision, noonPlus } from './builders.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

const EVERYTHING = { from: new Date('2000-01-01T00:00:00.000Z'), to: new Date('2099-12-31T23:59:59.999Z') };

const email: OutputCount = { kind: 'pii_redaction', detector: 'email', enforced: true, count: 2 };
const html: OutputCount = { kind: 'html_stripped', detector: 'html', enforced: true, count: 1 };

const observed: OutputCount = { ...email, enforced: false, count: 3 };
const phone: OutputCount = { ...email, detector: 'phone' };
const secret: OutputCount = { ...email, kind: 'secret_redaction' };

/** Counts of decisions, and their sums by kind, detector and `enforced`, in this order. */
const SUMS: readonly (readonly [
  name: string,
  decisions: readonly (readonly OutputCount[])[],
  sums: readonly OutputCount[],
])[] = [
  ['has none at first', [], []],
  ['counts nothing for a clean output', [[]], []],
  ['adds up all decisions', [[email], [html, { ...email, count: 5 }]], [html, { ...email, count: 7 }]],
  ['adds up equal counts of one decision', [[email, email]], [{ ...email, count: 4 }]],
  ['distinguishes detectors of one kind', [[phone, email]], [email, phone]],
  ['distinguishes kinds of one detector', [[secret, email]], [email, secret]],
  ['distinguishes enforced counts', [[email], [observed], [observed]], [{ ...observed, count: 6 }, email]],
  ...UNSTORABLE_TEXTS.map(
    ({ name, given, kept }) =>
      [
        `replaces ${name} in the name of a detector`,
        [[{ ...email, detector: given }]],
        [{ ...email, detector: kept }],
      ] as const,
  ),
];

export const outputContract: Contract = ({ describe, it }, fixture) => {
  const { output } = fixture;
  const add = (...decisions: readonly (readonly OutputCount[])[]) =>
    fixture.append(
      ...decisions.map((outputCounts) => ({ control: 'output_handler', outputCounts }) as const),
    );
  const stats = () => output.stats(EVERYTHING);

  describe('output', () => {
    for (const [name, decisions, sums] of SUMS) {
      it(`${name}, in one order`, async () => {
        await add(...decisions);
        assert.deepEqual(await stats(), sums);
      });
    }

    it('adds up concurrent decisions', async () => {
      await fixture.concurrently(30, ({ audit }) => audit.append(decision({ outputCounts: [email, html] })));
      assert.deepEqual(await stats(), [
        { ...html, count: 30 },
        { ...email, count: 60 },
      ]);
    });

    it('counts outputs and findings by UTC day, kind and detector, in this order', async () => {
      await add([email, { ...phone, count: 3 }], [email, html]);
      await fixture.append({ outputCounts: [observed], occurredAt: noonPlus(12 * 3_600_000) });
      const days = await output.daily(EVERYTHING);
      const text = ({ date, kind, detector, outputs, findings }: OutputDay) =>
        [date, kind, detector ?? 'any', outputs, findings].join(' ');
      assert.deepEqual(days.map(text), [
        '2026-03-10 html_stripped any 1 1',
        '2026-03-10 html_stripped html 1 1',
        '2026-03-10 pii_redaction any 2 7',
        '2026-03-10 pii_redaction email 2 4',
        '2026-03-10 pii_redaction phone 1 3',
        '2026-03-11 pii_redaction any 1 3',
        '2026-03-11 pii_redaction email 1 3',
      ]);
    });

    it('counts the outputs of one application', async () => {
      await fixture.append(
        ...['shop', 'Shop', null].map((application) => ({ application, outputCounts: [email] })),
      );
      const window = { ...EVERYTHING, application: 'shop' };
      assert.deepEqual(await output.stats(window), [email]);
      assert.deepEqual(
        (await output.daily(window)).map(({ outputs, findings }) => [outputs, findings]),
        [
          [1, 2],
          [1, 2],
        ],
      );
    });
  });
};
