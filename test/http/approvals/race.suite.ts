import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApprovalListData } from '#contracts/approvals/approvals.api.js';
import type { ApprovalVerdict } from '#contracts/approvals/approvals.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { freshDatabase, onServer, type FreshDatabase } from '../../postgres/database.js';
import { refundTool } from '../../support/engine.js';
import { expectError } from '../support/envelope.js';
import { TestHost } from '../support/host.js';

const DECISION = 'approval-decision';
/** How long the call can still be decided, and how many decide. */
const ROUNDS = [
  { expiresIn: 2000, decisions: 200 },
  { expiresIn: 300, decisions: 80 },
  { expiresIn: 30, decisions: 80 },
];

const tool = refundTool();
let database: FreshDatabase;
let hosts: readonly TestHost[];

function start(): Promise<TestHost> {
  // Long time-outs, because this does not test performance.
  const stores = typeormStores({ url: database.url, statementTimeoutMs: 15_000, poolSize: 40 });
  return TestHost.start({ guardrails: { stores, tools: [tool], settings: { 'hitl.enabled': true } } });
}

const hostOf = (index: number): TestHost => hosts[index % 2] as TestHost;

async function park(runId: string): Promise<{ readonly id: number; readonly token: string }> {
  const guarded = hostOf(0).guardrails.guardTool(tool, { runId, principalId: 'customer-42' });
  const outcome = await guarded.execute({ order: runId });
  if (outcome.status !== 'parked') throw new Error('it is not parked');
  const { pending } = (await hostOf(0).get('/approvals')).body.data as unknown as ApprovalListData;
  const token = pending.find((item) => item.run_id === runId)?.token ?? '';
  return { id: outcome.parked.approvalId, token };
}

interface Round {
  readonly status: string;
  readonly verdict: ApprovalVerdict | null;
  readonly by: string | null;
  readonly recorded: number;
}

/** The row in the database. */
async function whatStands(id: number, runId: string): Promise<Round> {
  return onServer(async (server) => {
    const { rows } = await server.query<Round>(
      `select status, decision as verdict, decided_by as by,
         (select count(*)::int from guardrails_audit_evidence where control = 'hitl' and run_id = $2) as recorded
       from guardrails_approvals where id = $1`,
      [id, runId],
    );
    return rows[0] as Round;
  }, database.url);
}

describe('contract 7.2: two hundred concurrent decisions on two instances while the approval expires', () => {
  beforeAll(async () => {
    database = await freshDatabase();
    hosts = await Promise.all([start(), start()]);
  });

  afterAll(async () => {
    for (const host of hosts) await host.stop();
    await database.drop();
  });

  it.each(ROUNDS)(
    '$decisions within $expiresIn ms: accepts at most one, answers the others with it, and runs the tool at most once',
    async ({ expiresIn, decisions }) => {
      tool.calls.length = 0;
      const runId = `run-${expiresIn}`;
      const { id, token } = await park(runId);
      await onServer(
        (server) =>
          server.query(
            `update guardrails_approvals set expires_at = clock_timestamp() + $2 * interval '1 ms', decided_in = null
             where id = $1`,
            [id, expiresIn],
          ),
        database.url,
      );
      const answers = await Promise.all(
        Array.from({ length: decisions }, (_, index) =>
          hostOf(index).post(
            `/approvals/${token}/${index % 4 < 2 ? 'approve' : 'reject'}`,
            {},
            { as: index % 8 < 4 ? 'operator' : 'second-operator' },
          ),
        ),
      );
      const { status, verdict, by, recorded } = await whatStands(id, runId);
      for (const answer of answers) {
        if (status === 'expired') {
          expectError(answer, 410, DECISION, 'expired');
        } else if (answer.status === 200) {
          expect(answer.body.data).toMatchObject({ decision: verdict, decided_by: by, status });
        } else {
          const { code, details } = answer.body.data.error;
          expect([answer.status, ['already_decided', 'executing'].includes(code)]).toEqual([409, true]);
          if (code === 'already_decided')
            expect(details).toMatchObject({ decision: verdict, decided_by: by });
        }
      }
      expect(answers.some((answer) => answer.status === 200)).toBe(status !== 'expired');
      expect(tool.calls).toHaveLength(status === 'executed' ? 1 : 0);
      expect(recorded).toBe(status === 'executed' ? 3 : 2);
    },
  );
});
