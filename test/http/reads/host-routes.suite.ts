import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/client.js';
import { expectEnvelope } from '../support/envelope.js';
import type { Bench } from '../support/hosts.js';

/** An answer of the host has no part of the API: no envelope and no headers. */
function expectHostsOwn(answer: Answer, status: number, body: unknown): void {
  expect({ status: answer.status, body: JSON.parse(answer.text) as unknown }).toEqual({ status, body });
  for (const ours of ['x-request-id', 'x-content-type-options'])
    expect(answer.headers).not.toHaveProperty(ours);
  expect(answer.headers['cache-control']).not.toBe('no-store');
  expect(answer.text).not.toContain('schema_version');
}

const NOT_OURS = [
  '/guardrails',
  '/guardrails/',
  '/guardrails/apis',
  '/guardrails/api-docs',
  '/guardrails/ap',
  '/x/guardrails/api/audit',
  '/Guardrails/Api/audit',
  '/guardrails//api/audit',
  '/guardrails%2Fapi/audit',
  '/guardrails/%61pi/audit',
  '/guardrails/api%2Faudit',
  '/guardrails/api;x/audit',
];

export function describeHostRoutes(bench: Bench): void {
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    bench.host.raw(method, path, { as: null, body });

  if (bench.hostKind === 'plain') {
    describe("contract 1.4: the plain host's own routes", () => {
      it('are unchanged, without authentication too', async () => {
        expectHostsOwn(await ask('GET', '/hosts-own'), 200, { from: 'host' });
        expectHostsOwn(await ask('POST', '/hosts-own', { any: 'thing' }), 201, { taken: true });
      });

      it.each(NOT_OURS)('%s is answered by the host', async (path) => {
        expectHostsOwn(await ask('GET', path), 404, {
          message: `Cannot GET ${path}`,
          error: 'Not Found',
          statusCode: 404,
        });
      });

      it('the host parses and refuses bodies itself', async () => {
        const refused = await ask('POST', '/hosts-own', '{');
        expect(refused.status).toBe(400);
        expect(JSON.parse(refused.text)).toMatchObject({ statusCode: 400 });
      });
    });
    return;
  }

  describe("contract 1.4: the crowded host's own routes", () => {
    it('pass its interceptors, guards and pipes, and none of the API', async () => {
      const open = await ask('GET', '/v9/v1/shop');
      expectHostsOwn(open, 200, { wrapped: { shop: 'open' } });
      expect(open.headers['x-stamped']).toBe('by the host');
      expectHostsOwn(await ask('GET', '/v9/v1/shop/office'), 403, { sorry: 403 });
      expectHostsOwn(await ask('GET', '/v9/v1/shop/broken'), 500, { sorry: 500 });
      expectHostsOwn(await ask('GET', '/v9/v1/shop/price?amount=12'), 200, { wrapped: { price: '12' } });
      expectHostsOwn(await ask('GET', '/v9/v1/shop/price?amount=12&more=1'), 400, { sorry: 400 });
      expectHostsOwn(await ask('GET', '/v9/v1/shop/price'), 400, { sorry: 400 });
    });

    it('keep their query parser and their complete bodies', async () => {
      expectHostsOwn(await ask('GET', '/v9/v1/shop/echo?a[b]=1&c[]=2&c[]=3'), 200, {
        wrapped: { query: { a: { b: '1' }, c: ['2', '3'] } },
      });
      expectHostsOwn(await ask('POST', '/v9/v1/shop/weigh', 'x'.repeat(600_000)), 201, {
        wrapped: { bytes: 600_000 },
      });
    });

    it.each(NOT_OURS)('%s belongs to the host, with and without the global prefix', async (path) => {
      const outside = await ask('GET', path);
      expect(outside.status).toBe(404);
      expect(outside.headers['content-type']).toMatch(/^text\/html/);
      expect(outside.headers).not.toHaveProperty('x-request-id');
      expectHostsOwn(await ask('GET', `/v9${path}`), 200, { wrapped: { page: 'of the host' } });
    });

    it('the host serves every other path, and no path of the API', async () => {
      expectHostsOwn(await ask('GET', '/v9/anything/else'), 200, { wrapped: { page: 'of the host' } });
      expectHostsOwn(await ask('GET', '/v9/guardrails/api/overview'), 200, {
        wrapped: { page: 'of the host' },
      });
      const answer = await bench.host.raw('GET', '/guardrails/api/overview');
      expectEnvelope(answer, 200, 'overview');
      expect(answer.headers).not.toHaveProperty('x-stamped');
      expectEnvelope(await bench.host.raw('GET', '/guardrails/api/nowhere'), 404, 'error');
      expectEnvelope(await bench.host.raw('GET', '/guardrails/api/overview', { as: null }), 401, 'overview');
    });
  });
}
