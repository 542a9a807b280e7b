import { isDeepStrictEqual } from 'node:util';
import type { AuditListData } from '#contracts/audit/entry.js';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { approvalEvidence, decision, newApproval, refusal } from '#stores/contract/builders.js';
import { expectEnvelope, expectInvalidQuery } from '../support/envelope.js';
import type { Bench } from '../support/hosts.js';
import { keep, put, unique } from './material.js';
import { EVERY_PARAMETER, READ_ROUTES } from './parameters.js';

/** Every way to repeat a parameter, or to pass it as another type than a scalar. */
const NOTATIONS: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}[]=${value}`,
  (name, value) => `${name}%5B%5D=${value}`,
  (name, value) => `${name}[x]=${value}`,
  (name, value) => `${name}[0]=${value}`,
  (name, value) => `${name}[=${value}`,
  (name, value) => `${name}[][x]=${value}&${name}[y][z]=1`,
  (name, value) => `${name}[__proto__]=${value}`,
  (name, value) => `${name}=${value}&${name}=${value}`,
  (name, value) => `${name}=1&${name}=${value}&${name}=2`,
  (name, value) => `${name}=${value}&${name}[]=${value}`,
  (name, value) => `${name}[]=${value}&${name}=${value}`,
  (name, value) => `${name}[x]=${value}&${name}[]=${value}`,
  (name, value) => `${name}=${value}&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${value}`,
  (name, value) => `${name}=&${name}=${value}`,
  (name, value) => `${name}&${name}=${value}`,
];

/** In one request, whose head may have 16 KiB. */
const MOST_PARAMETERS = 8;

/** Node compares large answers ten times faster than Jest. */
function expectSame(query: string, data: unknown, without: unknown): void {
  if (!isDeepStrictEqual(data, without)) expect({ query, data }).toEqual({ query, data: without });
}

export function describeUntrustedQueries(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  /** The data without the list of ignored parameters. */
  const dataOf = async (path: string, endpoint: string): Promise<unknown> => {
    const { ignored: _, ...data } = expectEnvelope(await bench.api.get(path), 200, endpoint)
      .data as object & {
      readonly ignored?: unknown;
    };
    return data;
  };

  const principalId = unique('customer');

  describe('an untrusted query', () => {
    beforeAll(async () => {
      await keep(bench, [
        decision({ outcome: 'blocked', principalId, occurredAt: bench.clock.now() }),
        decision({ outcome: 'observed', ruleId: 'role_override', occurredAt: bench.clock.now() }),
        refusal({ occurredAt: bench.clock.now() }),
      ]);
      await bench.stores.approvals.park(newApproval(), approvalEvidence, 20);
      await put(bench, { 'retention.days': 90 });
    });

    afterAll(() => put(bench, { 'retention.days': null }));

    it.each(EVERY_PARAMETER)(
      'contract 3.6: $path rejects a malformed $name by name',
      async ({ path, endpoint, name, kind, sample }) => {
        for (const value of sample(kind.refused)) {
          const calls = await bench.stores.callsDuring(async () => {
            expectInvalidQuery(await bench.api.get(`${path}?${name}=${value}`), endpoint, [name]);
          });
          expect({ value, calls }).toEqual({ value, calls: [] });
        }
      },
    );

    itOnEachStore.each(READ_ROUTES)(
      'contract 3.5: $path accepts every well-formed value of each parameter, and answers valid JSON',
      async ({ path, endpoint }) => {
        for (const { name, kind, sample } of EVERY_PARAMETER.filter((row) => row.path === path))
          for (const value of sample(kind.taken)) {
            const answer = await bench.api.get(`${path}?${name}=${value}`);
            expect({ name, value, status: answer.status }).toEqual({ name, value, status: 200 });
            expectEnvelope(answer, 200, endpoint);
          }
      },
    );

    it.each(READ_ROUTES)(
      'contract 3.4: $path ignores parameters that are repeated or arrays',
      async ({ path, endpoint, parameters }) => {
        const without = await dataOf(path, endpoint);
        // A refused value would be reported in every place that reads it.
        const refused = Object.entries(parameters).map(
          ([name, kind]) => [name, kind.refused[0] ?? ''] as const,
        );
        for (const notation of NOTATIONS) {
          for (let start = 0; start < refused.length; start += MOST_PARAMETERS) {
            const few = refused.slice(start, start + MOST_PARAMETERS);
            const query = few.map(([name, value]) => notation(name, value)).join('&');
            expectSame(query, await dataOf(`${path}?${query}`, endpoint), without);
          }
        }
      },
    );

    it.each(READ_ROUTES)(
      'contract 3.6: $path treats empty parameters as absent',
      async ({ path, endpoint, parameters }) => {
        const without = await dataOf(path, endpoint);
        const names = Object.keys(parameters);
        for (const query of [
          names.map((name) => `${name}=`).join('&'),
          names.join('&'),
          names.map((name) => `&${name}=&`).join('&'),
          `${names.map((name) => `${name}=`).join('&')}#fragment`,
        ]) {
          expectSame(query, await dataOf(`${path}?${query}`, endpoint), without);
        }
      },
    );

    it.each(READ_ROUTES)('contract 3.4: $path ignores unknown parameters', async ({ path, endpoint }) => {
      const without = await dataOf(path, endpoint);
      const unknown = [
        '?',
        '&&&',
        '=',
        '=1',
        '[]=1',
        '[x]=1&]=2',
        'page=2&offset=-1&order=id;drop',
        'CURSOR=abc&Limit=-1&From=tomorrow',
        '__proto__[limit]=-1&__proto__=1&constructor[prototype]=2&toString=3&hasOwnProperty=4',
        '%00=1&%ED%A0%80=2&%FF=3&%zz=4&%=5',
        '%20cursor=abc&cursor%20=abc&+limit=-1&limit%00=-1',
        `${'x'.repeat(4000)}=${'y'.repeat(4000)}`,
        Array.from({ length: 1500 }, (_, index) => `u${index}=1`).join('&'),
        'user=ops-9&as=operator',
      ];
      for (const query of unknown) {
        expectSame(query, await dataOf(`${path}?${query}`, endpoint), without);
      }
    });

    it.each(READ_ROUTES)('contract 2.3: $path names every offending field in one answer', async (route) => {
      const names = Object.keys(route.parameters);
      const query = names.map((name) => `${name}=${route.parameters[name]?.refused.at(-1)?.slice(0, 600)}`);
      expectInvalidQuery(await bench.api.get(`${route.path}?${query.join('&')}`), route.endpoint, names);
    });

    it.each(READ_ROUTES.filter(({ parameters }) => 'from' in parameters))(
      'contract 3.3: $path refuses a range that ends before it begins',
      async ({ path, endpoint }) => {
        for (const range of [
          'from=2026-05-03&to=2026-05-02',
          'from=2026-05-02T00:00:00.001Z&to=2026-05-02T00:00:00.000Z',
          'from=2026-05-03T00:00&to=2026-05-03T00:00%2B00:01',
        ]) {
          expectInvalidQuery(await bench.api.get(`${path}?${range}`), endpoint, ['from']);
        }
        await dataOf(`${path}?from=2026-05-02T23:59:59.999Z&to=2026-05-02`, endpoint);
        await dataOf(`${path}?from=2026-05-03&to=2026-05-02&to=2026-05-02`, endpoint);
      },
    );

    it.each(READ_ROUTES)('contract 3.4: $path names the parameters that it ignored', async ({ path }) => {
      const ignoredBy = async (query: string): Promise<unknown> =>
        (await bench.read<{ readonly ignored?: unknown }>(`${path}?${query}`)).ignored;
      expect(await ignoredBy('x=1&from[]=a&limit=1&limit=2')).toEqual(['from', 'limit', 'x']);
      expect(await ignoredBy('limit=&from=')).toBeUndefined();
    });

    it('contract 3.4: GET /audit names at most 20 ignored parameters, each in short', async () => {
      const ignoredBy = async (query: string): Promise<unknown> =>
        (await bench.read<AuditListData & { readonly ignored?: unknown }>(`/audit?${query}`)).ignored;
      expect(await ignoredBy('limit=1&q=&rule_id=x')).toBeUndefined();
      expect(await ignoredBy('rule=x&limit=1&tool[]=a&outcome=blocked&outcome=allowed&rule=y')).toEqual([
        'tool',
        'outcome',
        'rule',
      ]);
      expect(await ignoredBy(`${'x'.repeat(4000)}=1`)).toEqual(['x'.repeat(100)]);
      const many = Array.from({ length: 1500 }, (_, index) => `u${index}=1`).join('&');
      expect(await ignoredBy(many)).toHaveLength(20);
    });

    it('contract 3.4: an ignored parameter does not affect the others', async () => {
      const shown = await dataOf(
        `/audit?rule_id[]=x&principal_id=${principalId}&blocked=1&blocked=0`,
        'audit-list',
      );
      expect(shown).toMatchObject({ entries: [{ principal_id: principalId }], next_cursor: null });
    });

    it('contract 3.4: only & separates parameters, and the value begins after the first =', async () => {
      expectInvalidQuery(await bench.api.get('/audit?limit=1;blocked=1'), 'audit-list', ['limit']);
      expectInvalidQuery(await bench.api.get('/audit?limit=1=1'), 'audit-list', ['limit']);
    });

    it('malformed HTTP is refused by Node, and the host keeps running', async () => {
      for (const bytes of ['\xff', '\xed\xa0\x80', 'é']) {
        expect((await bench.host.get(`/audit?q=${bytes}`)).status).toBe(400);
      }
      expect((await bench.host.get(`/audit?q=${'x'.repeat(20_000)}`)).status).toBe(431);
      await dataOf('/audit', 'audit-list');
    });
  });
}
