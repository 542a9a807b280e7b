export { MemoryBackend } from './memory-backend.js';
export { memoryStores, type MemoryStoresOptions } from './memory-stores.js';
export { SystemClock } from './system-clock.js';
