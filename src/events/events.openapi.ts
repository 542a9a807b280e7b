import type {
  DeadLetterData,
  EventData,
  EventDeadLettersData,
  EventReplayData,
  EventSinksData,
  EventTestData,
} from '#contracts/api/responses.js';
import { EVENT_NAMES } from '#contracts/events.js';
import { SEVERITIES } from '#contracts/screening.js';
import {
  about,
  anything,
  boolean,
  choice,
  count,
  id,
  list,
  mapOf,
  moment,
  nextCursor,
  nullable,
  object,
  text,
} from '../openapi/json-schema.js';
import * as parameters from '../openapi/parameters.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

const eventMembers = {
  sequence: about(id, 'The `id:` of the event. Send it as `Last-Event-ID` to resume after it.'),
  id: about(text, 'Stays the same in every delivery of the event.'),
  name: choice(EVENT_NAMES),
  subject: about(text, 'Events of one subject keep their order.'),
  severity: choice(SEVERITIES),
  occurred_at: moment,
  audit_id: nullable(id),
  payload: about(
    mapOf(anything),
    'Ids, counts and lengths: the decision, the rule and the principal. No texts.',
  ),
};

const event = object<EventData>(eventMembers);

const deadLetter = object<DeadLetterData>({
  ...eventMembers,
  attempts: about(count, 'Failed deliveries. 0: it was never sent, because earlier events failed.'),
  error: about(nullable(text), 'Why the last delivery failed, without addresses and secrets.'),
  died_at: moment,
});

const sinks = object<EventSinksData>({
  sinks: list(
    object<EventSinksData['sinks'][number]>({
      name: text,
      state: about(
        choice(['closed', 'open', 'half_open', 'resting', 'unknown']),
        'State of the circuit breaker: `closed` delivers, `open` pauses after failures, `half_open` sends a probe. `resting`: the receiver refused further events. `unknown`: this instance has no such sink.',
      ),
      waiting: about(count, 'Events that wait, over all instances.'),
      retrying: about(count, 'Events among them that have failed before.'),
      dead: about(count, 'Dead letters, over all instances.'),
      waiting_since: about(nullable(moment), 'When the oldest waiting event occurred.'),
      lag_seconds: count,
      delivered: about(count, 'Events that this instance delivered since `counted_since`.'),
      failed: about(
        count,
        'Failed attempts of this instance. `state` and the two times below are also those of this instance.',
      ),
      last_success_at: nullable(moment),
      last_failure_at: nullable(moment),
      last_error: about(
        nullable(text),
        'The last error of this instance or, if it has none, of the instance that last tried the oldest waiting event.',
      ),
      counted_since: about(moment, 'When this instance started to count.'),
    }),
  ),
  as_of: moment,
});

const EXAMPLE: EventData = {
  sequence: 4711,
  id: '0b8f1a52-6c0e-4a57-9d4e-6a3b1f0c7d21',
  name: 'guardrails.injection.blocked',
  subject: 'principal:customer-42',
  severity: 'high',
  occurred_at: '2026-03-31T09:15:00.000Z',
  audit_id: 9001,
  payload: { control: 'input_screen', outcome: 'blocked', rule_id: 'ignore_previous_instructions' },
};

export const EVENTS_ROUTES = {
  'events.stream': {
    summary: 'Live stream of events',
    description:
      'Server-sent events: each `data:` line is an envelope. The stream contains the events of the outbox: those that a sink selects, and those that `events.stream` adds. The first line is the comment `: at <sequence>`: the number of the newest event when the stream was opened. A comment every 15 seconds keeps the connection alive; a client that reads nothing for ten seconds is disconnected. Each stream ends after about a minute with an event named `end`. Reconnect with `Last-Event-ID`, as an `EventSource` does; no event is lost.',
    query: [parameters.eventNames],
    headers: [parameters.lastEventId],
    answer: answer<EventData>('EventData', event, EXAMPLE),
    errors: ['invalid_query'],
  },
  'events.sinks': {
    summary: 'State of the sinks',
    answer: answer<EventSinksData>('EventSinksData', sinks, {
      sinks: [
        {
          name: 'siem',
          state: 'closed',
          waiting: 0,
          retrying: 0,
          dead: 0,
          waiting_since: null,
          lag_seconds: 0,
          delivered: 1204,
          failed: 1,
          last_success_at: '2026-03-31T09:15:00.000Z',
          last_failure_at: '2026-03-30T22:01:12.408Z',
          last_error: 'the receiver answered 503',
          counted_since: '2026-03-30T08:00:00.000Z',
        },
      ],
      as_of: '2026-03-31T09:15:01.000Z',
    }),
  },
  'events.dead': {
    summary: 'Dead letters of a sink, newest event first',
    description:
      'Events that could not be delivered for three days. They stay for `events.retention` days after they occurred. Replay one with its `sequence`, or all of them, with `POST /events/replay`.',
    query: [parameters.cursor, parameters.limit(200, 50)],
    answer: answer<EventDeadLettersData>(
      'EventDeadLettersData',
      object({ sink: text, dead: list(deadLetter), next_cursor: nextCursor }),
      {
        sink: 'siem',
        dead: [
          {
            ...EXAMPLE,
            attempts: 9,
            error: 'the receiver answered 503',
            died_at: '2026-04-03T09:20:00.000Z',
          },
        ],
        next_cursor: null,
      },
    ),
  },
  'events.replay': {
    summary: 'Queue dead letters or a range of stored events for a sink again',
    description:
      'Recorded in the change log under `events.replay` before anything is queued. Events keep their ids, and the filter of the sink still applies. One request reads at most 10 000 events; `next_from` is the start of the next request.',
    body: {
      schema: {
        type: 'object',
        properties: {
          sink: about(text, 'The name of a sink.'),
          dead_letters: about(nullable(boolean), 'Replay the dead letters instead of a range.'),
          sequence: about(
            nullable(id),
            'Replay the dead letter with this number only. If the event is not a dead letter, the status is 404.',
          ),
          from: about(nullable(id), 'The first `sequence` of the range.'),
          to: about(nullable(id), 'The last one, inclusive. Default: the newest.'),
        },
        required: ['sink'],
      },
      example: { sink: 'siem', from: 4700, to: 4800 },
    },
    answer: answer<EventReplayData>(
      'EventReplayData',
      object({ sink: text, queued: count, next_from: nullable(id) }),
      { sink: 'siem', queued: 100, next_from: null },
    ),
    errors: ['not_found'],
  },
  'events.test': {
    summary: 'Send a test event to a sink and report whether it arrived',
    description: 'Bypasses the queue. A success also resumes a sink that is `resting`.',
    storeless: true,
    answer: answer<EventTestData>(
      'EventTestData',
      object({ sink: text, event_id: text, delivered: boolean, error: nullable(text), duration_ms: count }),
      {
        sink: 'siem',
        event_id: '6f0d3c7e-5b1f-4f0e-8f5b-0a5f7b9c2d10',
        delivered: true,
        error: null,
        duration_ms: 84,
      },
    ),
  },
} as const satisfies Record<string, RouteDescription>;
