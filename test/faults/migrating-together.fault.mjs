import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from './time-limits.mjs';
import { query } from './fault-environment.mjs';

const starting = (environment, url, count, callers) =>
  Array.from({ length: count }, (_, index) =>
    environment.child({ url, migrate: true, callers, name: `m${index}` }),
  );

export const faults = {
  async 'four processes migrate one empty database at once: all open, and the tables are created once'(
    environment,
  ) {
    const url = await environment.database({ migrated: false });
    const children = starting(environment, url, 4, 0);
    assert.deepEqual(await Promise.all(children.map((child) => child.ended())), [0, 0, 0, 0]);
    const recorded = await query(url, 'select name, count(*)::int from guardrails_migrations group by name');
    assert.ok(recorded.length > 0);
    assert.ok(
      recorded.every(({ count }) => count === 1),
      'a migration ran twice',
    );
  },

  async 'a process killed during a migration does not prevent the next one from migrating'(environment) {
    await Promise.all([0, 100, 250].map((milliseconds) => killWhileMigrating(environment, milliseconds)));
  },
};

async function killWhileMigrating(environment, milliseconds) {
  const url = await environment.database({ migrated: false });
  const [victim] = starting(environment, url, 1, 1);
  await connectionTo(url);
  await wait(milliseconds);
  await victim.kill('SIGKILL');
  const [next] = starting(environment, url, 1, 1);
  await next.hasAcknowledged(1);
  await next.kill();
}

async function connectionTo(url) {
  const database = new URL(url).pathname.slice(1);
  const others = 'select 1 from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';
  await until(async () => (await query(url, others, [database])).length > 0, 'a process has connected');
}
