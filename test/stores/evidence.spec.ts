import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { approvalEvidence, decision, newApproval, refusal, settingsPlan } from '#stores/contract/index.js';
import { EVIDENCE_COLUMNS, rowHashOf } from '#stores/typeorm/database/entry-columns.js';
import { freshDatabase, openStores, rowsOf } from '../postgres/database.js';
import { emptyTables } from './empty-tables.js';

const database = await freshDatabase();
let stores: StoreBackend;

beforeEach(async () => {
  await emptyTables(database);
  stores = await openStores(database);
});

afterEach(() => stores.close());

afterAll(() => database.drop());

const sql = (text: string, values?: unknown[]) => rowsOf(database.url, text, values);

interface EvidenceRow {
  readonly id: string;
  readonly writer: string;
  readonly sequence: string;
  readonly row_hash: Buffer;
  readonly [column: string]: unknown;
}

const evidence = (): Promise<readonly EvidenceRow[]> =>
  sql('select * from guardrails_audit_evidence order by id') as Promise<readonly EvidenceRow[]>;

/** Ids of the rows whose hash does not follow from their own columns. */
function brokenHashes(rows: readonly EvidenceRow[]): number[] {
  return rows.flatMap((row) => {
    const values = EVIDENCE_COLUMNS.map(([name, type]) =>
      type === 'bigint' && row[name] !== null ? Number(row[name]) : row[name],
    );
    const expected = rowHashOf(row.writer, Number(row.sequence), values);
    return expected.equals(row.row_hash) ? [] : [Number(row.id)];
  });
}

const HOSTILE = ['\u0000', '\uD800', '😀', '"\\', "'--", '\r\n', '\u2028'].join('x');

describe('the hashes of the evidence', () => {
  it('can be checked with the rows of the table alone', async () => {
    const parts = { ruleId: HOSTILE, application: HOSTILE, runId: HOSTILE, rulesetVersion: HOSTILE };
    await stores.audit.append(decision({ ...parts, matchedRules: [{ ruleId: HOSTILE, span: [0, 1] }] }));
    await Promise.all(Array.from({ length: 30 }, () => stores.audit.append(decision())));
    await stores.approvals.park(newApproval(), approvalEvidence, 20);
    await stores.audit.append(decision({ occurredAt: new Date('0000-01-01T00:00:00.000Z') }));
    const rows = await evidence();
    expect(brokenHashes(rows)).toEqual([]);
    const [writer, other, ...more] = new Set(rows.map((row) => row.writer));
    expect(more).toEqual([]);
    const numbers = (of?: string): number[] =>
      rows.filter((row) => row.writer === of).map(({ sequence }) => Number(sequence));
    expect(numbers(writer)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
    expect(numbers(other)).toEqual([1]);
  });

  it('have no gap if a decision of a batch was refused', async () => {
    const decisions = Array.from({ length: 9 }, (_, index) =>
      decision({ promptLength: index === 4 ? 2 ** 70 : index }),
    );
    const settled = await Promise.allSettled(decisions.map((one) => stores.audit.append(one)));
    expect(settled.map(({ status }) => status).indexOf('rejected')).toBe(4);
    const rows = await evidence();
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(brokenHashes(rows)).toEqual([]);
  });

  it('reveal a change that bypassed the triggers', async () => {
    for (let index = 0; index < 4; index++) await stores.audit.append(decision());
    const [, second] = await evidence();
    await sql(`set session_replication_role = replica;
      update guardrails_audit_evidence set outcome = 'blocked' where id = ${second?.id}`);
    expect(brokenHashes(await evidence())).toEqual([Number(second?.id)]);
  });

  it('continue with another writer after a batch whose commit is uncertain', async () => {
    await stores.audit.append(decision());
    await sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'nest-guardrails'`);
    // Each connection of the pool fails once.
    for (let appended = false; !appended;) {
      appended = await stores.audit.append(decision()).then(
        () => true,
        () => false,
      );
    }
    expect(brokenHashes(await evidence())).toEqual([]);
  });
});

describe('append-only tables', () => {
  const TABLES = ['audit_evidence', 'firewall_rejections', 'setting_changes'];

  beforeEach(async () => {
    await stores.audit.append(refusal());
    await stores.settings.apply(() => settingsPlan({ overrides: { 'modes.hitl': 'off' } }));
  });

  it.each(TABLES)('refuse UPDATE, DELETE and TRUNCATE: %s', async (table) => {
    for (const statement of [
      `update guardrails_${table} set occurred_at = now()`,
      `delete from guardrails_${table}`,
      `truncate guardrails_${table}`,
      `set guardrails.retention = '1'; delete from guardrails_${table}`,
    ]) {
      await expect(sql(statement)).rejects.toThrow(/is append-only: (UPDATE|DELETE|TRUNCATE) is refused/);
    }
  });

  const RUN = `insert into guardrails_retention_runs (actor_id, strategy, scope, counts, started_at)
    values ('ops-1', 'purge', '{}', '{}', now()) returning id`;

  it.each(TABLES)(
    'permit a retention run to delete, and nothing else, in the transaction that records it: %s',
    async (table) => {
      const asRun = (statement: string): string => `begin;
      do $run$ declare run text; begin ${RUN.replace('returning id', 'returning id::text into run')};
        perform set_config('guardrails.retention', run, true); end $run$;
      ${statement}; commit`;
      for (const statement of [
        `update guardrails_${table} set occurred_at = now()`,
        `truncate guardrails_${table}`,
      ]) {
        await expect(sql(asRun(statement))).rejects.toThrow(/is append-only/);
      }
      await sql(asRun(`delete from guardrails_${table}`));
      expect(await sql(`select 1 from guardrails_${table}`)).toEqual([]);
    },
  );

  it('refuse a DELETE that names an earlier retention run', async () => {
    const [run] = await sql(RUN);
    const late = `begin; set local guardrails.retention = '${String(run?.['id'])}';
      delete from guardrails_audit_evidence; commit`;
    await expect(sql(late)).rejects.toThrow(/is append-only/);
  });
});

describe('an erased principal', () => {
  it('leaves the evidence without a name, and no filter finds it', async () => {
    const id = await stores.audit.append(decision({ principalId: 'customer-42' }));
    await sql(`delete from guardrails_principals where name = 'customer-42'`);
    expect(await stores.audit.find(id)).toMatchObject({ principalId: null });
    const ofPrincipal = { principal_id: 'customer-42' };
    expect((await stores.audit.list(ofPrincipal, { limit: 5 })).entries).toEqual([]);
    const again = await stores.audit.append(decision({ principalId: 'customer-42' }));
    expect((await stores.audit.list(ofPrincipal, { limit: 5 })).entries).toMatchObject([{ id: again }]);
  });
});
