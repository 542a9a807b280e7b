import assert from 'node:assert/strict';
import type { Review, ReviewFilter, ReviewVerdict } from '#contracts/audit/review.store.js';
import { idsOf, pagesOf, type BackendFixture, type Contract } from './backend-fixture.js';
import { decision, NOON, noonPlus, type DecisionParts } from './builders.js';
import { UNUSUAL_TEXT } from './hostile-text.js';
import { retain } from './retention-helpers.js';

export async function review(
  { reviews }: BackendFixture,
  entryId: number,
  verdict: ReviewVerdict,
  reviewedAt = NOON,
): Promise<Review> {
  const author = { actorId: 'ops-1', requestId: 'req-1', reviewedAt };
  const stored = await reviews.append({ entryId, verdict, note: 'about customer-42', ...author });
  assert.ok(stored !== null, 'the entry exists');
  return stored;
}

export const reviewsContract: Contract = ({ describe, it }, fixture) => {
  const { audit, reviews } = fixture;
  const append = (parts: DecisionParts = {}) =>
    audit.append(decision({ outcome: 'blocked', ruleId: 'role_override', ...parts }));
  const notesOf = async (id: number): Promise<readonly (string | null)[]> =>
    (await reviews.ofEntry(id)).map(({ note }) => note);
  const found = async (filter: ReviewFilter): Promise<readonly number[]> =>
    idsOf(await fixture.entries({ review: filter }, 2));

  describe('append', () => {
    it('keeps every review of an entry, oldest first', async () => {
      const id = await append();
      const first = await review(fixture, id, 'unsure');
      const second = await reviews.append({
        entryId: id,
        verdict: 'false_positive',
        note: UNUSUAL_TEXT,
        actorId: 'ops-2',
        requestId: null,
        reviewedAt: noonPlus(1),
      });
      assert.deepEqual(await reviews.ofEntry(id), [first, second]);
    });

    it('returns null and stores nothing if the entry does not exist', async () => {
      const entryId = (await append()) + 1000;
      const author = { actorId: 'ops-1', requestId: null, reviewedAt: NOON };
      assert.equal(await reviews.append({ entryId, verdict: 'unsure', note: null, ...author }), null);
      assert.deepEqual(await reviews.ofEntry(entryId), []);
    });
  });

  it('filters the list of the audit by the latest review', async () => {
    const plain = await append();
    const reviewed = async (...verdicts: readonly ReviewVerdict[]) => {
      const id = await append();
      for (const verdict of verdicts) await review(fixture, id, verdict);
      return id;
    };
    const changed = await reviewed('false_positive', 'unsure');
    const wrong = await reviewed('false_positive');
    const right = await reviewed('true_positive');
    const late = await reviewed('false_positive');
    assert.deepEqual(await found('false_positive'), [late, wrong]);
    assert.deepEqual(await found('true_positive'), [right]);
    assert.deepEqual(await found('unsure'), [changed]);
    assert.deepEqual(await found('any'), [late, right, wrong, changed]);
    assert.deepEqual(await found('none'), [plain]);
  });

  it('finds the next older entry without a review that was blocked or observed, in the same control', async () => {
    const observed = await append({ outcome: 'observed' });
    const blocked = await append();
    await append({ outcome: 'allowed', ruleId: null });
    await append({ control: 'hitl' });
    const reviewed = await append();
    await review(fixture, reviewed, 'true_positive');
    const newest = await append();
    assert.equal(await reviews.nextUnreviewed('input_screen', newest), blocked);
    assert.equal(await reviews.nextUnreviewed('input_screen', blocked), observed);
    assert.equal(await reviews.nextUnreviewed('input_screen', observed), null);
  });

  it('counts entries by their rule and latest verdict since a time', async () => {
    const of = async (ruleId: string | null, ...verdicts: readonly ReviewVerdict[]) => {
      const id = await append({ ruleId });
      for (const verdict of verdicts) await review(fixture, id, verdict);
    };
    await of('role_override', 'true_positive');
    await of('role_override', 'unsure', 'true_positive');
    await of('role_override', 'false_positive');
    await of('prompt_extraction', 'unsure');
    await of(null, 'true_positive');
    await review(fixture, await append(), 'false_positive', noonPlus(-1));
    assert.deepEqual(await reviews.counts(NOON), [
      { ruleId: 'prompt_extraction', verdict: 'unsure', count: 1 },
      { ruleId: 'role_override', verdict: 'false_positive', count: 1 },
      { ruleId: 'role_override', verdict: 'true_positive', count: 2 },
    ]);
  });

  it('returns labelled texts of input screening, in pages, newest first', async () => {
    const ids: number[] = [];
    for (const parts of [
      { prompt: 'attack' },
      { prompt: 'harmless', origin: 'document', storage: 'raw' },
      { prompt: 'unclear' },
      { prompt: 'hmac-sha256:00', storage: 'hash' },
      { prompt: 'cut', storage: 'truncate' },
      { prompt: 'the beginning of a long text', alteration: 'truncated' },
      { prompt: 'an output', control: 'output_handler' },
    ] as const)
      ids.push(await append(parts));
    const [attack = 0, harmless = 0, unclear = 0, ...others] = ids;
    for (const id of [attack, harmless, ...others]) await review(fixture, id, 'true_positive');
    await review(fixture, harmless, 'false_positive');
    await review(fixture, unclear, 'unsure');
    await append({ prompt: 'not reviewed' });
    const pages = await pagesOf((page) => reviews.labelled(page), 1);
    const ruleId = 'role_override';
    assert.deepEqual(
      pages.flatMap(({ entries }) => entries),
      [
        { id: harmless, text: 'harmless', isAttack: false, origin: 'document', ruleId },
        { id: attack, text: 'attack', isAttack: true, origin: 'prompt', ruleId },
      ],
    );
  });

  for (const [strategy, notes] of [
    ['anonymize', [null]],
    ['purge', []],
  ] as const)
    for (const kind of ['entry', 'principal'] as const)
      it(`${strategy} of one ${kind} ${strategy === 'purge' ? 'deletes its reviews' : 'erases their notes'}`, async () => {
        const [id, other] = [
          await append({ principalId: 'customer-42' }),
          await append({ principalId: 'customer-7' }),
        ];
        for (const each of [id, other]) await review(fixture, each, 'true_positive');
        const scope = kind === 'entry' ? { kind, id } : { kind, principalId: 'customer-42' };
        await retain(fixture, strategy, scope);
        assert.deepEqual([await notesOf(id), await notesOf(other)], [notes, ['about customer-42']]);
        assert.deepEqual(await found('true_positive'), strategy === 'purge' ? [other] : [other, id]);
        const [counted] = await reviews.counts(NOON);
        assert.equal(counted?.count, notes.length + 1);
      });
};
