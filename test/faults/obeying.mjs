// An instance that does what its parent asks, one command at a time, and may be killed at a statement.
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { Client, Pool } from 'pg';
import { APPROVING } from './paying-tool.mjs';

const { url, settings = {} } = JSON.parse(process.argv[2]);

/** Statements until this process is killed, before it sends the next one. */
let left = Infinity;
const send = Reflect.get(Client.prototype, 'query');
Client.prototype.query = function (...given) {
  if (left-- === 0) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(send, this, given);
};

/** One connection, because the server admits a hundred. */
const payments = new Pool({ connectionString: url, max: 1 });

/** Pays once for each call, and throws where the payment is refused. */
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

/** A busy machine must not refuse calls: few calls wait for a connection of the pool. */
const stores = typeormStores({ url, statementTimeoutMs: 30_000, poolSize: 80 });
await stores.open();
const engine = createEngine({
  stores,
  configured: { ...DEFAULT_SETTINGS, ...APPROVING, ...settings },
  tools: [refund],
  approverGroups: { isMember: async () => true },
});
await engine.start();

async function call(args) {
  const guarded = engine.guardrails.guardTool(refund, { principalId: 'customer-42', runId: args.order });
  try {
    const { status, parked } = await guarded.execute(args);
    return { status, id: parked?.approvalId ?? null };
  } catch (error) {
    return { status: 'failed', reason: error.message };
  }
}

const COMMANDS = {
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
  async recover() {
    await engine.recovery.recover(0);
    await engine.recovery.idle();
    return 'recovered';
  },
};

async function obey({ command, given, diesAfter = Infinity }) {
  left = diesAfter;
  const answer = await COMMANDS[command](given);
  left = Infinity;
  process.send({ answer });
}

process.on('message', (message) => void obey(message));
process.send({ answer: 'ready' });
