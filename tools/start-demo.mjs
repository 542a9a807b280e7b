// Starts the demo from its sources, as the specs do. Types are not checked here, so an unbuilt clone answers soon.
import { spawnSync } from 'node:child_process';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';

const panel = fileURLToPath(new URL('build-panel.mjs', import.meta.url));
// A process of its own, because Vite sets NODE_ENV.
const { status } = spawnSync(process.execPath, [panel], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
console.log('Loading the demo from its sources.');
register('../test/support/jest/typescript-loader.mjs', import.meta.url);
await import('../apps/demo/src/main.ts');
