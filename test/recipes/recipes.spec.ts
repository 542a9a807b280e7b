import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bareDatabase, type FreshDatabase } from '../postgres/database.js';
import { pageOf, sectionOf } from '../support/markdown.js';
import { Workshop, type FilesTouched, type RunningHost } from './workshop.js';

const TOKEN_SECRET = 'a secret of the recipes, thirty-two bytes and more';

/** The recipes of CONTRIBUTING, and the host in which each is performed. */
const RECIPES = {
  'An access guard': 'guard',
  'A screener': 'screener',
  'A store backend': 'store',
  'An output detector': 'detector',
  'An event sink': 'sink',
  'A setting': 'setting',
} as const;

type Recipe = keyof typeof RECIPES;

/** What the recipe itself says: `_2 new files, 1 changed._` */
function promised(recipe: Recipe): FilesTouched {
  const [, sentence = ''] = /^_(.+)\._/m.exec(sectionOf(pageOf('CONTRIBUTING.md'), `### ${recipe}`)) ?? [];
  const count = (what: RegExp): number => Number(what.exec(sentence)?.[1] ?? 0);
  return { created: count(/(\d+) new files?/), changed: count(/(\d+) changed/) };
}

describe('the recipes, performed as they are written', () => {
  const touched = new Map<Recipe, FilesTouched>();
  const running: { stop(): Promise<unknown> }[] = [];
  let workshop: Workshop;
  let database: FreshDatabase;

  beforeAll(async () => {
    workshop = new Workshop();
    workshop.createHost('readme');
    for (const [recipe, name] of Object.entries(RECIPES)) {
      touched.set(recipe as Recipe, workshop.perform(recipe, name));
    }
    database = await bareDatabase();
    await workshop.compile();
  }, 120_000);

  afterEach(async () => {
    await Promise.all(running.splice(0).map((host) => host.stop()));
  });

  afterAll(async () => {
    workshop.close();
    await database.drop();
  });

  async function start(
    name: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<RunningHost> {
    const host = await workshop.start(name, { DATABASE_URL: database.url, TOKEN_SECRET, ...environment });
    running.push(host);
    return host;
  }

  it.each(Object.keys(RECIPES) as Recipe[])('%s touches as few files as it promises', (recipe) => {
    expect(touched.get(recipe)).toEqual(promised(recipe));
  });

  it('the module of the README answers 401 to strangers and 200 to operators, on PostgreSQL', async () => {
    const host = await start('readme');
    expect((await host.get('/overview', { as: null })).status).toBe(401);
    expect((await host.get('/overview', { as: 'visitor' })).status).toBe(403);
    expect((await host.get('/overview')).status).toBe(200);
    const changed = await host.put('/settings', { settings: { 'modes.hitl': 'monitor' } });
    expect(changed.body.data).toMatchObject({ changed: ['modes.hitl'] });
  });

  it('the module of the README does not start without its secret, and says so', async () => {
    await expect(start('readme', { TOKEN_SECRET: 'short' })).rejects.toThrow(
      /hitl\.token_secret needs at least/,
    );
  });

  it('an access guard: everybody looks, admins change', async () => {
    const host = await start('guard');
    const change = { settings: { 'retention.days': 30 } };
    expect((await host.get('/settings')).status).toBe(200);
    expect((await host.put('/settings', change)).body.data.error.code).toBe('forbidden');
    expect((await host.put('/settings', change, { as: 'admin' })).status).toBe(200);
    expect((await host.put('/settings', change, { as: null })).status).toBe(401);
  });

  it('a screener: what it objects to is blocked in its name', async () => {
    const host = await start('screener');
    const screened = await host.post('/try/screen', { prompt: 'When does Bluebird ship?' });
    expect(screened.body.data).toMatchObject({
      blocked: true,
      rule_id: 'code_names',
      matched_rules: [{ rule_id: 'code_names', span: [10, 18], text: 'Bluebird' }],
    });
    const harmless = await host.post('/try/screen', { prompt: 'When does my order ship?' });
    expect(harmless.body.data).toMatchObject({ blocked: false });
  });

  it('a store backend: passes the suite', async () => {
    const told = await workshop.node([
      '--test',
      workshop.outputOf('hosts/store/journal/journal-stores.spec.js'),
    ]);
    expect(told).toMatch(/^. fail 0$/m);
    expect(Number(/^. pass (\d+)$/m.exec(told)?.[1])).toBeGreaterThan(50);
  });

  it('a store backend: remembers beyond the process', async () => {
    const first = await start('store');
    await first.put('/settings', { settings: { 'retention.days': 30 } });
    await first.stop();
    const second = await start('store');
    expect((await second.get('/settings')).body.data).toMatchObject({
      overridden: ['retention.days'],
      settings: { retention: { days: 30 } },
    });
    const { data } = (await second.get('/settings/changes')).body;
    expect(data).toMatchObject({ changes: [{ actor_id: 'ops-1', key: 'retention.days', new_value: 30 }] });
  });

  it('an output detector: redacts its findings and nothing else', async () => {
    const host = await start('detector');
    const sanitized = await host.post('/try/sanitize', { text: 'NN 85.07.30-033.28, room 85.07.30-033.29' });
    expect(sanitized.body.data).toMatchObject({
      sanitized: 'NN [be_national_number], room 85.07.30-033.29',
      findings: [{ kind: 'pii_redaction', detector: 'be_national_number' }],
    });
  });

  it('an output detector: finds its own cases', async () => {
    const [{ builtInDetectors }, { PERSONAL_DATA }] = (await Promise.all(
      [
        'libs/engine/src/output/detectors/built-in-detectors.js',
        'test/support/detectors/personal-data.cases.js',
      ].map((path) => import(workshop.outputOf(path))),
    )) as [
      { builtInDetectors: { name: string; find(text: string): readonly unknown[] }[] },
      { PERSONAL_DATA: readonly string[] },
    ];
    const detector = builtInDetectors.find(({ name }) => name === 'be_national_number');
    const found = PERSONAL_DATA.filter((text) => detector?.find(text.replaceAll(/[«»]/g, '')).length === 1);
    expect(found).toEqual(['rijksregisternummer «85.07.30-033.28»']);
  });

  it('an event sink: hears of a change, and again when it could not listen', async () => {
    const heard: { readonly key: unknown; readonly event: unknown }[] = [];
    const board = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          heard.push({
            key: request.headers['idempotency-key'],
            event: JSON.parse(Buffer.concat(chunks).toString()) as unknown,
          });
          response.writeHead(heard.length === 1 ? 503 : 204).end();
          if (heard.length === 2) board.emit('heard twice');
        });
    });
    const twice = once(board, 'heard twice');
    await once(board.listen(0, '127.0.0.1'), 'listening');
    running.push({ stop: () => new Promise((resolve) => board.close(resolve)) });
    const { port } = board.address() as AddressInfo;

    const host = await start('sink', { CHANGE_BOARD_URL: `http://127.0.0.1:${port}/changes` });
    await host.put('/settings', { settings: { 'hitl.fallback': 'pass' } });
    await twice;
    expect(heard[1]).toEqual(heard[0]);
    expect(heard[0]).toMatchObject({
      key: expect.stringMatching(/./),
      event: {
        name: 'guardrails.settings.changed',
        actor_id: 'ops-1',
        keys: ['hitl.fallback'],
      },
    });
  });

  it('a setting: is shown, set, refused, documented and read from the environment', async () => {
    const host = await start('setting', { GUARDRAILS_HITL_OFFICE_HOURS: 'until five' });
    const shown = async (): Promise<unknown> => (await host.get('/settings')).body.data;
    expect(await shown()).toMatchObject({ settings: { hitl: { office_hours: 'until five' } } });
    const refused = await host.put('/settings', { settings: { 'hitl.office_hours': 5 } });
    expect([refused.status, Object.keys(refused.body.data.error.fields)]).toEqual([
      422,
      ['hitl.office_hours'],
    ]);
    await host.put('/settings', { settings: { hitl: { office_hours: 'nine to five' } } });
    expect(await shown()).toMatchObject({ settings: { hitl: { office_hours: 'nine to five' } } });

    await workshop.node(['docs/generate-reference.mjs']);
    expect(workshop.read('docs/reference/settings.md')).toContain('GUARDRAILS_HITL_OFFICE_HOURS');
    expect(workshop.read('docs/reference/openapi.json')).toContain('hitl.office_hours');
  });
});
