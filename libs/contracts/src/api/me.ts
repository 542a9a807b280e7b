/** The caller, and what the caller may do. */
import {
  about,
  boolean,
  choice,
  count,
  example,
  moment,
  nullable,
  object,
  record,
  type Static,
  text,
} from '../common/schema.js';

/** @param routes the names of all routes; their list contains the type below, so that this file cannot import it */
export const meData = (routes: readonly `guardrails.api.${string}`[]) =>
  object(
    {
      actor: about(
        nullable(text),
        'The id that writes of this caller are recorded under; `null` if the request has none.',
        'ops-1',
      ),
      permissions: about(
        record(routes, example(nullable(boolean), true)),
        'The answers of `api.permits`, by the name of the route; `null` where it gives none. They are information: your entries of `api.middleware` decide about each request.',
      ),
      four_eyes: about(boolean, '`hitl.four_eyes`: requesters cannot approve their own calls.', true),
      token_delivery: about(choice(['list', 'out_of_band']), '`hitl.token_delivery`.'),
      live: about(
        choice(['off', 'security', 'all']),
        '`events.stream`: events that the live stream shows.',
        'security',
      ),
      sequence: about(
        count,
        'Sequence number of the newest event; 0 before the first. Pass it as `Last-Event-ID`.',
        4711,
      ),
      now: about(moment, 'The time of the server.'),
    },
    'MeData',
  );
export type MeData = Static<ReturnType<typeof meData>>;
