import type { ServerFacts } from '../../../../../libs/stores/typeorm/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, warning, error } = findingsOf('clock');

const TOLERABLE_MS = 1_000;
/** Approvals would seem to expire, and decisions to be made, in another minute than they are. */
const WRONG_MS = 60_000;

export function checkClock({ clockSkewMs, clockErrorMs }: ServerFacts): Finding {
  // Asking took time too: only what that cannot explain is skew.
  const skew = Math.max(0, Math.abs(clockSkewMs) - clockErrorMs);
  if (skew <= TOLERABLE_MS) return ok('The clocks of the database and of this machine agree to a second.');
  const message = `The clock of the database is ${(skew / 1_000).toFixed(1)} s ${clockSkewMs > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const remedy =
    'Let both follow a time server: decisions carry the time of the instance, expiry is judged by the database.';
  return skew > WRONG_MS ? error(message, remedy) : warning(message, remedy);
}
