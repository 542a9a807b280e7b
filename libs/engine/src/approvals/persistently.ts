import { setTimeout as pause } from 'node:timers/promises';
import { GuardrailsError } from '../../../contracts/src/errors.js';

const PAUSES_MS = [250, 500, 1000, 2000, 4000];

/** Tries again for some seconds where the store is away. What was tried before may have happened all the same. */
export async function persistently<Result>(work: (isFirst: boolean) => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt === 0);
    } catch (error) {
      const wait = PAUSES_MS[attempt];
      if (wait === undefined || !isAway(error)) throw error;
      await pause(wait);
    }
  }
}

function isAway(error: unknown): boolean {
  return (
    error instanceof GuardrailsError && (error.code === 'store_unavailable' || error.code === 'query_timeout')
  );
}
