import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { makeEffects } from './paying-tool.mjs';
import { query } from './fault-environment.mjs';

const SCRIPT = fileURLToPath(new URL('./policy-instance.mjs', import.meta.url));

/** Small refunds run, larger ones need two approvers; the limit is never reached. */
const SETTINGS = {
  'hitl.policies': {
    refund: {
      rules: [
        { when: { '/amount': { lte: 10 } }, require: 'allow' },
        { when: {}, require: 'approval', approvers: 2, group: 'finance' },
      ],
      limits: [{ sum: '/amount', lte: 1_000_000, per: 'day' }],
    },
  },
};

/**
 * Work whose process is killed at each statement. `prepare` returns the subject, `kill` the command for it, and `check`
 * gets a process that recovered it.
 */
const WORK = {
  'the first of two votes': {
    prepare: (instance, order) => parked(instance, order),
    kill: ({ id }) => ['approve', { id, actor: 'ops-1' }],
    async check(instance, url, { id }, isAcknowledged) {
      const { status, votes } = await approvalOf(url, id);
      assert.equal(status, 'pending');
      assert.ok(votes === 1 || (votes === 0 && !isAcknowledged), `${votes} votes`);
      for (const actor of ['ops-1', 'OPS-1 '])
        assert.deepEqual(await approve(instance, id, actor), { status: 'pending', votes: 1 });
      assert.deepEqual(await approve(instance, id, 'ops-2'), { status: 'executed', votes: 2 });
      assert.equal((await approvalOf(url, id)).paid, 1);
    },
  },

  'the last vote and the run': {
    prepare: (instance, order) => votedOnce(instance, order),
    kill: ({ id }) => ['approve', { id, actor: 'ops-2' }],
    async check(instance, url, { id }, isAcknowledged) {
      const left = await approvalOf(url, id);
      if (isAcknowledged) assert.deepEqual([left.status, left.votes, left.paid], ['executed', 2, 1]);
      else if (left.status === 'pending') assert.deepEqual([left.votes, left.paid], [1, 0]);
      else assert.ok(['executed', 'outcome_unknown'].includes(left.status) && left.votes === 2, left.status);
      if (left.status !== 'pending') return;
      assert.deepEqual(await approve(instance, id, 'ops-2'), { status: 'executed', votes: 2 });
      assert.equal((await approvalOf(url, id)).paid, 1);
    },
  },

  'an approved call whose tool fails': {
    // Before the commit, the same checks apply as in the previous state.
    from: 11,
    prepare: (instance, order) => votedOnce(instance, `refused-${order}`),
    kill: ({ id }) => ['approve', { id, actor: 'ops-2' }],
    async check(instance, url, { id }, isAcknowledged) {
      const { status, paid } = await approvalOf(url, id);
      assert.ok(
        (isAcknowledged ? ['failed'] : ['pending', 'failed', 'outcome_unknown']).includes(status),
        status,
      );
      assert.equal(paid, 0);
    },
  },

  'an edit': {
    prepare: (instance, order) => votedOnce(instance, order),
    kill: ({ id, order }) => ['propose', { id, actor: 'ops-3', args: { order, amount: 200 } }],
    async check(instance, url, { id }, isAcknowledged) {
      const { status, superseded_by: successor } = await approvalOf(url, id);
      const isReplaced = status === 'superseded';
      assert.ok(isReplaced || (status === 'pending' && !isAcknowledged), status);
      assert.equal(successor !== null, isReplaced);
      const current = await approvalOf(url, successor ?? id);
      const { supersedes, votes, amount } = current;
      assert.deepEqual(
        { supersedes, votes, amount, status: current.status },
        {
          supersedes: isReplaced ? id : null,
          votes: isReplaced ? 0 : 1,
          amount: isReplaced ? 200 : 100,
          status: 'pending',
        },
      );
      if (isReplaced) await approve(instance, successor, 'ops-1');
      assert.deepEqual(await approve(instance, current.id, 'ops-2'), { status: 'executed', votes: 2 });
      assert.equal((await approvalOf(url, current.id)).paid, 1);
    },
  },

  'a call within a limit': {
    prepare: (instance, order) => ({ order }),
    kill: ({ order }) => ['call', { order, amount: 7 }],
    async check(instance, url, { order }, isAcknowledged) {
      const { paid, reserved } = await callOf(url, order);
      if (isAcknowledged) assert.deepEqual([paid, reserved], [1, 1]);
      assert.ok(paid <= reserved && reserved <= 1, `paid ${paid}, reserved ${reserved}`);
    },
  },

  'a call within a limit whose tool fails': {
    prepare: (instance, order) => ({ order: `refused-${order}` }),
    kill: ({ order }) => ['call', { order, amount: 7 }],
    async check(instance, url, { order }, isAcknowledged) {
      const { paid, reserved, isUnique } = await callOf(url, order);
      assert.ok(isUnique && paid === 0 && reserved <= (isAcknowledged ? 0 : 1), `reserved ${reserved}`);
    },
  },
};

