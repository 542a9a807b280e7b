import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import type { RetentionOrder } from '#contracts/retention/retention.js';
import type { HeldRun } from '#contracts/stores/retention.store.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { approvalEvidence, decision, newApproval } from '#stores/contract/index.js';
import { complete } from '#stores/contract/retention-helpers.js';
import { freshDatabase, onServer, openStores, rowsOf, type FreshDatabase } from '../postgres/database.js';

const NAME = 'customer-42';
const ERASURE = { strategy: 'anonymize', scope: { kind: 'principal', principalId: NAME } } as const;
const PURGE = {
  strategy: 'purge',
  scope: { kind: 'before', before: new Date(Date.now() + 3_600_000) },
} as const;
/** What an append locks first. */
const APPEND_LOCK = 'lock table guardrails_append_lock in row share mode';

let database: FreshDatabase;
let stores: StoreBackend;

/** A deadlock fails a test by its time-out, because the server does not look for one. */
beforeEach(async () => {
  database = await freshDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await onServer((server) => server.query(`alter database "${name}" set deadlock_timeout = '1h'`));
  stores = await openStores(database);
});

afterEach(async () => {
  await stores.close();
  await database.drop();
});

const during = (work: (other: Client) => Promise<void>): Promise<void> =>
  onServer(async (other) => {
    await other.query('begin');
    await work(other);
    await other.query('commit');
  }, database.url);

const countOf = async (table: string): Promise<number> =>
  Number((await rowsOf(database.url, `select count(*) from guardrails_${table}`))[0]?.['count']);

/** Waits until a connection waits for a lock. */
const untilOneWaits = (): Promise<void> =>
  onServer(async (server) => {
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await server.query(waiting)).rowCount === 0);
  }, database.url);

async function apply(order: Omit<RetentionOrder, 'actorId'>): Promise<void> {
  const run = await stores.retention.begin({ ...order, actorId: 'ops-1' }, 60_000);
  await complete(stores.retention, run!);
}

const append = (): Promise<number> => stores.audit.append(decision({ principalId: NAME }));

describe('retention', () => {
  it.each(['audit_evidence', 'principals', 'audit_content'])(
    'deletes names while %s is vacuumed',
    async (table) => {
      await append();
      await during(async (vacuum) => {
        // The lock of a vacuum.
        await vacuum.query(`lock table guardrails_${table} in share update exclusive mode`);
        await apply(PURGE);
      });
      expect(await countOf('principals')).toBe(0);
    },
  );

  it('waits for an append before it deletes names', async () => {
    let purge = Promise.resolve();
    await append();
    await during(async (appending) => {
      await appending.query(APPEND_LOCK);
      purge = apply(PURGE);
      await untilOneWaits();
      expect(await countOf('principals')).toBe(1);
    });
    await purge;
    expect(await countOf('principals')).toBe(0);
  });

  it('lets appends wait while it deletes names', async () => {
    let appended = Promise.resolve(0);
    await during(async (retention) => {
      await retention.query('lock table guardrails_append_lock in exclusive mode');
      appended = append();
      await untilOneWaits();
      expect(await countOf('audit_evidence')).toBe(0);
    });
    expect(await appended).toBeGreaterThan(0);
  });

  describe('of a principal, in its last part', () => {
    let run: HeldRun | null;
    let isDone: boolean;

    const proceed = async (): Promise<void> => {
      const step = run && (await stores.retention.proceed(run, 100, 60_000));
      if (step === null) throw new Error('The run is not leased any more.');
      ({ run, done: isDone } = step);
    };

    beforeEach(async () => {
      run = await stores.retention.begin({ ...ERASURE, actorId: 'ops-1' }, 60_000);
      for (let part = 0; part < 5; part++) await proceed();
    });

    it('gives way to a transaction that locks an approval of the principal and then appends', async () => {
      await stores.approvals.park(newApproval({ principalId: NAME }), approvalEvidence, 20);
      let last = Promise.resolve();
      await during(async (deciding) => {
        await deciding.query('select 1 from guardrails_approvals for update');
        last = proceed();
        await untilOneWaits();
        await deciding.query(APPEND_LOCK);
      });
      await last;
      expect(isDone).toBe(true);
      expect(await countOf('principals')).toBe(0);
    });

    it('waits for a vacuum of the reviews without delaying appends', async () => {
      let last = Promise.resolve();
      await during(async (vacuum) => {
        await vacuum.query('lock table guardrails_audit_reviews in share update exclusive mode');
        last = proceed();
        await untilOneWaits();
        expect(await append()).toBeGreaterThan(0);
      });
      await last;
      expect(isDone).toBe(true);
      expect(await countOf('principals')).toBe(0);
    });
  });

  it('skips reservations that a call is removing', async () => {
    await onServer(
      (server) =>
        server.query(`insert into guardrails_budget_reservations (reference, budget, amount, reserved_at)
          values ('call-1', 'orders', 1, now() - interval '90 days')`),
      database.url,
    );
    await during(async (call) => {
      await call.query('select 1 from guardrails_budget_reservations for update');
      await apply(PURGE);
    });
    expect(await countOf('budget_reservations')).toBe(1);
    await apply(PURGE);
    expect(await countOf('budget_reservations')).toBe(0);
  });
});

describe('the release of a reservation', () => {
  it('locks the budgets before their sums, like a reservation', async () => {
    const claims = ['orders', 'refunds'].map((budget) => ({ budget, owner: NAME, amount: '1' }));
    await stores.budgets.admit({ reference: 'call-1', claims }, [], () => decision());
    let released = Promise.resolve();
    await during(async (admitting) => {
      await admitting.query(`select 1 from guardrails_budgets where budget = 'refunds' for update`);
      released = stores.budgets.release('call-1');
      await untilOneWaits();
      await admitting.query('update guardrails_budget_hours set amount = amount + 1');
    });
    await released;
    expect(await countOf('budget_reservations')).toBe(0);
  });
});
