// Starts the demo from its sources, as the specs do. Types are not checked here, so an unbuilt clone answers soon.
import { register } from 'node:module';
import { buildPanel } from './build-panel.mjs';

buildPanel();
console.log('Loading the demo from its sources.');
register('../test/support/jest/typescript-loader.mjs', import.meta.url);
await import('../apps/demo/src/main.ts');
