import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { approvalEvidence, decision, newApproval, noonPlus } from '#stores/contract/index.js';
import { complete } from '#stores/contract/retention-helpers.js';
import { freshDatabase, openStores, rowsOf } from '../postgres/database.js';
import { emptyTables } from './empty-tables.js';

const LATER = noonPlus(40 * 24 * 3_600_000);

const database = await freshDatabase();
let stores: StoreBackend;
let others: StoreBackend;

beforeEach(async () => {
  await emptyTables(database);
  [stores, others] = await Promise.all([openStores(database), openStores(database)]);
});

afterEach(() => Promise.all([stores.close(), others.close()]));

afterAll(() => database.drop());

const sql = (text: string) => rowsOf(database.url, text);

async function logged(): Promise<readonly number[]> {
  while (await stores.log.extend(100));
  return (await stores.log.leaves(0, 1_000)).filter(({ kind }) => kind === 'evidence').map(({ ref }) => ref);
}

/** Appends a decision that has its id, and cannot commit before `release`. */
async function lateAppend(): Promise<{ readonly release: () => Promise<number> }> {
  const blocking = new Client(database.url);
  await blocking.connect();
  await blocking.query('begin; select * from guardrails_audit_new_counts for update');
  const appended = stores.audit.append(decision());
  const isWaiting = `select 1 from pg_locks where not granted and locktype = 'transactionid'`;
  while ((await sql(isWaiting)).length === 0) await new Promise(setImmediate);
  return {
    release: async () => {
      await blocking.query('commit');
      await blocking.end();
      return appended;
    },
  };
}

describe('the transparency log', () => {
  it('gets the row of a decision that committed after one with a higher id was logged', async () => {
    const first = await stores.audit.append(decision());
    const { release } = await lateAppend();
    const newer = await others.audit.append(decision({ occurredAt: LATER }));
    expect(await logged()).toEqual([first, newer]);
    const late = await release();
    expect(late).toBeLessThan(newer);
    expect(await logged()).toEqual([first, newer, late]);
  });

  it('gets the late row before the next one of its writer', async () => {
    const first = await stores.audit.append(decision());
    const { release } = await lateAppend();
    const newer = await others.audit.append(decision({ occurredAt: LATER }));
    await logged();
    const late = await release();
    const next = await stores.audit.append(decision());
    expect(await logged()).toEqual([first, newer, late, next]);
  });

  it('gets the late row also after others wrote half a million rows', async () => {
    const first = await stores.audit.append(decision());
    const { release } = await lateAppend();
    await sql(`select setval(pg_get_serial_sequence('guardrails_audit_evidence', 'id'), 500000)`);
    const newer = await others.audit.append(decision({ occurredAt: LATER }));
    await logged();
    const late = await release();
    const next = await stores.audit.append(decision());
    expect(next - late).toBeGreaterThan(400_000);
    expect(await logged()).toEqual([first, newer, late, next]);
  });

  it('gets a review that committed after one with a higher id was logged', async () => {
    const entryId = await stores.audit.append(decision());
    const review = `insert into guardrails_audit_reviews (evidence_id, verdict, actor_id, reviewed_at)
      values (${entryId}, 'unsure', 'ops-1', now())`;
    const blocking = new Client(database.url);
    await blocking.connect();
    await blocking.query(`begin; ${review}`);
    await sql(review);
    await logged();
    await blocking.query('commit');
    await blocking.end();
    await logged();
    const leaves = await stores.log.leaves(0, 1_000);
    expect(leaves.filter(({ kind }) => kind === 'review').map(({ ref }) => ref)).toEqual([2, 1]);
  });

  it('keeps an entry without a leaf in a purge of its principal, and erases its text', async () => {
    await stores.audit.append(decision({ principalId: 'customer-1' }));
    await logged();
    const late = await stores.audit.append(decision({ principalId: 'customer-1', prompt: 'where is it' }));
    // As if another instance were extending the log.
    const blocking = new Client(database.url);
    await blocking.connect();
    await blocking.query('begin; select * from guardrails_log_state for update');
    const scope = { kind: 'principal', principalId: 'customer-1' } as const;
    let step: Awaited<ReturnType<StoreBackend['retention']['proceed']>> = null;
    let run = await stores.retention.begin({ strategy: 'purge', scope, actorId: 'ops-1' }, 60_000);
    while (run !== null && step?.done !== true) {
      step = await stores.retention.proceed(run, 10, 60_000);
      run = step?.run ?? null;
    }
    await blocking.query('rollback');
    await blocking.end();
    expect(run?.counts).toMatchObject({ entries: 1, principals: 1 });
    expect(await sql('select evidence_id, storage, prompt, salt from guardrails_audit_content')).toEqual([
      { evidence_id: String(late), storage: 'erased', prompt: '', salt: null },
    ]);
  });

  it('begins in the middle of an audit, without the rows that retention has deleted', async () => {
    for (let count = 0; count < 3; count++) await stores.audit.append(decision());
    await stores.approvals.park(newApproval(), approvalEvidence, 20);
    const scope = { kind: 'before', before: noonPlus(1) } as const;
    const run = await stores.retention.begin({ strategy: 'purge', scope, actorId: 'ops-1' }, 60_000);
    await complete(stores.retention, run!);
    expect(await logged()).toEqual([]);
    const id = await stores.audit.append(decision());
    expect(await logged()).toEqual([id]);
    expect(await stores.log.extend(100)).toBe(false);
  });

  it('refuses to change and to delete leaves and checkpoints', async () => {
    await stores.audit.append(decision());
    await logged();
    await stores.log.checkpoint(0, () => ({ note: 'signed', outgoing: [] }));
    for (const statement of [
      `update guardrails_log_leaves set hashes = sha256('another')`,
      'delete from guardrails_log_leaves',
      'truncate guardrails_log_leaves',
      `update guardrails_log_checkpoints set note = 'another'`,
      'delete from guardrails_log_checkpoints',
    ]) {
      await expect(sql(statement)).rejects.toThrow(/is append-only: (UPDATE|DELETE|TRUNCATE) is refused/);
    }
  });
});
