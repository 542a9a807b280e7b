import assert from 'node:assert/strict';
import type { RunFilter } from '#contracts/audit/run-index.js';
import type { RunData } from '#contracts/audit/runs.api.js';
import { entriesOf, type BackendFixture, type Runner } from './backend-fixture.js';
import { decision, noonPlus, type DecisionParts } from './builders.js';
import { hours, retain } from './retention-helpers.js';
import { READING, RUN } from './runs.contract.js';

const WAITS = { control: 'hitl', outcome: 'blocked', approvalId: 1 } as const;
const RAN = { ...WAITS, outcome: 'allowed' } as const;
const CALL = { control: 'tool_firewall', origin: 'tool_call' } as const;

const append = (fixture: BackendFixture, ...entries: readonly DecisionParts[]): Promise<readonly number[]> =>
  fixture.append(...entries.map((parts) => ({ ...RUN, ...parts })));

async function list({ runIndex }: BackendFixture, filter: RunFilter = {}): Promise<readonly RunData[]> {
  return (await runIndex.list(filter, { limit: 50 })).runs;
}

async function ids(fixture: BackendFixture, filter?: RunFilter): Promise<readonly number[]> {
  return (await list(fixture, filter)).map(({ id }) => id);
}

export function runRowsContract({ it }: Runner, fixture: BackendFixture): void {
  const { runIndex, runs } = fixture;
  it('lists one row for each application, principal and run, by its first entry', async () => {
    const names: readonly DecisionParts[] = [
      {},
      { application: null },
      { principalId: null },
      { application: null, principalId: null },
      { runId: 'run-2' },
    ];
    const first = await append(fixture, ...names);
    await append(fixture, ...names, { runId: null });
    assert.deepEqual(await ids(fixture), first.toReversed());
    assert.ok((await list(fixture)).every(({ entries }) => entries === 2));
  });

  it('shows the worst outcome of each control, what was said first, and what the run has read', async () => {
    const [id = 0, ...others] = await append(
      fixture,
      { prompt: 'a document', origin: 'document', outcome: 'observed', occurredAt: noonPlus(1) },
      { prompt: `${'é'.repeat(160)}!` },
      { occurredAt: noonPlus(2) },
      { ...CALL, outcome: 'blocked' },
      { ...CALL, outcome: 'observed' },
    );
    assert.equal((await list(fixture))[0]?.entries, 5);
    await runs.read(RUN, { ...READING, label: 'untrusted' });
    const last = await append(fixture, { control: 'hitl', origin: 'tool_call' });
    const run: RunData = {
      id,
      run_id: 'run-1',
      application: 'shop',
      principal_id: 'customer-42',
      said: `${'é'.repeat(160)}…`,
      outcome: 'blocked',
      controls: { tool_firewall: 'blocked', input_screen: 'observed', output_handler: null, hitl: 'allowed' },
      label: 'untrusted',
      entries: 6,
      started_at: noonPlus(1).toISOString(),
      last_at: noonPlus(2).toISOString(),
    };
    assert.deepEqual(await list(fixture), [run]);
    const found = await runIndex.find(id);
    assert.deepEqual(found?.run, run);
    assert.deepEqual(
      found.entries.map((entry) => entry.id),
      [id, ...others, ...last],
    );
  });
}

export function runListsContract({ it }: Runner, fixture: BackendFixture): void {
  const { audit } = fixture;
  it('finds runs by each filter', async () => {
    const [a, b, c] = await append(
      fixture,
      { runId: 'a', ...CALL, outcome: 'observed' },
      { runId: 'b', application: 'desk', outcome: 'blocked' },
      { runId: 'c', principalId: 'customer-7', occurredAt: hours(1) },
    );
    for (const [filter, found] of [
      [{ outcome: 'allowed' }, c],
      [{ outcome: 'blocked' }, b],
      [{ control: 'tool_firewall' }, a],
      [{ control: 'input_screen' }, b],
      [{ application: 'desk' }, b],
      [{ principal_id: 'customer-7' }, c],
      [{ run_id: 'a', to: hours(0) }, a],
      [{ from: hours(1) }, c],
    ] as const)
      assert.deepEqual(await ids(fixture, filter), [found]);
    assert.deepEqual(await ids(fixture, { control: 'tool_firewall', outcome: 'allowed' }), []);
  });

  it('counts each entry once when instances append and list at the same time', async () => {
    await fixture.concurrently(40, async (backend, index) => {
      await backend.audit.append(decision({ ...RUN, runId: `run-${index % 3}` }));
      await backend.runIndex.list({}, { limit: 1 });
    });
    const runs = await list(fixture);
    assert.equal(runs.length, 3);
    for (const { id, run_id, entries } of runs) {
      const walk = await entriesOf((page) => audit.list({ run_id }, page));
      assert.deepEqual([id, entries], [walk.at(-1)?.id, walk.length]);
    }
  });

  it('of an approval only the latest step counts', async () => {
    for (const [entries, outcome] of [
      [[WAITS], 'blocked'],
      [[RAN], 'allowed'],
      [[WAITS, RAN, { ...WAITS, approvalId: 2 }, RAN], 'blocked'],
      [[{ ...RAN, approvalId: 2 }], 'allowed'],
      [[{ ...WAITS, approvalId: null }, RAN], 'blocked'],
      [[RAN], 'blocked'],
    ] as const) {
      await append(fixture, ...entries);
      assert.equal((await list(fixture, { outcome })).length, 1);
    }
    await append(fixture, { ...WAITS, runId: 'run-2', approvalStep: 'superseded' });
    const [superseded] = await list(fixture, { run_id: 'run-2' });
    assert.deepEqual([superseded?.outcome, superseded?.controls.hitl], ['allowed', null]);
  });
}

export function runRetentionContract({ it }: Runner, fixture: BackendFixture): void {
  it('ends a run whose first text is erased, and a later entry begins another one', async () => {
    const [id = 0] = await append(fixture, {}, {});
    await retain(fixture, 'anonymize', { kind: 'entry', id });
    assert.deepEqual(await ids(fixture), []);
    assert.deepEqual(await append(fixture, {}), await ids(fixture));
  });

  it('still counts an entry of a run that is purged, without its text', async () => {
    const [id = 0, purged = 0, last] = await append(fixture, CALL, { outcome: 'observed' }, CALL);
    const [before] = await list(fixture);
    assert.ok(before?.said);
    await retain(fixture, 'purge', { kind: 'entry', id: purged });
    const run = { ...before, said: null };
    assert.deepEqual(await list(fixture), [run]);
    const found = await fixture.runIndex.find(id);
    assert.deepEqual([found?.run, found?.entries.map((entry) => entry.id)], [run, [id, last]]);
  });

  for (const strategy of ['anonymize', 'purge'] as const)
    for (const scope of [
      { kind: 'principal', principalId: 'customer-42' },
      { kind: 'before', before: hours(1) },
    ] as const)
      it(`has nothing of a run after a retention run: ${strategy}, ${scope.kind}`, async () => {
        await append(fixture, {});
        await list(fixture);
        await append(fixture, {}, { runId: 'run-2' });
        const left = await append(fixture, { principalId: 'customer-7', occurredAt: hours(2) });
        await retain(fixture, strategy, scope);
        assert.deepEqual(await ids(fixture), left);
      });
}
