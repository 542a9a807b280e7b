import { describe, expect } from '@jest/globals';
import type { AuditDetailData, AuditListData } from '#contracts/audit/entry.js';
import type { AuditReviewData } from '#contracts/audit/review.js';
import { decision } from '#stores/contract/builders.js';
import type { Bench } from '../support/hosts.js';
import { allRules, PLANTED, unique } from './material.js';

const NOW = '2061-03-04T05:06:07.000Z';

export function describeReviews(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const screened = async (application: string): Promise<number> =>
    (await bench.host.guardrails.screen(PLANTED, { application })).auditId ?? 0;

  const review = async (id: number, body: object, as = 'operator'): Promise<AuditReviewData> => {
    const answer = await bench.api.post(`/audit/${id}/review`, body, { as });
    expect(answer.status).toBe(200);
    return answer.body.data as unknown as AuditReviewData;
  };

  const listed = async (application: string, filter: string): Promise<readonly number[]> => {
    const { entries } = await bench.read<AuditListData>(`/audit?application=${application}&review=${filter}`);
    return entries.map(({ id }) => id);
  };

  describe('POST /audit/{id}/review', () => {
    itOnEachStore(
      'contract 8: stores the verdict with the actor of the request, and shows it in the detail',
      async () => {
        bench.clock.set(NOW);
        const id = await screened(unique('shop'));
        const body = {
          verdict: 'false_positive',
          note: 'A question about our rules.',
          actor: 'somebody-else',
        };
        const first = await review(id, body);
        expect(first.review).toEqual({
          id: expect.any(Number),
          entry_id: id,
          verdict: 'false_positive',
          note: 'A question about our rules.',
          actor_id: 'ops-1',
          reviewed_at: NOW,
        });
        await review(id, { verdict: 'true_positive' }, 'second-operator');
        const { entry } = await bench.read<AuditDetailData>(`/audit/${id}`);
        expect(entry.reviews.map(({ verdict, note, actor_id: actor }) => [verdict, note, actor])).toEqual([
          ['false_positive', 'A question about our rules.', 'ops-1'],
          ['true_positive', null, 'ops-2'],
        ]);
      },
    );

    itOnEachStore('contract 5: the list is filtered by the latest review', async () => {
      const application = unique('shop');
      const [open, wrong, right] = [
        await screened(application),
        await screened(application),
        await screened(application),
      ];
      await review(wrong, { verdict: 'unsure' });
      await review(wrong, { verdict: 'false_positive' });
      await review(right, { verdict: 'true_positive' });
      expect(await listed(application, 'none')).toEqual([open]);
      expect(await listed(application, 'any')).toEqual([right, wrong]);
      expect(await listed(application, 'false_positive')).toEqual([wrong]);
      expect(await listed(application, 'unsure')).toEqual([]);
    });

    itOnEachStore('contract 8: names the next older entry that waits for a review', async () => {
      const application = unique('shop');
      const [oldest, allowed, newest] = [
        await screened(application),
        (await bench.host.guardrails.screen('Good morning')).auditId,
        await screened(application),
      ];
      expect(allowed).toBeGreaterThan(oldest);
      expect((await review(newest, { verdict: 'unsure' })).next_unreviewed_id).toBe(oldest);
      expect((await review(oldest, { verdict: 'unsure' })).next_unreviewed_id).not.toBe(oldest);
    });

    itOnEachStore('contract 8: GET /rules shows the precision of a rule over 90 days', async () => {
      bench.clock.set('2071-01-01T00:00:00.000Z');
      const rule = async () => (await allRules(bench)).rules.find(({ id }) => id === 'planted')?.reviews;
      expect(await rule()).toEqual({ true_positive: 0, false_positive: 0, unsure: 0, precision: null });
      for (const verdict of ['true_positive', 'true_positive', 'true_positive', 'false_positive', 'unsure'])
        await review(await screened(unique('shop')), { verdict });
      expect(await rule()).toEqual({ true_positive: 3, false_positive: 1, unsure: 1, precision: 0.75 });
      bench.clock.set('2071-04-02T00:00:00.000Z');
      expect(await rule()).toMatchObject({ precision: null });
    });

    it.each([
      ['an unknown verdict', { verdict: 'maybe' }, ['verdict']],
      ['a missing verdict', {}, ['verdict']],
      ['a note that is too long', { verdict: 'unsure', note: 'x'.repeat(1001) }, ['note']],
      ['a note that is no text', { verdict: 'unsure', note: 7 }, ['note']],
      ['an unknown member', { verdict: 'unsure', severity: 'high' }, ['severity']],
    ])('contract 2.4: refuses %s by name, and stores nothing', async (_, body, fields) => {
      const id = await bench.stores.audit.append(decision());
      const answer = await bench.api.post(`/audit/${id}/review`, body);
      expect([answer.status, answer.body.data.error.code]).toEqual([422, 'invalid_body']);
      expect(Object.keys(answer.body.data.error.fields)).toEqual(fields);
      expect(await bench.stores.reviews.ofEntry(id)).toEqual([]);
    });

    it('contract 2.4: answers 422 before 404, and 404 for an unknown or malformed id', async () => {
      const statuses = async (id: string): Promise<readonly number[]> => [
        (await bench.api.post(`/audit/${id}/review`, {})).status,
        (await bench.api.post(`/audit/${id}/review`, { verdict: 'unsure' })).status,
      ];
      for (const id of ['999999999', 'abc']) expect(await statuses(id)).toEqual([422, 404]);
    });

    it('contract 1.3: is refused for readers, and for operators without an id', async () => {
      const id = await bench.stores.audit.append(decision());
      const status = async (as: string): Promise<number> =>
        (await bench.api.post(`/audit/${id}/review`, { verdict: 'unsure' }, { as })).status;
      expect([await status('reader'), await status('nameless')]).toEqual([403, 403]);
      expect(await bench.stores.reviews.ofEntry(id)).toEqual([]);
    });
  });
}
