import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from './patience.mjs';
import { query } from './place.mjs';

const starting = (place, url, count, callers) =>
  Array.from({ length: count }, (_, index) =>
    place.child({ url, migrate: true, callers, name: `m${index}` }),
  );

export const faults = {
  async 'four processes migrate one empty database at once: all open, and the tables are made once'(place) {
    const url = await place.database({ migrated: false });
    const children = starting(place, url, 4, 0);
    assert.deepEqual(await Promise.all(children.map((child) => child.ended())), [0, 0, 0, 0]);
    const recorded = await query(url, 'select name, count(*)::int from guardrails_migrations group by name');
    assert.ok(recorded.length > 0);
    assert.ok(
      recorded.every(({ count }) => count === 1),
      'a migration ran twice',
    );
  },

  async 'one that is killed while it migrates leaves nothing half-made in the way of the next'(place) {
    await Promise.all([0, 100, 250].map((milliseconds) => killWhileMigrating(place, milliseconds)));
  },
};

async function killWhileMigrating(place, milliseconds) {
  const url = await place.database({ migrated: false });
  const [victim] = starting(place, url, 1, 1);
  await connectionTo(url);
  await wait(milliseconds);
  await victim.kill('SIGKILL');
  const [next] = starting(place, url, 1, 1);
  await next.hasAcknowledged(1);
  await next.kill();
}

async function connectionTo(url) {
  const database = new URL(url).pathname.slice(1);
  const others = 'select 1 from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';
  await until(async () => (await query(url, others, [database])).length > 0, 'a process has connected');
}
