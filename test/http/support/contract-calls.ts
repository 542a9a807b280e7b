import { expect } from '@jest/globals';
import type { TestClient } from './client.js';

/** Asserts the same calls in every host. */
export async function assertContract(client: TestClient): Promise<void> {
  const list = await client.get('/audit?limit=3&rule_id[]=a&blocked=0');
  expect(list.status).toBe(200);
  expect(list.body).toEqual({
    schema_version: 'guardrails.api.v1',
    schema: 'guardrails.api.v1.audit-list',
    data: { entries: [], next_cursor: null, ignored: ['rule_id'] },
  });
  expect((await client.call('HEAD', '/audit')).status).toBe(200);
  expect((await client.get('/audit?limit=x')).body.data.error.code).toBe('invalid_query');
  expect((await client.get('/audit/%E0%A4%A')).status).toBe(404);
  expect((await client.get('/audit/%E0%A4%A', { as: null })).status).toBe(401);
  expect((await client.get('/nowhere')).body.schema).toBe('guardrails.api.v1.error');
  expect((await client.call('DELETE', '/settings')).headers.allow).toBe('GET, HEAD, PUT');
  const tried = await client.post('/try/screen', { prompt: 'hello', extra: 1 });
  expect(tried.status).toBe(200);
  expect(tried.body.data).toMatchObject({ blocked: false });
  expect((await client.post('/try/screen', '{"prompt":')).body.data.error.code).toBe('malformed_json');
  expect((await client.post('/try/screen', '{"prompt":', { as: null })).status).toBe(401);
  const large = { prompt: 'x'.repeat(200 * 1024) };
  expect((await client.post('/try/screen', large)).status).toBe(200);
  const larger = { prompt: 'x'.repeat(300 * 1024) };
  expect((await client.post('/try/screen', larger)).body.data.error.code).toBe('body_too_large');
  expect((await client.post('/try/screen', larger, { as: null })).status).toBe(401);
  const put = await client.put('/settings', { settings: {} });
  expect(put.body.data).toMatchObject({ changed: [] });
}
