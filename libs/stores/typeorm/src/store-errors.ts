import { GuardrailsError } from '../../../contracts/src/errors.js';

/** By SQLSTATE; MariaDB and MySQL by number: a time-out of a statement, or of waiting for a lock. */
const TIMED_OUT = /^(57014|55P03|1205|1969|3024)$/;

/** Connection exceptions, refused log-ins, no such or no open database, too many connections, shut-down and recovery, a standby; and the network's own. */
const UNREACHABLE =
  /^(08...|28...|3D000|53...|55000|57P0.|25006|10(40|44|45|49|53)|1129|1130|1203|1226|1290|1836|1927|PROTOCOL_CONNECTION_LOST|PROTOCOL_SEQUENCE_TIMEOUT|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** What `pg`, its pool and TypeORM say in words alone. */
const UNREACHABLE_WORDS =
  /connection terminated|connection error|not queryable|timeout exceeded when trying to connect|pool after calling end|connection timeout|not connected|connection is not established|session is busy|pool is closed|closed state|query read timeout/i;

const CONFLICTED = /^(40001|40P01|1213|1020)$/;

/** No such prepared statement, or there is one already: a pooler has lent us another session in between. */
const ANOTHER_SESSION = /^(26000|42P05)$/;

const ATTEMPTS = 5;

/** The edge of the stores: a driver's error leaves as one of ours, without its statement; any other passes as it is. */
export async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}

export function isAnotherSession(error: unknown): boolean {
  return ANOTHER_SESSION.test(codeOf(error));
}

/** Runs the whole of `work` again where the database let another transaction win, or did not know our statement. */
export async function untilSettled<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const again = CONFLICTED.test(codeOf(error)) || isAnotherSession(error);
      if (attempt === ATTEMPTS || !again) throw error;
    }
  }
}

/** Whether the database itself refused, so that nothing was written, and what was asked may be asked for in parts. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof GuardrailsError) return false;
  return (
    /^([0-9A-Z]{5}|\d{4})$/.test(codeOf(error)) || error instanceof RangeError || error instanceof TypeError
  );
}

/** A key that is taken already. */
export function isDuplicate(error: unknown): boolean {
  return /^(23505|1062)$/.test(codeOf(error));
}

function translated(error: unknown): unknown {
  if (error instanceof GuardrailsError) return error;
  const code = codeOf(error);
  if (TIMED_OUT.test(code)) return GuardrailsError.queryTimeout(error);
  if (UNREACHABLE.test(code) || CONFLICTED.test(code)) return GuardrailsError.storeUnavailable(error);
  if (code === '' && error instanceof Error && UNREACHABLE_WORDS.test(error.message)) {
    return GuardrailsError.storeUnavailable(error);
  }
  return error;
}

/** TypeORM wraps what the driver throws, and keeps it as `driverError`. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, errno, driverError } = error as { code?: unknown; errno?: unknown; driverError?: unknown };
  // The numbers of MariaDB; those of the network are below zero.
  if (typeof errno === 'number' && errno > 0) return String(errno);
  return typeof code === 'string' ? code : codeOf(driverError);
}
