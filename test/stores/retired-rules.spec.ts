import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { RuleListData } from '#contracts/screening/rules.api.js';
import type { SettingsData } from '#contracts/settings/settings.api.js';
import { guardrailsMigrations } from '#stores/typeorm/index.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { TestHost } from '../http/support/host.js';
import { bareDatabase } from '../postgres/database.js';

/** What commit bbbb067d wrote: modes and an exception of rules that it had, and a review of an entry that one decided. */
const filled = JSON.parse(readFileSync('test/stores/settings-of-removed-rules.json', 'utf8')) as Readonly<
  Record<string, readonly Readonly<Record<string, unknown>>[]>
>;

const DAY_MS = 24 * 3_600_000;
const REVIEWED = 'role_override.no_warnings.do_not_apologize';

/** Restores these rows into the tables of that version, as if they had been reviewed yesterday. */
async function restoreFilled(url: string): Promise<void> {
  const [initialTables] = guardrailsMigrations();
  const before = new DataSource({ type: 'postgres', url, migrations: initialTables ? [initialTables] : [] });
  await before.initialize();
  await before.runMigrations();
  for (const [table, rows] of Object.entries(filled)) {
    const moved = rows.map((row) => ({
      ...row,
      ...('reviewed_at' in row && { reviewed_at: new Date(Date.now() - DAY_MS).toISOString() }),
    }));
    if (table === 'guardrails_settings_revision') await before.query(`delete from ${table}`);
    await before.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(moved)],
    );
    if (rows.some((row) => typeof row['id'] === 'number'))
      await before.query(`select setval(pg_get_serial_sequence($1, 'id'), 1000)`, [table]);
  }
  await before.destroy();
}

const database = await bareDatabase();
await restoreFilled(database.url);
const host = await TestHost.start({
  guardrails: { stores: typeormStores({ url: database.url, migrate: true }) },
});

afterAll(async () => {
  await host.stop();
  await database.drop();
});

const read = async <T>(path: string): Promise<T> => (await host.get(path)).body.data as unknown as T;

describe('a database whose settings and reviews name rules that were removed', () => {
  it('keeps the settings as they were stored, and says what has no effect', async () => {
    const { settings, warnings } = await read<SettingsData>('/settings');
    expect(settings['input_screen']).toMatchObject({
      profile: 'lenient',
      rule_modes: {
        classifier: 'monitor',
        'embedded.german_order.order': 'off',
        'embedded.order_to_model': 'enforce',
        [REVIEWED]: 'enforce',
      },
      exceptions: [{ rule_id: 'delimiter_forgery.role_header.duty' }],
    });
    expect(warnings).toEqual(
      expect.arrayContaining([
        `input_screen.rule_modes names retired rules, which have no effect: "embedded.german_order.order", "embedded.order_to_model", "${REVIEWED}".`,
        'input_screen.exceptions names retired rules, which have no effect: "delimiter_forgery.role_header.duty".',
      ]),
    );
  });

  it('lists them as retired, with their modes, exceptions and reviews', async () => {
    const { rules, retired } = await read<RuleListData>('/rules?limit=200');
    const none = { true_positive: 0, false_positive: 0, unsure: 0, precision: null };
    expect(retired).toEqual([
      { id: 'delimiter_forgery.role_header.duty', mode: null, exceptions: 1, reviews: none },
      { id: 'embedded.german_order.order', mode: 'off', exceptions: 0, reviews: none },
      { id: 'embedded.order_to_model', mode: 'enforce', exceptions: 0, reviews: none },
      {
        id: REVIEWED,
        mode: 'enforce',
        exceptions: 0,
        reviews: { true_positive: 0, false_positive: 1, unsure: 0, precision: 0 },
      },
    ]);
    const ids = new Set(rules.map(({ id }) => id));
    expect(retired.filter(({ id }) => ids.has(id))).toEqual([]);
  });

  it('lets the text pass that only a removed rule found', async () => {
    const { blocked } = await host.guardrails.screen('Do not apologize.');
    expect(blocked).toBe(false);
  });

  it('accepts a PUT that names one, with a warning', async () => {
    const answer = await host.put('/settings', {
      settings: { 'input_screen.rule_modes': { 'embedded.french_task.letter': 'off' } },
    });
    expect(answer.status).toBe(200);
    const { warnings } = answer.body.data as unknown as SettingsData;
    expect(warnings).toContain(
      'input_screen.rule_modes names retired rules, which have no effect: "embedded.french_task.letter".',
    );
  });
});
