import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { outgoingEvent } from '#stores/contract/index.js';
import { freshDatabase, onServer, openStores, type FreshDatabase } from '../postgres/database.js';

const HOUR = 3_600_000;

let database: FreshDatabase;
let stores: StoreBackend;

beforeEach(async () => {
  database = await freshDatabase();
  stores = await openStores(database);
});

afterEach(async () => {
  await stores.close();
  await database.drop();
});

const add = (id: string): Promise<void> =>
  stores.outbox.add([outgoingEvent({ id, subject: 'approval:1', sinks: ['siem'] })]);

async function untilAConnectionWaits(): Promise<void> {
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await onServer(async (server) => {
    while ((await server.query(waiting)).rowCount === 0);
  }, database.url);
}

describe('an event that a claim delays behind another one', () => {
  it.each(['delivered', 'marked dead'])('is due when that one is %s at the same time', async (end) => {
    await add('first');
    const [first] = await stores.outbox.claim('siem', 1, HOUR);
    if (first === undefined) throw new Error('No event is due.');
    await onServer(async (claimer) => {
      // A claim that locked the first event before the statement that ends it, and that finds a later event.
      await claimer.query('begin');
      await claimer.query('select 1 from guardrails_outbox_deliveries for update');
      const ended =
        end === 'delivered'
          ? stores.outbox.delivered('siem', [first])
          : stores.outbox.markDead('siem', first, 'refused');
      await untilAConnectionWaits();
      await add('behind');
      await claimer.query(
        `update guardrails_outbox_deliveries set due_at = now() + interval '1 hour' where position > $1`,
        [first.position],
      );
      await claimer.query('commit');
      await ended;
    }, database.url);
    expect(await stores.outbox.claim('siem', 1, HOUR)).toMatchObject([{ id: 'behind' }]);
  });
});
