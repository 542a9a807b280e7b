import { describe, expect } from '@jest/globals';
import { API_ROUTES } from '#contracts/api/api.routes.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { onServer } from '../../postgres/database.js';
import { expectEnvelope, expectError } from '../support/envelope.js';
import { pathOf } from '../support/whole-routes.js';
import type { Bench } from '../support/hosts.js';

/** The reads that use a store; GET /settings answers from memory. */
const ASKING = (
  [
    'overview',
    'audit.index',
    'audit.trend',
    'audit.facets',
    'audit.show',
    'runs.index',
    'runs.show',
    'firewall.index',
    'firewall.reasons',
    'rules.index',
    'output.stats',
    'approvals.index',
    'settings.changes',
    'events.dead',
  ] as const
).map((key) => ({
  path: pathOf(key),
  endpoint: API_ROUTES[key].endpoint,
}));

/** An error of a driver, with every detail that no answer may contain. */
const DRIVER_ERROR = Object.assign(
  new Error('select prompt from guardrails_content at /srv/app/node_modules/pg/lib/client.js:1'),
  { code: '42P01', query: 'select prompt from guardrails_content', parameters: ['Bearer token'] },
);

export function describeStoreFaults(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  describe('contract 2.3: a store that fails', () => {
    it.each(ASKING)('$path answers 503 store_unavailable with Retry-After', async ({ path, endpoint }) => {
      const fault = GuardrailsError.storeUnavailable(DRIVER_ERROR);
      const answer = await bench.stores.failingWith(fault, () => bench.api.get(path));
      expectError(answer, 503, endpoint, 'store_unavailable');
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    });

    it.each(ASKING)('$path answers 503 query_timeout with Retry-After', async ({ path, endpoint }) => {
      const fault = GuardrailsError.queryTimeout(DRIVER_ERROR);
      const answer = await bench.stores.failingWith(fault, () => bench.api.get(path));
      expectError(answer, 503, endpoint, 'query_timeout');
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    });

    it.each(ASKING)('$path answers 500 to a defect, without its details', async ({ path, endpoint }) => {
      const answer = await bench.stores.failingWith(DRIVER_ERROR, () =>
        bench.api.get(path, { headers: { 'x-request-id': 'asked-500' } }),
      );
      const { error } = expectError(answer, 500, endpoint, 'internal').data;
      expect(error.request_id).toBe('asked-500');
      expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'request_id']);
    });

    it('GET /settings answers even if the store fails', async () => {
      const answer = await bench.stores.failingWith(DRIVER_ERROR, () => bench.api.get('/settings'));
      expectEnvelope(answer, 200, 'settings');
    });

    itOnEachStore('cancels a statement that takes too long, and answers query_timeout', async () => {
      if (bench.databaseUrl === null) return;
      await onServer(async (blocker) => {
        await blocker.query('begin');
        await blocker.query('lock table guardrails_audit_evidence in access exclusive mode');
        expectError(await bench.api.get('/audit'), 503, 'audit-list', 'query_timeout');
      }, bench.databaseUrl);
      expectEnvelope(await bench.api.get('/audit'), 200, 'audit-list');
    });
  });
}
