import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PanelFiles } from '#src/panel/panel-files.js';
import { TestHost } from '../support/host.js';
import { navigation, sessionMount } from './session-host.js';

const PANEL = '/guardrails/panel';
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

describe('the files of the panel', () => {
  const names = [...(PanelFiles.load()?.assets.keys() ?? [])];
  let host: TestHost;
  beforeAll(async () => {
    host = await TestHost.start({ mounts: [sessionMount()] });
  });
  afterAll(() => host.stop());

  const file = (name: string, encodings?: string) =>
    host.raw('GET', `${PANEL}/assets/${name}`, {
      as: null,
      headers: encodings === undefined ? {} : { 'accept-encoding': encodings },
    });

  it('are all that the page needs', async () => {
    const { text } = await host.raw('GET', PANEL, navigation('ops-1'));
    const needed = [...text.matchAll(/(?:src|href)="([^"]+\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(needed.map((path) => path.split('.').at(-1))).toEqual(
      expect.arrayContaining(['svg', 'js', 'css']),
    );
    for (const path of needed) expect((await host.raw('GET', path, { as: null })).status).toBe(200);
  });

  it('are preloaded by the page of their screen, together with the data that it reads first', async () => {
    const { text } = await host.raw('GET', `${PANEL}/approvals/17`, navigation('ops-1'));
    expect(text).toMatch(
      /<link rel="modulepreload" crossorigin href="[^"]+\/assets\/approval-[\w-]{8}\.js">/,
    );
    const reads = [
      ...text.matchAll(/<link rel="preload" as="fetch" crossorigin="anonymous" href="([^"]+)">/g),
    ];
    expect(reads.map(([, path]) => path)).toEqual([
      '/guardrails/api/approvals/17',
      '/guardrails/api/approvals?cursor=18&#38;limit=1',
      '/guardrails/api/overview',
      '/guardrails/api/me',
    ]);
  });

  it('include no script on the page of a refusal', async () => {
    const { text } = await host.raw('GET', PANEL, navigation());
    expect(text).toMatch(/<link rel="stylesheet"/);
    expect(text).not.toMatch(/<script|modulepreload/);
  });

  it('are public, and may be cached permanently, because a change changes their names', async () => {
    expect(names.length).toBeGreaterThan(5);
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    for (const name of names) {
      const { status, headers } = await file(name);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers['content-type']).toContain(types[name.split('.').at(-1) ?? '']);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(name).toMatch(/-[\w-]{8}\.\w+$/);
    }
  });

  it('are the same in every encoding', async () => {
    for (const name of names) {
      const plain = await file(name);
      const gzip = await file(name, 'gzip');
      const br = await file(name, 'gzip, deflate, br, zstd');
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect([gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'br']);
      for (const { headers } of [plain, gzip, br]) expect(headers.vary).toBe('Accept-Encoding');
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
      expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    }
  });

  it('are sent in an encoding that the client accepts', async () => {
    const [name = ''] = names;
    const encodingFor = async (accepted: string) => (await file(name, accepted)).headers['content-encoding'];
    expect(await encodingFor('br;q=0, gzip')).toBe('gzip');
    expect(await encodingFor('*')).toBe('br');
    expect(await encodingFor('identity')).toBeUndefined();
    expect(await encodingFor('zstd')).toBeUndefined();
  });

  it('are the only ones: no other path below the folder leads to a file', async () => {
    const paths = [
      '',
      'nothing.js',
      '../index.html',
      '..%2findex.html',
      '%2e%2e/index.html',
      `${names[0]}.br`,
    ];
    for (const path of paths) {
      const { status, headers, text } = await file(path);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        404,
        'text/plain; charset=utf-8',
        'no-store',
      ]);
      expect(text).toContain('no such file');
    }
    expect((await host.raw('POST', `${PANEL}/assets/${names[0]}`, { as: null })).status).toBe(405);
  });

  it('have a policy with Trusted Types and without inline scripts and styles, like the page', async () => {
    const page = await host.raw('GET', PANEL, navigation('ops-1'));
    for (const { headers } of [
      page,
      await file(names[0] ?? ''),
      await host.raw('GET', PANEL, navigation()),
    ]) {
      expect(headers).toMatchObject({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
      });
    }
    expect(page.text).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/);
  });

  it('include the page, which is checked again each time, behind the gate', async () => {
    const { headers } = await host.raw('GET', PANEL, navigation('ops-1'));
    expect(headers['cache-control']).toBe('private, no-cache');
    const again = { 'if-none-match': headers.etag ?? '' };
    const same = await host.raw('GET', PANEL, navigation('ops-1', again));
    expect([same.status, same.text, same.headers.etag]).toEqual([304, '', headers.etag]);
    expect(same.headers['content-security-policy']).toBe(CONTENT_SECURITY_POLICY);
    expect((await host.raw('GET', PANEL, navigation('ops-1', { 'if-none-match': '"old"' }))).status).toBe(
      200,
    );
    expect((await host.raw('GET', PANEL, navigation(undefined, again))).status).toBe(401);
  });
});
