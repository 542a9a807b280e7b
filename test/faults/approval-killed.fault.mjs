import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { APPROVING, makeEffects, payingTool } from './paying-tool.mjs';
import { query } from './fault-environment.mjs';

const SCRIPT = fileURLToPath(new URL('./approval-instance.mjs', import.meta.url));

/** A policy that supersedes earlier approvals. */
const CHANGED = { 'tool_firewall.owner_keys': ['owner_id'] };

/** For each step of an approval: the state after a restart, and the number of payments. */
const POINTS = [
  { killedAtStep: 'committing approved', status: 'pending', paid: 0 },
  { killedAtStep: 'committed approved', status: 'executed', paid: 1 },
  { killedAtStep: 'checked', status: 'executed', paid: 1 },
  { killedAtStep: 'claimed', status: 'outcome_unknown', paid: 0 },
  { killedAtStep: 'before the effect', status: 'outcome_unknown', paid: 0 },
  { killedAtStep: 'after the effect', status: 'outcome_unknown', paid: 1 },
  { killedAtStep: 'returned', status: 'outcome_unknown', paid: 1 },
  { killedAtStep: 'committing executed', status: 'outcome_unknown', paid: 1 },
  { killedAtStep: 'committed executed', status: 'executed', paid: 1 },
];

/** The expected state with an idempotent tool, which may run again. */
const asIdempotent = ({ killedAtStep, status, paid }) =>
  status === 'outcome_unknown'
    ? { killedAtStep, status: 'executed', paid: 1 }
    : { killedAtStep, status, paid };

/** Kills at several steps in turn, and at rare steps. `kills`: the options of each killed process. */
const OTHERS = {
  'renewing the lease: outcome_unknown, paid once': {
    kills: [{ killedAtStep: 'renewing', holds: true }],
    status: 'outcome_unknown',
    paid: 1,
  },
  'after renewing the lease, a tool that may run twice: executed, paid once': {
    kills: [{ killedAtStep: 'renewed', holds: true }],
    idempotent: true,
    status: 'executed',
    paid: 1,
  },
  'after the effect, and when it is claimed again: executed, paid once': {
    kills: [{ killedAtStep: 'after the effect' }, { killedAtStep: 'claiming again' }],
    idempotent: true,
    status: 'executed',
    paid: 1,
  },
  'after the effect, after the second claim and after the third: outcome_unknown, paid once': {
    kills: [{ killedAtStep: 'after the effect' }, { killedAtStep: 'claimed' }, { killedAtStep: 'claimed' }],
    idempotent: true,
    status: 'outcome_unknown',
    paid: 1,
  },
  'after the effect, and when the second result is stored: executed, paid once': {
    kills: [{ killedAtStep: 'after the effect' }, { killedAtStep: 'committing executed' }],
    idempotent: true,
    status: 'executed',
    paid: 1,
  },
  'after the effect, and when the outcome is set to unknown: outcome_unknown, paid once': {
    kills: [{ killedAtStep: 'after the effect' }, { killedAtStep: 'committing outcome_unknown' }],
    status: 'outcome_unknown',
    paid: 1,
  },
  'committing superseded: superseded, not paid': {
    kills: [{ killedAtStep: 'committing superseded', settings: CHANGED }],
    recoveredWith: { settings: CHANGED },
    status: 'superseded',
    paid: 0,
  },
  'committed superseded: superseded, not paid': {
    kills: [{ killedAtStep: 'committed superseded', settings: CHANGED }],
    recoveredWith: { settings: CHANGED },
    status: 'superseded',
    paid: 0,
  },
};

const ofPoints = Object.fromEntries(
  [false, true].flatMap((idempotent) =>
    POINTS.map((point) => (idempotent ? asIdempotent(point) : point)).map((point) => [
      `${point.killedAtStep}, a tool that may run ${idempotent ? 'twice' : 'once'}: ${point.status}, paid ${point.paid} times`,
      (environment) =>
        killedAt(environment, { kills: [{ killedAtStep: point.killedAtStep }], ...point, idempotent }),
    ]),
  ),
);

const ofOthers = Object.fromEntries(
  Object.entries(OTHERS).map(([name, given]) => [name, (environment) => killedAt(environment, given)]),
);

export const faults = { ...ofPoints, ...ofOthers };

/** The first process approves, the following ones recover its approval, and the last one is not killed. */
async function killedAt(environment, { kills, recoveredWith = {}, status, paid, idempotent = false }) {
  const url = await environment.database();
  await makeEffects(url);
  const { id, token, recover } = await park(environment, url, idempotent);
  const run = async (options) => environment.child({ url, idempotent, ...options }, SCRIPT).ended();

  for (const [index, kill] of kills.entries()) {
    assert.equal(await run({ ...kill, token: index === 0 ? token : null }), null, 'the process was killed');
    await expireLeases(url);
  }
  assert.equal(await run(recoveredWith), 0);
  assert.deepEqual(await storedState(url, id), { status, paid });
  // A further recovery and a further approval change nothing.
  await expireLeases(url);
  await recover();
  assert.deepEqual(await storedState(url, id), { status, paid });
  await assertRecordedOnce(url, status);

  if (status !== 'pending') return;
  assert.equal(await run({ token }), 0);
  assert.deepEqual(await storedState(url, id), { status: 'executed', paid: 1 });
}

async function park(environment, url, idempotent) {
  const engine = await environment.engine(url, { settings: APPROVING });
  const context = { runId: 'run-1', principalId: 'customer-42' };
  const guarded = engine.guardrails.guardTool(payingTool({ url, idempotent }), context);
  const { parked } = await guarded.execute({ amount: 25 });
  return {
    id: parked.approvalId,
    token: engine.approvalService.tokenOf(parked),
    recover: async () => {
      await engine.recovery.recover(0);
      await engine.recovery.idle();
    },
  };
}

/** Ends every lease. */
async function expireLeases(url) {
  // Only rows with a lease: one that somebody changes between its approval and its run does not run.
  await query(
    url,
    `update guardrails_approvals set lease_until = lease_until - interval '1 minute' where lease_until is not null`,
  );
}

async function storedState(url, id) {
  const [row] = await query(
    url,
    `select status, (select count(*)::int from effects where key = reference) as paid
     from guardrails_approvals where id = $1`,
    [id],
  );
  return row;
}

/** Each of the steps parked, decided and ended has one evidence row. */
async function assertRecordedOnce(url, status) {
  const [{ rows }] = await query(
    url,
    `select count(*)::int as rows from guardrails_audit_evidence where control = 'hitl'`,
  );
  assert.equal(rows, status === 'pending' ? 1 : 3);
}
