export * from '#engine/index.js';
export { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
export { memoryStores } from '#stores/memory/memory-stores.js';
export { type RunningEngine, startEngine, type StartOptions } from './start-engine.js';
