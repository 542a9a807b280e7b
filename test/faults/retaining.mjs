// An instance that sets holds, purges and signs checkpoints as its parent asks, and may be killed at a statement.
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { Client } from 'pg';

const { url } = JSON.parse(process.argv[2]);

/** Statements until this process is killed, before it sends the next one. */
let left = Infinity;
const send = Reflect.get(Client.prototype, 'query');
Client.prototype.query = function (...given) {
  if (left-- === 0) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(send, this, given);
};

const stores = typeormStores({ url, statementTimeoutMs: 30_000 });
await stores.open();
const engine = createEngine({
  stores,
  configured: {
    ...DEFAULT_SETTINGS,
    'events.stream': 'all',
    'audit.checkpoint_key': Buffer.alloc(32, 7).toString('base64'),
  },
});
await engine.start();

const COMMANDS = {
  hold: ({ principalId }) => engine.holds.set({ kind: 'principal', principalId }, 'case 118', 'ops-1'),
  release: ({ id }) => engine.holds.release(id, 'ops-2'),
  checkpoint: async () => {
    await engine.checkpoints.tick();
    return (await stores.log.newest()).size;
  },
  purge: () =>
    engine.retention.apply(
      { strategy: 'purge', scope: { kind: 'before', before: new Date() }, actorId: 'ops-1' },
      { everything: true },
    ),
};

async function obey({ command, given, diesAfter = Infinity }) {
  left = diesAfter;
  const answer = await COMMANDS[command](given);
  left = Infinity;
  process.send({ answer });
}

process.on('message', (message) => void obey(message));
process.once('disconnect', () => process.exit());
process.send({ answer: 'ready' });
