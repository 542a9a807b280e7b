import { setTimeout } from 'node:timers/promises';
import { GuardrailsError } from '#contracts/common/errors.js';

/** SQLSTATEs of a statement time-out and of a lock time-out. */
const TIMED_OUT = /^(57014|55P03)$/;

/**
 * Connection exceptions, refused log-ins, a missing database, too many connections, shut-down and recovery, a standby;
 * and the codes of the network.
 */
const UNREACHABLE =
  /^(08...|28...|3D000|53...|55000|57P0.|25006|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** Errors of `pg`, its pool and TypeORM that have no code. */
const UNREACHABLE_MESSAGE =
  /connection terminated|connection error|not queryable|timeout exceeded when trying to connect|pool after calling end|connection timeout|not connected|connection is not established|session is busy|query runner already released|query read timeout/i;

const CONFLICTED = /^(40001|40P01)$/;
const DEADLOCK = '40P01';
const LOCK_TIMED_OUT = '55P03';

/** The prepared statement does not exist, or exists already: a pooler has assigned another session. */
const UNKNOWN_STATEMENT = /^(26000|42P05)$/;

/** Errors after which a statement may or may not have been committed. */
const UNCERTAIN = /^(08...|57P0.|EPIPE)$/;

/** The pauses between all attempts add up to 0.3 seconds on average, and to 0.63 seconds at most. */
const ATTEMPTS = 12;

const MAX_PAUSE_MS = 100;

/** Turns errors of the driver into `GuardrailsError`s, which do not contain the statement. Other errors pass unchanged. */
export async function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}

/**
 * Runs `work` again after a serialization failure, a deadlock or a lost prepared statement: the first time at once, then
 * after random pauses that grow. Without pauses a writer can lose to the same faster writer every time.
 */
export async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = CONFLICTED.test(codeOf(error)) || isUnknownStatement(error);
      if (attempt === ATTEMPTS || !isConflict) throw error;
      if (attempt > 1) await setTimeout(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
    }
  }
}

/** For a transaction that sets `lock_timeout` to end a deadlock early, and that `retryConflicts` runs again. */
export async function lockTimeoutsAsConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) !== LOCK_TIMED_OUT) throw error;
    throw Object.assign(new Error('Another transaction holds a lock.', { cause: error }), { code: DEADLOCK });
  }
}

export function isUnknownStatement(error: unknown): boolean {
  return UNKNOWN_STATEMENT.test(codeOf(error));
}

/** The server refused the statement, so nothing was written; a part of the statement may succeed. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof GuardrailsError) return false;
  const code = codeOf(error);
  if (/^[0-9A-Z]{5}$/.test(code)) return !UNCERTAIN.test(code);
  return error instanceof RangeError || error instanceof TypeError;
}

/** `pg` reports a connection that did not answer in time; TypeORM wraps the error. */
export function isResponseTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('Query read timeout');
}

function translated(error: unknown): unknown {
  if (error instanceof GuardrailsError) return error;
  const code = codeOf(error);
  if (TIMED_OUT.test(code)) return GuardrailsError.queryTimeout(error);
  if (UNREACHABLE.test(code) || CONFLICTED.test(code)) return GuardrailsError.storeUnavailable(error);
  if (code === '' && error instanceof Error && UNREACHABLE_MESSAGE.test(error.message))
    return GuardrailsError.storeUnavailable(error);
  return error;
}

/** TypeORM keeps the error of the driver in `driverError`. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, driverError } = error as { code?: unknown; driverError?: unknown };
  return typeof code === 'string' ? code : codeOf(driverError);
}