/** Split into even and odd statements, because all of them would exceed the time limit of a fault. */
export const faults = Object.fromEntries(
  Object.entries(WORK).flatMap(([name, work]) =>
    [0, 1].map((first) => [
      `${name}, killed at statement ${(work.from ?? 0) + first + 1} and every second after it: no second run, no lost vote, no leaked reservation`,
      (environment) => killedAtStatements(environment, work, first),
    ]),
  ),
);

/** Each process recovers the state of the killed one, then makes the next attempt, until one completes. */
async function killedAtStatements(environment, { prepare, kill, check, from = 0 }, first) {
  const url = await environment.database();
  await makeEffects(url);
  let instance = await started(environment, url);
  for (
    let killAfterStatements = from + first, isAcknowledged = false;
    !isAcknowledged;
    killAfterStatements += 2
  ) {
    const subject = await prepare(instance, `order-${killAfterStatements}`);
    isAcknowledged = (await instance.ask(...kill(subject), { killAfterStatements })) !== null;
    await instance.kill();
    await endLeases(url);
    instance = await started(environment, url);
    assert.equal(await instance.ask('recover'), 'recovered');
    await assertSound(url);
    await check(instance, url, subject, isAcknowledged);
    await assertSound(url);
    if (isAcknowledged)
      assert.ok(killAfterStatements > from + 3, `completed after only ${killAfterStatements} statements`);
  }
}

async function started(environment, url) {
  const instance = environment.child({ url, settings: SETTINGS }, SCRIPT);
  assert.equal(await instance.nextAnswer(), 'ready');
  return instance;
}

async function parked(instance, order) {
  const { id } = await instance.ask('call', { order, amount: 100 });
  return { id, order };
}

async function votedOnce(instance, order) {
  const subject = await parked(instance, order);
  assert.deepEqual(await approve(instance, subject.id, 'ops-1'), { status: 'pending', votes: 1 });
  return subject;
}

function approve(instance, id, actor) {
  return instance.ask('approve', { id, actor });
}

async function endLeases(url) {
  await query(
    url,
    `update guardrails_approvals set lease_until = lease_until - interval '1 minute' where lease_until is not null`,
  );
}

async function approvalOf(url, id) {
  const [row] = await query(
    url,
    `select id::int, status, supersedes::int, superseded_by::int, (arguments::jsonb ->> 'amount')::int as amount,
       (select count(*)::int from guardrails_approval_votes where approval_id = a.id) as votes,
       (select count(*)::int from effects where key = run_id) as paid
     from guardrails_approvals a where id = $1`,
    [id],
  );
  return row;
}

/** A call that needed no approval. Its evidence and its reservation are written in one transaction. */
async function callOf(url, order) {
  const [row] = await query(
    url,
    `with admitted as (select xmin from guardrails_audit_evidence where run_id = $1 and control = 'hitl')
     select (select count(*)::int from effects where key = $1) as paid,
       (select count(*) <= 1 from admitted) as "isUnique",
       (select count(*)::int from guardrails_budget_reservations r where r.xmin in (select xmin from admitted)) as reserved`,
    [order],
  );
  return row;
}

/** Invariants of every committed state. */
async function assertSound(url) {
  const [sound] = await query(
    url,
    `select
       (select count(*)::int from (select key from effects group by key having count(*) > 1) twice) as "ranTwice",
       (select coalesce(sum(amount), 0) from guardrails_budget_reservations)
         = (select coalesce(sum(amount), 0) from guardrails_budget_hours) as "sumsAgree",
       (select count(*)::int from guardrails_approvals a
          where (status in ('approved', 'executing', 'executed', 'outcome_unknown'))
            <> exists (select 1 from guardrails_budget_reservations where reference = a.reference)) as "wrongReservations",
       (select count(*)::int from guardrails_budget_reservations r
          where not exists (select 1 from guardrails_approvals where reference = r.reference)
            and not exists (select 1 from guardrails_audit_evidence e
              where e.xmin = r.xmin and e.control = 'hitl' and e.outcome = 'allowed')) as leaked,
       (select count(*)::int from guardrails_approvals a
          where vote_count <> (select count(distinct lower(trim(actor_id))) from guardrails_approval_votes
            where approval_id = a.id)) as "wrongVotes",
       (select count(*)::int from guardrails_approvals a
          where status = 'superseded' and not exists (
            select 1 from guardrails_approvals n where n.id = a.superseded_by and n.supersedes = a.id)
          or supersedes is not null and not exists (
            select 1 from guardrails_approvals o
            where o.id = a.supersedes and o.superseded_by = a.id and o.status = 'superseded')) as unlinked`,
  );
  assert.deepEqual(sound, {
    ranTwice: 0,
    sumsAgree: true,
    wrongReservations: 0,
    leaked: 0,
    wrongVotes: 0,
    unlinked: 0,
  });
}
