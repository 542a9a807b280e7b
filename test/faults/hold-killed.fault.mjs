import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { until } from './time-limits.mjs';
import { query } from './fault-environment.mjs';

const RETENTION_INSTANCE = fileURLToPath(new URL('./retention-instance.mjs', import.meta.url));
const MAX_STATEMENTS = 20;

async function instance(environment, url) {
  const child = environment.child({ url }, RETENTION_INSTANCE);
  assert.equal(await child.nextAnswer(), 'ready');
  return child;
}

const screened = (engine, count, principalId) =>
  Promise.all(
    Array.from({ length: count }, () => engine.guardrails.screen('Where is my parcel?', { principalId })),
  );

async function rowsOf(url, principalId) {
  const [{ count }] = await query(
    url,
    `select count(*)::int as count from guardrails_audit_evidence e
       join guardrails_audit_content c on c.evidence_id = e.id and c.prompt <> ''
       join guardrails_principals p on p.id = e.principal_ref
     where p.name = $1`,
    [principalId],
  );
  return count;
}

const holds = (url) =>
  query(
    url,
    `select h.principal_id as name, h.released_at is null as active,
       (select array_agg(name order by position) from guardrails_outbox o
        where o.subject = 'hold:' || h.id) as events
     from guardrails_holds h order by h.id`,
  );

export const faults = {
  async 'a process killed at each statement of a hold: it is complete with its event, or absent'(
    environment,
  ) {
    const url = await environment.database();
    const engine = await environment.engine(url);
    let acknowledged = null;
    for (let killAfterStatements = 0; acknowledged === null; killAfterStatements++) {
      assert.ok(killAfterStatements < MAX_STATEMENTS, 'setting a hold does not end');
      const principalId = `customer-${killAfterStatements}`;
      await screened(engine, 2, principalId);
      const child = await instance(environment, url);
      acknowledged = await child.ask('hold', { principalId }, { killAfterStatements });
      await child.kill();
      const found = (await holds(url)).filter(({ name }) => name === principalId);
      const whole = { name: principalId, active: true, events: ['guardrails.hold.set'] };
      assert.deepEqual(found, found.length === 0 ? [] : [whole]);
      if (acknowledged !== null) assert.equal(found.length, 1);
    }
    const names = (await query(url, 'select name from guardrails_principals')).map(({ name }) => name);
    const held = new Set((await holds(url)).map(({ name }) => name));
    assert.ok(held.size < names.length, 'no process was killed before its commit');
    await engine.retention.apply(
      { strategy: 'purge', scope: { kind: 'before', before: new Date() }, actorId: 'ops-1' },
      { everything: true },
    );
    for (const name of names) assert.equal(await rowsOf(url, name), held.has(name) ? 2 : 0);
  },

  async 'a process killed at each statement of a release: the hold is released with its event, or active'(
    environment,
  ) {
    const url = await environment.database();
    const engine = await environment.engine(url, { settings: { 'events.stream': 'all' } });
    let acknowledged = null;
    for (let killAfterStatements = 0; acknowledged === null; killAfterStatements++) {
      assert.ok(killAfterStatements < MAX_STATEMENTS, 'releasing a hold does not end');
      const { id } = await engine.holds.set({ kind: 'run', runId: 'run-1' }, 'case 118', 'ops-1');
      const child = await instance(environment, url);
      acknowledged = await child.ask('release', { id }, { killAfterStatements });
      await child.kill();
      const { active, events } = (await holds(url)).at(-1);
      const expected = ['guardrails.hold.set', ...(active ? [] : ['guardrails.hold.released'])];
      assert.deepEqual(events, expected);
      if (acknowledged !== null) assert.equal(active, false);
    }
  },

  async 'a hold that is set during a purge keeps the rows that were not deleted yet, also if another process finishes the run'(
    environment,
  ) {
    const url = await environment.database();
    const engine = await environment.engine(url, { stores: { statementTimeoutMs: 30_000 } });
    const total = 20_000;
    for (let written = 0; written < total; written += 1_000)
      await Promise.all([screened(engine, 500, 'customer-42'), screened(engine, 500, 'customer-7')]);
    // Each batch takes at least a second, so that the hold is set before the last one on any machine.
    await query(
      url,
      `create function delay() returns trigger language plpgsql as
         $$ begin perform pg_sleep(1); return null; end $$`,
    );
    await query(
      url,
      `create trigger delay after delete on guardrails_audit_evidence
         for each statement execute function delay()`,
    );
    const child = await instance(environment, url);
    const purge = child.ask('purge');
    await until(async () => (await rowsOf(url, 'customer-42')) < total / 2, 'the first batch is deleted');
    const { id } = await engine.holds.set(
      { kind: 'principal', principalId: 'customer-42' },
      'case 118',
      'ops-1',
    );
    const left = await rowsOf(url, 'customer-42');
    assert.ok(left > 0, 'the run was over before the hold was set');
    await child.kill();
    await purge;
    await query(url, 'update guardrails_retention_runs set lease_until = now() where finished_at is null');
    await engine.retention.resume();
    assert.equal(await rowsOf(url, 'customer-42'), left);
    assert.equal(await rowsOf(url, 'customer-7'), 0);
    await assert.rejects(
      engine.retention.apply({
        strategy: 'anonymize',
        scope: { kind: 'principal', principalId: 'customer-42' },
        actorId: 'ops-1',
      }),
      { name: 'HeldError', holdId: id },
    );
  },
};
