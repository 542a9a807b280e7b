import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import type { ReplayRequest } from '../../libs/engine/src/events/sink-admin.js';
import type { ReplayEventsDto } from './replay-events.dto.js';

/** Dead letters, or a range: never everything because something was left out. */
export function replayRequest({ sink, dead_letters: dead, from, to }: ReplayEventsDto): ReplayRequest {
  const deadLetters = dead === true;
  const first = from ?? null;
  const last = to ?? Number.MAX_SAFE_INTEGER;
  if (deadLetters ? first !== null : first === null)
    throw misfit('from', 'must be given, unless dead_letters is true');
  if (first !== null && first > last) throw misfit('from', 'must not be after to');
  return { sink, deadLetters, from: first ?? 1, to: last };
}

function misfit(field: string, sentence: string): GuardrailsError {
  return new GuardrailsError('invalid_body', 'Some fields do not fit.', { fields: { [field]: [sentence] } });
}
