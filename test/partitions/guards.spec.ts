import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { Retention, SystemClock } from '../../libs/engine/src/index.js';
import { grantStatements, typeormStores, type TableFacts } from '../../libs/stores/typeorm/src/index.js';
import { bareDatabase, onServer, refusalOf, type FreshDatabase } from '../postgres/database.js';
import { fill, monthsBefore, partitions, suffixOf, timeIn, withMaintenance } from './months.js';

const PARTITIONED = ['audit_evidence', 'audit_content', 'firewall_rejections', 'output_counts'];
const APPEND_ONLY = ['audit_evidence', 'firewall_rejections'];
const [OLDEST, OLD] = [monthsBefore(2), monthsBefore(1)];

const run = randomBytes(4).toString('hex');
const [application, keeper] = [`app_${run}`, `keeper_${run}`];

let database: FreshDatabase;

const asOwner = <Result>(work: (server: Client) => Promise<Result>): Promise<Result> =>
  onServer(work, database.url);

function urlOf(role: string): string {
  const url = new URL(database.url);
  url.username = role;
  url.password = 'secret';
  return url.href;
}

beforeAll(async () => {
  database = await bareDatabase();
  const stores = typeormStores({ url: database.url, partitions: 'monthly', migrate: true });
  await stores.open();
  await fill(database.url, stores, [OLDEST, OLD]);
  await stores.close();
  await asOwner(async (server) => {
    for (const role of [application, keeper])
      await server.query(`create role ${role} login password 'secret'`);
    const roles = { application, maintenance: keeper };
    await server.query(grantStatements(roles, { partitions: 'monthly' }).join('\n'));
  });
});

afterAll(async () => {
  await asOwner(async (server) => {
    for (const role of [application, keeper]) await server.query(`drop owned by ${role}; drop role ${role}`);
  });
  await database.drop();
});

const changes = (table: string): readonly string[] => [
  `update ${table} set occurred_at = occurred_at`,
  `delete from ${table}`,
  `truncate ${table}`,
];

describe('partitions', () => {
  it.each(APPEND_ONLY)('refuse the owner any change of %s, the whole of it and each', async (table) => {
    const each = (await partitions(database.url, table)).map((suffix) => `guardrails_${table}${suffix}`);
    expect(each).toHaveLength(5);
    for (const name of [`guardrails_${table}`, ...each])
      for (const change of changes(name))
        expect(await refusalOf(database.url, change)).toMatch(/^42501: guardrails_\w+ is append-only/);
  });

  it.each(PARTITIONED)('of %s are out of reach for both roles', async (table) => {
    for (const suffix of await partitions(database.url, table))
      for (const role of [application, keeper])
        for (const statement of ['select 1 from', 'delete from', 'truncate', 'drop table'])
          expect(await refusalOf(urlOf(role), `${statement} guardrails_${table}${suffix}`)).toMatch(
            /^42501: /,
          );
  });

  it('let no role make or drop one in another way than it is done', async () => {
    for (const statement of [
      'select guardrails_make_month(1)',
      'alter table guardrails_audit_evidence detach partition guardrails_audit_evidence' + suffixOf(OLD),
      `select setval('guardrails_audit_evidence_id_seq', 1)`,
    ])
      for (const role of [application, keeper])
        expect(await refusalOf(urlOf(role), statement)).toMatch(/^42501: /);
    expect(await refusalOf(urlOf(application), `select guardrails_drop_month(${OLDEST})`)).toMatch(
      /^42501: permission denied/,
    );
    for (const claim of ['', `select set_config('guardrails.retention', '1', true);`])
      expect(
        await refusalOf(urlOf(keeper), `begin; ${claim} select guardrails_drop_month(${OLDEST}); commit`),
      ).toMatch(/^42501: Month \d+ is not expired/);
  });

  it('let the schedule of an application forget in the maintenance role, where it is given one', async () => {
    const scope = { kind: 'before', before: timeIn(OLDEST, 30) } as const;
    const order = { strategy: 'purge', actorId: 'ops-1', scope } as const;
    const place = { url: urlOf(application), partitions: 'monthly' } as const;
    const applied = async (options: { readonly maintenanceUrl?: string }): Promise<unknown> => {
      const stores = typeormStores({ ...place, ...options });
      await stores.open();
      const retention = new Retention(stores.retention, new SystemClock());
      try {
        const done = await retention.apply(order);
        return [done?.counts.entries, await stores.retention.tell(done?.id ?? 0, [])];
      } catch (error) {
        return String(error);
      } finally {
        await stores.close();
      }
    };
    expect(await applied({})).toMatch(/permission denied/);
    expect(await applied({ maintenanceUrl: urlOf(keeper) })).toEqual([1, true]);
  });

  it('let the application work, and maintenance drop what is expired', async () => {
    const stores = typeormStores({ url: urlOf(application), partitions: 'monthly' });
    await stores.open();
    expect((await stores.audit.list({}, { limit: 50 })).entries).toHaveLength(6);
    await stores.close();
    await withMaintenance(urlOf(keeper), async (maintenance) => {
      const retention = new Retention(maintenance.retention(), new SystemClock());
      const scope = { kind: 'before', before: timeIn(OLD) } as const;
      const done = await retention.apply({ strategy: 'purge', actorId: 'ops-1', scope });
      expect(done?.counts.entries).toBe(2);
    });
    expect((await partitions(database.url))[0]).toBe(suffixOf(OLD));
  });
});

describe('an inspection', () => {
  const inspected = (url: string) => withMaintenance(url, (maintenance) => maintenance.inspect());

  it('finds every month there and guarded, and says what a role may call', async () => {
    const [seen, kept] = [await inspected(urlOf(application)), await inspected(urlOf(keeper))];
    expect(seen.months).toEqual({ missingNow: [], missingAhead: [], mayMake: true, mayDrop: false });
    expect(kept.months).toMatchObject({ mayMake: true, mayDrop: true });
    const troubled = ({ lacks, exceeds, unguarded }: TableFacts): boolean =>
      lacks.length + exceeds.length + unguarded.length > 0;
    expect(seen.tables.filter(troubled)).toEqual([]);
    expect(seen.tables.map(({ name }) => name)).toContain(`guardrails_audit_evidence${suffixOf(OLD)}`);
  });

  it('finds a partition that lost its trigger, one that a role can reach, and one that is not there', async () => {
    const [open, ahead] = [`guardrails_audit_evidence${suffixOf(OLD)}`, monthsBefore(-2)].map(String);
    const reached = `guardrails_firewall_rejections${suffixOf(OLD)}`;
    await asOwner((server) =>
      server.query(`alter table ${open} disable trigger all; grant delete on ${reached} to ${application};
        drop table guardrails_audit_content${suffixOf(Number(ahead))}`),
    );
    const { tables, months } = await inspected(urlOf(application));
    const of = (name: string | undefined) => tables.find((table) => table.name === name);
    expect(of(open)?.unguarded).toEqual(['UPDATE', 'DELETE', 'TRUNCATE']);
    expect(of(reached)?.exceeds).toEqual(['DELETE']);
    expect(months?.missingAhead).toEqual([`guardrails_audit_content${suffixOf(Number(ahead))}`]);
    await withMaintenance(database.url, (maintenance) => maintenance.migrate(() => undefined));
    expect((await inspected(database.url)).months?.missingAhead).toEqual([]);
  });
});
