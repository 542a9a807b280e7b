import type { IncomingMessage } from 'node:http';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';

/** Where a reader goes on: what it was given last, as browsers send it back by themselves. `null`: from now on. */
export function lastEventId({ headers }: IncomingMessage): number | null {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return null;
  const number =
    typeof given === 'string' && /^(0|[1-9][0-9]{0,15})$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new GuardrailsError('invalid_query', 'Some headers do not fit.', {
    fields: { 'Last-Event-ID': ['must be an id of this stream'] },
  });
}
