import { request } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { expectError } from '../support/envelope.js';
import { TestHost } from '../support/host.js';
import { WatchedStores } from '../support/watched-stores.js';
import type { Answer } from '../support/client.js';

const host = await TestHost.start();

afterAll(() => host.stop());

const judged = ({ status, body }: Answer): readonly [number, string | undefined] => [
  status,
  (body.data as Partial<typeof body.data>).error?.code,
];

const nested = (levels: number): string => `{"a":`.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);

describe('contract 2.3: a body', () => {
  it.each([
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'prompt=x'],
    ['application/json; charset=latin1', '{"prompt":"x"}'],
    ['application/jsonp', '{"prompt":"x"}'],
    ['', '{"prompt":"x"}'],
  ])('of type %p is rejected', async (type, body) => {
    const answer = await host.post('/try/screen', body, { headers: { 'content-type': type } });
    expect(judged(answer)).toEqual([415, 'unsupported_media_type']);
  });

  it.each([
    'application/json; charset=UTF-8',
    'Application/JSON',
    'application/problem+json',
    'application/json;charset="utf-8"',
  ])('of type %p is accepted', async (type) => {
    const answer = await host.post('/try/screen', { prompt: 'x' }, { headers: { 'content-type': type } });
    expect(answer.status).toBe(200);
  });

  it('is rejected if it is compressed', async () => {
    const answer = await host.post(
      '/try/screen',
      { prompt: 'x' },
      { headers: { 'content-encoding': 'gzip' } },
    );
    expect(judged(answer)).toEqual([415, 'unsupported_media_type']);
  });

  it.each([
    ['{"prompt":', 400, 'malformed_json'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, 'malformed_json'],
    ['{"prompt":"x"} trailing', 400, 'malformed_json'],
    ['[]', 422, 'invalid_body'],
    ['null', 422, 'invalid_body'],
    ['"prompt"', 422, 'invalid_body'],
    ['{}', 422, 'invalid_body'],
    ['{"prompt":["x"]}', 422, 'invalid_body'],
    ['{"prompt":{"constructor":1}}', 422, 'invalid_body'],
    [nested(64), 422, 'invalid_body'],
    [nested(65), 400, 'malformed_json'],
    ['['.repeat(200_000), 400, 'malformed_json'],
    [`{"prompt":"${'['.repeat(100)}\\\\"}`, 200, undefined],
  ])('of %p is answered with %d %s', async (body, status, code) => {
    expect(judged(await host.post('/try/screen', body))).toEqual([status, code]);
  });

  it('may be missing only for approve and reject', async () => {
    expect(judged(await host.call('POST', '/approvals/x/approve'))).toEqual([404, 'not_found']);
    expect(judged(await host.call('POST', '/try/screen'))).toEqual([415, 'unsupported_media_type']);
    const empty = await host.post('/try/screen', '');
    expect(judged(empty)).toEqual([400, 'malformed_json']);
  });

  it('may have 256 KiB, and 4 MiB for settings', async () => {
    const fitting = JSON.stringify({ prompt: 'x'.repeat(256 * 1024 - 13) });
    expect(Buffer.byteLength(fitting)).toBe(256 * 1024);
    expect((await host.post('/try/screen', fitting)).status).toBe(200);
    expect(judged(await host.post('/try/screen', `${fitting} `))).toEqual([413, 'body_too_large']);
    expect(judged(await host.put('/settings', { settings: {}, note: 'x'.repeat(1024 * 1024) }))).toEqual([
      200,
      undefined,
    ]);
    expect(judged(await host.put('/settings', 'x'.repeat(4 * 1024 * 1024 + 1)))).toEqual([
      413,
      'body_too_large',
    ]);
  });

  it('is counted while it arrives in chunks', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${host.origin}/guardrails/api/try/screen`, {
        method: 'POST',
        headers: { authorization: 'Bearer operator', 'content-type': 'application/json' },
      });
      call.on('error', reject).on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      for (let chunk = 0; chunk < 16; chunk++) call.write('x'.repeat(64 * 1024));
      call.end();
    });
    expect(answer).toBe(413);
  });

  it('without an end is refused, and the host keeps running', async () => {
    const outcome = await new Promise<number | undefined>((resolve) => {
      const call = request(`${host.origin}/guardrails/api/try/screen`, {
        method: 'POST',
        headers: { authorization: 'Bearer operator', 'content-type': 'application/json' },
      });
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const more = (): void => void call.write(chunk, () => !call.destroyed && more());
      call
        .on('error', () => resolve(undefined))
        .on('response', (response) => {
          call.destroy();
          resolve(response.statusCode);
        });
      more();
    });
    expect([413, undefined]).toContain(outcome);
    expect((await host.get('/overview')).status).toBe(200);
  });

  it('of a read is ignored', async () => {
    expect((await host.call('GET', '/audit', { body: '{' })).status).toBe(200);
  });

  it('cannot change a prototype', async () => {
    const hostile =
      '{"settings":{"__proto__":{"polluted":1},"constructor":{"prototype":{}},"modes":{"__proto__":1}}}';
    const answer = await host.put('/settings', hostile);
    expect(judged(answer)).toEqual([422, 'not_overridable']);
    expect(Object.keys(answer.body.data.error.fields)).toEqual([
      '__proto__',
      'constructor',
      'modes.__proto__',
    ]);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('contract 2.4: the checks of a request', () => {
  it('run in the order gate, path and verb, body, actor, fields, existence', async () => {
    const approve = '/approvals/unknown/approve';
    const wrongType = { headers: { 'content-type': 'text/plain' } };
    expect(judged(await host.post(approve, 'x', { ...wrongType, as: null }))).toEqual([
      401,
      'unauthenticated',
    ]);
    expect(judged(await host.put(approve, 'x', { ...wrongType, as: 'nameless' }))).toEqual([
      405,
      'method_not_allowed',
    ]);
    expect(judged(await host.post(approve, 'x', { ...wrongType, as: 'nameless' }))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(judged(await host.post(approve, '{', { as: 'nameless' }))).toEqual([400, 'malformed_json']);
    expect(judged(await host.post(approve, '[]', { as: 'nameless' }))).toEqual([403, 'actor_required']);
    expect(judged(await host.post(approve, '[]'))).toEqual([422, 'invalid_body']);
    expect(judged(await host.post(approve, { reason: 'x'.repeat(1001) }))).toEqual([422, 'invalid_body']);
    expect(judged(await host.post(approve, { reason: 'x' }))).toEqual([404, 'not_found']);
    const stale = { headers: { 'if-match': '"stale"' } };
    expect(judged(await host.put('/settings', { settings: { nothing: 1 } }, stale))).toEqual([
      422,
      'not_overridable',
    ]);
    expect(judged(await host.put('/settings', { settings: {} }, stale))).toEqual([412, 'stale_settings']);
  });

  it('contract 2.1: a wrong verb keeps the schema and has an Allow header', async () => {
    const answer = await host.call('DELETE', '/audit/trend');
    expect(answer.body.schema).toBe('guardrails.api.v1.audit-trend');
    expect(answer.headers.allow).toBe('GET, HEAD');
    expect((await host.get('/approvals/x/approve')).headers.allow).toBe('POST');
  });
});

describe('contract 3.5: an answer', () => {
  it('is always valid UTF-8, and an invalid request id is replaced', async () => {
    const answer = await host.post('/try/sanitize', '{"text":"a\\ud800b\\u0000c"}', {
      headers: { 'x-request-id': 'no spaces allowed' },
    });
    expect(answer.body.data).toMatchObject({ sanitized: 'a\uFFFDbc' });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is never "not modified"', async () => {
    const { headers } = await host.get('/settings');
    expect(headers.etag).toMatch(/^"[^"]+"$/);
    const again = await host.get('/settings', { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(again.status).toBe(200);
    expect((await host.get('/overview')).headers).not.toHaveProperty('etag');
  });
});

describe('contract 7.1: unknown members of a decision', () => {
  it.each(['/approvals/no-such-token/approve', '/approvals/no-such-token/reject', '/approvals/x/resolve'])(
    'are refused and named by POST %s, before the approval is looked up',
    async (path) => {
      const stores = new WatchedStores(memoryStores());
      const own = await TestHost.start({ guardrails: { stores } });
      const decision = path.endsWith('resolve') ? { status: 'executed', reason: 'seen' } : { reason: 'seen' };
      const calls = await stores.callsDuring(async () => {
        const body = `${JSON.stringify({ ...decision, arguments: { amount: 2 }, Actor: 'x' }).slice(0, -1)},"__proto__":1}`;
        const endpoint = path.endsWith('resolve') ? 'approval-resolution' : 'approval-decision';
        const { error } = expectError(await own.post(path, body), 422, endpoint, 'invalid_body').data;
        expect(Object.keys(error.fields).toSorted()).toEqual(['Actor', '__proto__', 'arguments']);
        const wrong = await own.post(path, { reason: 1, more: 1, less: 2 });
        const named = Object.keys(expectError(wrong, 422, endpoint, 'invalid_body').data.error.fields);
        expect(named).toEqual(expect.arrayContaining(['reason', 'more', 'less']));
      });
      expect(calls).toEqual([]);
      expect((await own.post(path, { ...decision, actor: 'ops-9' })).status).toBe(404);
      await own.stop();
    },
  );
});
