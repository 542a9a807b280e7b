// An instance that executes commands of the parent process: texts of runs, calls under policies and limits, votes, edits, freezes.
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { Pool } from 'pg';
import { executeCommands } from './commanded-instance.mjs';
import { APPROVING } from './paying-tool.mjs';

const { url, settings = {} } = JSON.parse(process.argv[2]);

/** One connection, because the server accepts 100 connections. */
const payments = new Pool({ connectionString: url, max: 1 });

/** Pays once for each call, and throws if the payment is refused. */
const refund = {
  name: 'refund',
  parameters: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'integer' } },
    required: ['order', 'amount'],
  },
  async execute({ order, amount }) {
    if (order.startsWith('refused')) throw new Error('the payment was refused');
    await payments.query('insert into effects (key, amount) values ($1, $2)', [order, amount]);
    return { paid: amount };
  },
};

/** A large pool and a long time limit, so that no call is refused on a busy machine. */
const stores = typeormStores({ url, statementTimeoutMs: 30_000, poolSize: 80 });
await stores.open();
const engine = createEngine({
  stores,
  configured: { ...DEFAULT_SETTINGS, ...APPROVING, ...settings },
  tools: [refund],
  approverGroups: { isMember: async () => true },
});
await engine.start();

/** Each order is a run. */
const runOf = (order) => ({ principalId: 'customer-42', runId: order });

async function call(args) {
  const guarded = engine.guardrails.guardTool(refund, runOf(args.order));
  try {
    const { status, parked } = await guarded.execute(args);
    return { status, id: parked?.approvalId ?? null };
  } catch (error) {
    return { status: 'failed', reason: error.message };
  }
}

const OPERATOR = { actorId: 'ops-1', requestId: null };

const COMMANDS = {
  async type({ text, order }) {
    return (await engine.guardrails.screen(text, runOf(order))).outcome;
  },
  read: ({ text, order }) => engine.guardrails.read(text, { ...runOf(order), origin: 'document' }),
  call,
  calls: ({ count, name, amount }) =>
    Promise.all(Array.from({ length: count }, (_, index) => call({ order: `${name}-${index}`, amount }))),
  async approve({ id, actor }) {
    const { status, votes } = await engine.approvals.decide(id, { verdict: 'approved', actor });
    return { status, votes: votes.length };
  },
  async propose({ id, actor, args }) {
    const proposed = await engine.approvals.propose(id, { actor, reason: 'less', arguments: args });
    return { status: proposed.status, id: proposed.id };
  },
  freeze: () => engine.freezes.freeze({ scope: 'tool', name: 'refund', reason: 'a test' }, OPERATOR),
  lift() {
    const [{ id }] = engine.freezes.list({ active: true, limit: 1 }).entries;
    return engine.freezes.lift(id, 'a test', OPERATOR);
  },
  /** As the timer of an application does. */
  refresh: () => engine.refresh(),
  async recover() {
    await engine.recovery.recover(0);
    await engine.recovery.idle();
    return 'recovered';
  },
};

executeCommands(COMMANDS);
