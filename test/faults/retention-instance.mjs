// An instance that executes commands of the parent process: sets holds, purges, and signs checkpoints.
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { executeCommands } from './commanded-instance.mjs';

const { url } = JSON.parse(process.argv[2]);

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

process.once('disconnect', () => process.exit());
executeCommands(COMMANDS);
