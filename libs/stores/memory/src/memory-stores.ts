import type { Clock } from '../../../contracts/src/clock.js';
import type { StoreBackend } from '../../../contracts/src/store-backend.js';
import { MemoryBackend } from './memory-backend.js';
import { SystemClock } from './system-clock.js';

export interface MemoryStoresOptions {
  /** By which approvals expire and events fall due. Default: the machine's. */
  readonly clock?: Clock;
}

/** A backend that keeps everything in memory and forgets it with the process. */
export function memoryStores(options: MemoryStoresOptions = {}): StoreBackend {
  return new MemoryBackend(options.clock ?? new SystemClock());
}
