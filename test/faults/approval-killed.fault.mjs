import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { APPROVING, makeEffects, payingTool } from './paying-tool.mjs';
import { query } from './place.mjs';

const SCRIPT = fileURLToPath(new URL('./approving.mjs', import.meta.url));

/** A policy under which nothing that was approved before stands. */
const CHANGED = { 'tool_firewall.owner_keys': ['owner_id'] };

/** For each step between decision, lease, tool and stored result: the state after a restart, and the payments. */
const POINTS = [
  { diesAt: 'committing approved', status: 'pending', paid: 0 },
  { diesAt: 'committed approved', status: 'executed', paid: 1 },
  { diesAt: 'checked', status: 'executed', paid: 1 },
  { diesAt: 'claimed', status: 'outcome_unknown', paid: 0 },
  { diesAt: 'before the effect', status: 'outcome_unknown', paid: 0 },
  { diesAt: 'after the effect', status: 'outcome_unknown', paid: 1 },
  { diesAt: 'returned', status: 'outcome_unknown', paid: 1 },
  { diesAt: 'committing executed', status: 'outcome_unknown', paid: 1 },
  { diesAt: 'committed executed', status: 'executed', paid: 1 },
];

/** Further steps of an idempotent tool. */
const asIdempotent = ({ diesAt, status, paid }) =>
  status === 'outcome_unknown' ? { diesAt, status: 'executed', paid: 1 } : { diesAt, status, paid };

/** Kills at several steps in turn, and at rare steps. `deaths`: the options of each process that is killed. */
const OTHERS = {
  'renewing the lease: outcome_unknown, paid once': {
    deaths: [{ diesAt: 'renewing', holds: true }],
    status: 'outcome_unknown',
    paid: 1,
  },
  'behind renewing the lease, a tool that may run twice: executed, paid once': {
    deaths: [{ diesAt: 'renewed', holds: true }],
    idempotent: true,
    status: 'executed',
    paid: 1,
  },
  'and again when it is claimed again: executed, paid once': {
    deaths: [{ diesAt: 'after the effect' }, { diesAt: 'claiming again' }],
    idempotent: true,
    status: 'executed',
    paid: 1,
  },
  'and again behind the second claim, and behind the third: outcome_unknown, paid once': {
    deaths: [{ diesAt: 'after the effect' }, { diesAt: 'claimed' }, { diesAt: 'claimed' }],
    idempotent: true,
    status: 'outcome_unknown',
    paid: 1,
  },
  'and again when the second result is stored: executed, paid once': {
    deaths: [{ diesAt: 'after the effect' }, { diesAt: 'committing executed' }],
    idempotent: true,
    status: 'executed',
    paid: 1,
  },
  'and again when the outcome is set to unknown: outcome_unknown, paid once': {
    deaths: [{ diesAt: 'after the effect' }, { diesAt: 'committing outcome_unknown' }],
    status: 'outcome_unknown',
    paid: 1,
  },
  'committing superseded: superseded, not paid': {
    deaths: [{ diesAt: 'committing superseded', settings: CHANGED }],
    mendedWith: { settings: CHANGED },
    status: 'superseded',
    paid: 0,
  },
  'committed superseded: superseded, not paid': {
    deaths: [{ diesAt: 'committed superseded', settings: CHANGED }],
    mendedWith: { settings: CHANGED },
    status: 'superseded',
    paid: 0,
  },
};

const ofPoints = Object.fromEntries(
  [false, true].flatMap((idempotent) =>
    POINTS.map((point) => (idempotent ? asIdempotent(point) : point)).map((point) => [
      `${point.diesAt}, a tool that may run ${idempotent ? 'twice' : 'once'}: ${point.status}, paid ${point.paid} times`,
      (place) => killedAt(place, { deaths: [{ diesAt: point.diesAt }], ...point, idempotent }),
    ]),
  ),
);

const ofOthers = Object.fromEntries(
  Object.entries(OTHERS).map(([name, given]) => [name, (place) => killedAt(place, given)]),
);

export const faults = { ...ofPoints, ...ofOthers };

/** The first process approves, the following ones recover its approval, and the last one is not killed. */
async function killedAt(place, { deaths, mendedWith = {}, status, paid, idempotent = false }) {
  const url = await place.database();
  await makeEffects(url);
  const { id, token, recover } = await park(place, url, idempotent);
  const run = async (options) => place.child({ url, idempotent, ...options }, SCRIPT).ended();

  for (const [index, death] of deaths.entries()) {
    assert.equal(await run({ ...death, token: index === 0 ? token : null }), null, 'it was killed');
    await letTimePass(url);
  }
  assert.equal(await run(mendedWith), 0);
  assert.deepEqual(await whatIsThere(url, id), { status, paid });
  // A further recovery and a further approval change nothing.
  await letTimePass(url);
  await recover();
  assert.deepEqual(await whatIsThere(url, id), { status, paid });
  await assertToldOnce(url, status);

  if (status !== 'pending') return;
  assert.equal(await run({ token }), 0);
  assert.deepEqual(await whatIsThere(url, id), { status: 'executed', paid: 1 });
}

async function park(place, url, idempotent) {
  const engine = await place.engine(url, { settings: APPROVING });
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

/** Until every lease has run out. */
async function letTimePass(url) {
  await query(url, `update guardrails_approvals set lease_until = lease_until - interval '1 minute'`);
}

async function whatIsThere(url, id) {
  const [row] = await query(
    url,
    `select status, (select count(*)::int from effects where key = reference) as paid
     from guardrails_approvals where id = $1`,
    [id],
  );
  return row;
}

/** Parked, decided, ended: one piece of evidence for each, and no other. */
async function assertToldOnce(url, status) {
  const [{ rows }] = await query(
    url,
    `select count(*)::int as rows from guardrails_audit_evidence where control = 'hitl'`,
  );
  assert.equal(rows, status === 'pending' ? 1 : 3);
}
