export { memoryStores, type MemoryStoresOptions } from './memory-stores.js';
