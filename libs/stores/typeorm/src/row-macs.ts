import type { LogSeal } from '#contracts/transparency-log.js';
import { toJsonText } from './sql.js';
import type { Tables } from './tables.js';

/** The secret of the process, by its tables, which every statement has. */
export const seals = new WeakMap<Tables, LogSeal>();

/**
 * The keyed digest of what a row contains: only values that the process had before it wrote the row, because the database
 * could change what it returns. `null` without a secret.
 */
export function macOf(tables: Tables, ...fields: readonly unknown[]): string | null {
  return seals.get(tables)?.(toJsonText(fields)) ?? null;
}
