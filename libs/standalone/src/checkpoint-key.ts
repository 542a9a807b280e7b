import { readFileSync, statSync } from 'node:fs';
import { ConfigurationError } from '#contracts/errors.js';
import { invalidCheckpointKey } from '#engine/audit/checkpoint-notes.js';

const FILE = 'file:';
const READABLE_BY_OTHERS = 0o007;

/** The checkpoint key itself, read from its file if a path is given, or why it cannot be used. */
export function resolveCheckpointKey(given: string | null): {
  readonly key: string | null;
  readonly reasons: readonly string[];
} {
  if (given === null) return { key: null, reasons: [] };
  try {
    const key = given.startsWith(FILE) ? keyIn(given.slice(FILE.length)) : given;
    const reasons = invalidCheckpointKey(key);
    return { key: reasons.length === 0 ? key : null, reasons };
  } catch (error) {
    if (error instanceof ConfigurationError) return { key: null, reasons: error.reasons };
    return { key: null, reasons: [`audit.checkpoint_key: the file cannot be read: ${codeOf(error)}`] };
  }
}

function keyIn(path: string): string {
  if ((statSync(path).mode & READABLE_BY_OTHERS) !== 0)
    throw new ConfigurationError([
      'audit.checkpoint_key: other users can read or change the file of the key: run chmod 600 on it, and use a new key if somebody may have read it',
    ]);
  return readFileSync(path, 'utf8');
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
