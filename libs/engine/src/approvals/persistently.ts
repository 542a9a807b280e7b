import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from './store-failures.js';

const PAUSES_MS = [250, 500, 1000, 2000, 4000];

/** Tries again for some seconds where the store is away. What was tried before may have happened all the same. */
export async function persistently<Result>(work: (isFirst: boolean) => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt === 0);
    } catch (error) {
      const wait = PAUSES_MS[attempt];
      if (wait === undefined || !isPassing(error)) throw error;
      await pause(wait);
    }
  }
}
