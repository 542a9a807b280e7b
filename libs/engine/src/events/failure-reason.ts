import { DeliveryError } from '../../../contracts/src/event-sink.js';
import { scrubText, takeCodePoints } from '../../../contracts/src/text.js';

const LONGEST = 300;
/** A sink of the host's may throw a text of any length. */
const MOST_LOOKED_AT = 10_000;

/** An address may hold a token, in any of its parts: what the host's own sinks throw is shown without. */
const ADDRESS = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]*/gi;

export interface Failure {
  readonly reason: string;
  readonly retryAfterMs: number | null;
  readonly gone: boolean;
}

/** What a delivery failed of, fit for operators. */
export function failureOf(error: unknown, withoutSecrets: (text: string) => string): Failure {
  const message = error instanceof Error ? error.message : 'the sink failed';
  const looked = takeCodePoints(scrubText(message), MOST_LOOKED_AT).head;
  const reason = takeCodePoints(withoutSecrets(looked.replaceAll(ADDRESS, '[address]')), LONGEST).head;
  if (error instanceof DeliveryError) return { reason, retryAfterMs: error.retryAfterMs, gone: error.gone };
  return { reason, retryAfterMs: null, gone: false };
}
