import assert from 'node:assert/strict';
import { EventPublisher } from 'nest-guardrails/contracts';
import { EventSink } from 'nest-guardrails/sinks';
import { APPROVING, makeEffects, payingTool } from './paying-tool.mjs';
import { query } from './fault-environment.mjs';

const ROUNDS = 5;
/** .ci/full sets 100 rounds. */
const HEATS = Number(process.env.RACE_ROUNDS ?? 20) / ROUNDS;
const DECISIONS = 200;

/** Long limits, so that no decision is refused on a busy machine. */
const SLOW_STORES = { statementTimeoutMs: 30_000, poolSize: 60 };

/** A few rounds at a time. */
export const faults = Object.fromEntries(
  Array.from({ length: HEATS }, (_, heat) => [
    `two hundred decisions on two instances at the instant of expiry, rounds ${heat * ROUNDS + 1} and on: one is accepted, and runs once`,
    (environment) => fewRounds(environment, heat),
  ]),
);

/** The results of a round, in order: evidence, events in the outbox, and events of the listeners of both instances. */
const LEFT = {
  executed: ['guardrails.tool.parked', 'guardrails.approval.decided', 'guardrails.approval.executed'],
  rejected: ['guardrails.tool.parked', 'guardrails.approval.decided'],
  expired: ['guardrails.tool.parked', 'guardrails.approval.expired'],
};

/** Records the events of both instances. */
class Listener extends EventPublisher {
  received = [];

  publish({ name, facts }) {
    if (facts?.approvalId != null) this.received.push([facts.approvalId, name]);
  }

  of(approvalId) {
    return this.received.filter(([id]) => id === approvalId).map(([, name]) => name);
  }
}

/** Selects every event, so that all enter the outbox, and ignores them. */
class IgnoringSink extends EventSink {
  name = 'ignoring';

  async deliver() {}
}

const ends = { executed: 0, rejected: 0, expired: 0 };
let expiresInMs = 100;

async function fewRounds(environment, heat) {
  const url = await environment.database();
  await makeEffects(url);
  const tools = [payingTool({ url })];
  const publisher = new Listener();
  const options = { settings: APPROVING, tools, stores: SLOW_STORES, sinks: [new IgnoringSink()], publisher };
  const engines = [await environment.engine(url, options), await environment.engine(url, options)];
  for (let round = 0; round < ROUNDS; round++) {
    const end = await race(url, engines, publisher, round, expiresInMs);
    ends[end]++;
    // Bisects the delay until both results occur.
    expiresInMs *= end === 'expired' ? 1.7 : 0.6;
  }
  if (heat < HEATS - 1) return;
  // Both results occurred: the decisions were made around the expiry.
  assert.ok(ends.expired > 0 && ends.executed + ends.rejected > 0, JSON.stringify(ends));
}

/** Returns the result of the round. */
async function race(url, engines, publisher, round, leftMs) {
  const guarded = engines[0].guardrails.guardTool(payingTool({ url }), { runId: `run-${round}` });
  const { parked } = await guarded.execute({ amount: round });
  const token = engines[0].approvalService.tokenOf(parked);
  await query(
    url,
    `update guardrails_approvals set expires_at = clock_timestamp() + $2 * interval '1 millisecond', decided_in = null
      where id = $1`,
    [parked.approvalId, Math.round(leftMs)],
  );
  const decisions = Array.from({ length: DECISIONS }, async (_, index) => {
    const verdict = index % 4 < 2 ? 'approved' : 'rejected';
    const decider = { actorId: `ops-${index}`, reason: null };
    try {
      return { index, approval: await engines[index % 2].approvalService.decide(token, verdict, decider) };
    } catch (error) {
      return { index, error };
    }
  });
  const answers = await Promise.all(decisions);
  const won = answers.filter(({ approval }) => approval !== undefined);
  const [row] = await query(url, 'select status, decided_by from guardrails_approvals where id = $1', [
    parked.approvalId,
  ]);
  assert.equal(won.length, row.status === 'expired' ? 0 : 1, 'how many won');
  for (const { error } of answers.filter((answer) => answer.error !== undefined)) {
    if (row.status === 'expired') assert.equal(error.code, 'expired');
    else assert.deepEqual([error.code, error.details?.decided_by], ['already_decided', row.decided_by]);
  }
  if (won.length === 1) assert.equal(row.decided_by, `ops-${won[0].index}`);
  const [{ paid, evidence, outbox }] = await query(
    url,
    `select (select count(*)::int from effects where key = $1) as paid,
       (select count(*)::int from guardrails_audit_evidence where control = 'hitl' and run_id = $2) as evidence,
       (select array_agg(name::text order by position) from guardrails_outbox
        where payload::jsonb ->> 'approval_id' = $3) as outbox`,
    [parked.reference, `run-${round}`, String(parked.approvalId)],
  );
  const left = LEFT[row.status];
  assert.deepEqual([paid, evidence], [row.status === 'executed' ? 1 : 0, left.length]);
  assert.deepEqual(outbox, left, 'rows of the outbox');
  assert.deepEqual(publisher.of(parked.approvalId), left, 'events');
  return row.status;
}
