import assert from 'node:assert/strict';
import type { OutputCount, OutputDay } from '#contracts/output/output.js';
import { decision, NOON, noonPlus } from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

const EVERYTHING = { from: new Date('2000-01-01T00:00:00.000Z'), to: new Date('2099-12-31T23:59:59.999Z') };

const email: OutputCount = { kind: 'pii_redaction', detector: 'email', enforced: true, count: 2 };
const html: OutputCount = { kind: 'html_stripped', detector: 'html', enforced: true, count: 1 };

const inOrder = (counts: readonly OutputCount[]): OutputCount[] =>
  counts.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

export function outputContract({ describe, it }: Runner, fixture: BackendFixture): void {
  async function add(outputCounts: readonly OutputCount[], occurredAt = NOON): Promise<void> {
    await fixture.backend.audit.append(decision({ control: 'output_handler', outputCounts, occurredAt }));
  }

  async function stats(window = EVERYTHING): Promise<OutputCount[]> {
    const counts = await fixture.backend.output.stats(window);
    return inOrder(
      counts.map(({ kind, detector, enforced, count }) => ({ kind, detector, enforced, count })),
    );
  }

  describe('output', () => {
    it('has no counts at first', async () => {
      assert.deepEqual(await stats(), []);
    });

    it('returns the counts of a decision', async () => {
      await add([email, html]);
      assert.deepEqual(await stats(), inOrder([email, html]));
    });

    it('counts nothing for a clean output', async () => {
      await add([]);
      assert.deepEqual(await stats(), []);
    });

    it('sums the counts of all decisions per kind and detector', async () => {
      await add([email]);
      await add([html, { ...email, count: 5 }]);
      assert.deepEqual(await stats(), inOrder([{ ...email, count: 7 }, html]));
    });

    it('distinguishes detectors of one kind', async () => {
      const phone = { ...email, detector: 'phone' };
      await add([email, phone]);
      assert.deepEqual(await stats(), inOrder([email, phone]));
    });

    it('distinguishes kinds of one detector', async () => {
      const secret = { ...email, kind: 'secret_redaction' } as const;
      await add([email, secret]);
      assert.deepEqual(await stats(), inOrder([email, secret]));
    });

    it('distinguishes enforced from observed counts', async () => {
      const observed = { ...email, enforced: false, count: 3 };
      await add([email]);
      await add([observed]);
      await add([observed]);
      assert.deepEqual(await stats(), inOrder([email, { ...observed, count: 6 }]));
    });

    it('sums equal counts of one decision', async () => {
      await add([email, email]);
      assert.deepEqual(await stats(), [{ ...email, count: 4 }]);
    });

    it('counts outputs and findings by UTC day, kind and detector', async () => {
      const phone = { ...email, detector: 'phone', count: 3 };
      await add([email, phone]);
      await add([email, html]);
      await add([{ ...email, enforced: false }], noonPlus(12 * 3_600_000));
      const days = await fixture.backend.output.daily(EVERYTHING);
      const text = ({ date, kind, detector, outputs, findings }: OutputDay): string =>
        [date, kind, detector ?? 'any', outputs, findings].join(' ');
      assert.deepEqual(days.map(text).toSorted(), [
        '2026-03-10 html_stripped any 1 1',
        '2026-03-10 html_stripped html 1 1',
        '2026-03-10 pii_redaction any 2 7',
        '2026-03-10 pii_redaction email 2 4',
        '2026-03-10 pii_redaction phone 1 3',
        '2026-03-11 pii_redaction any 1 2',
        '2026-03-11 pii_redaction email 1 2',
      ]);
    });

    it('counts the outputs of one application', async () => {
      for (const application of ['shop', 'Shop', null]) {
        await fixture.backend.audit.append(
          decision({ control: 'output_handler', application, outputCounts: [email], occurredAt: NOON }),
        );
      }
      const window = { ...EVERYTHING, application: 'shop' };
      const [counts, days] = await Promise.all([
        fixture.backend.output.stats(window),
        fixture.backend.output.daily(window),
      ]);
      assert.deepEqual(counts, [email]);
      assert.deepEqual(
        days.map(({ outputs, findings }) => [outputs, findings]),
        [
          [1, 2],
          [1, 2],
        ],
      );
    });

    it('sums concurrent decisions', async () => {
      await fixture.concurrently(30, ({ audit }) => audit.append(decision({ outputCounts: [email, html] })));
      assert.deepEqual(
        await stats(),
        inOrder([
          { ...email, count: 60 },
          { ...html, count: 30 },
        ]),
      );
    });

    it('includes both ends of the window, to the millisecond', async () => {
      await add([{ ...email, count: 1 }], noonPlus(-1));
      await add([{ ...email, count: 10 }], NOON);
      await add([{ ...email, count: 100 }], noonPlus(5));
      await add([{ ...email, count: 1000 }], noonPlus(6));
      assert.deepEqual(await stats({ from: NOON, to: noonPlus(5) }), [{ ...email, count: 110 }]);
    });

    it('returns nothing for a window without a decision', async () => {
      await add([email]);
      assert.deepEqual(await stats({ from: noonPlus(1), to: noonPlus(1000) }), []);
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`replaces ${name} in the name of a detector`, async () => {
        await add([{ ...email, detector: given }]);
        assert.deepEqual(await stats(), [{ ...email, detector: kept }]);
      });
    }
  });
}
