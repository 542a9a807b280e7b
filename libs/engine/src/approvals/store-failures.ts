import { GuardrailsError } from '../../../contracts/src/errors.js';

/** Nothing at all can be had from the store now. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof GuardrailsError && error.code === 'store_unavailable';
}

/** Trying again may help. */
export function isPassing(error: unknown): boolean {
  return isStoreAway(error) || (error instanceof GuardrailsError && error.code === 'query_timeout');
}

/** For the log: an error that is not ours may hold what a row held. */
export function reasonOf(error: unknown): string {
  if (error instanceof GuardrailsError) return error.message;
  return error instanceof Error ? `${error.name}: it cannot be read or written as it is` : 'unknown';
}
