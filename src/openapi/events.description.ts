import type {
  EventData,
  EventReplayData,
  EventSinksData,
  EventTestData,
} from '../../libs/contracts/src/api/responses.js';
import { EVENT_NAMES } from '../../libs/contracts/src/events.js';
import { SEVERITIES } from '../../libs/contracts/src/screening.js';
import { about, anything, boolean, choice, list, mapOf, nullable, object, text } from './json-schema.js';
import { lastEventId } from './parameters.js';
import { answer, type RouteDescription } from './route-description.js';
import { count, id, moment } from './wire-values.js';

const event = object<EventData>({
  sequence: about(id, 'The `id:` of the line: send it as `Last-Event-ID` to go on after it.'),
  id: about(text, 'Stays the same, however often the event is told.'),
  name: choice(EVENT_NAMES),
  subject: about(text, 'Events of one subject keep their order.'),
  severity: choice(SEVERITIES),
  occurred_at: moment,
  audit_id: nullable(id),
  payload: about(mapOf(anything), 'Ids, counts and lengths; what was decided, by which rule, for whom.'),
});

const sinks = object<EventSinksData>({
  sinks: list(
    object<EventSinksData['sinks'][number]>({
      name: text,
      state: about(
        choice(['closed', 'open', 'half_open', 'resting', 'unknown']),
        'Of the breaker: `closed` is well, `open` is left alone for a while, `half_open` is being probed. `resting`: the receiver wants no more. `unknown`: this instance has no such sink.',
      ),
      waiting: about(count, 'Over all instances.'),
      retrying: about(count, 'Of those, how many have failed before.'),
      dead: about(count, 'Dead letters, over all instances.'),
      waiting_since: about(nullable(moment), 'When the oldest waiting event happened.'),
      lag_seconds: count,
      delivered: about(count, 'By this instance alone, since `counted_since`.'),
      failed: about(count, 'By this instance alone, as are `state` and the two times below.'),
      last_success_at: nullable(moment),
      last_failure_at: nullable(moment),
      last_error: about(
        nullable(text),
        'Of this instance; where it has none, of whichever one tried the oldest waiting event.',
      ),
      counted_since: about(moment, 'When this instance began to count.'),
    }),
  ),
  as_of: moment,
});

export const EVENTS_ROUTES = {
  'events.stream': {
    summary: 'What happens, as it happens',
    description:
      'Server-sent events: each `data:` line is an envelope. What is shown is what the outbox keeps: what a sink selects, and what `events.stream` adds. A comment every 15 seconds keeps the connection alive; a client that takes nothing for ten seconds is cut off.',
    headers: [lastEventId],
    answer: answer<EventData>('EventData', event, {
      sequence: 4711,
      id: '0b8f1a52-6c0e-4a57-9d4e-6a3b1f0c7d21',
      name: 'guardrails.injection.blocked',
      subject: 'principal:customer-42',
      severity: 'high',
      occurred_at: '2026-03-31T09:15:00.000Z',
      audit_id: 9001,
      payload: { control: 'input_screen', outcome: 'blocked', rule_id: 'ignore_previous_instructions' },
    }),
    errors: ['invalid_query'],
  },
  'events.sinks': {
    summary: 'How the sinks are',
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
  'events.replay': {
    summary: 'Queue dead letters, or a range of kept events, for a sink once more',
    description:
      'Recorded in the log of changes under `events.replay`, before anything is queued. Ids stay the same, and so does what the sink selects. At most 10 000 events are looked at in one request; `next_from` is where the next one goes on.',
    body: {
      schema: {
        type: 'object',
        properties: {
          sink: about(text, 'The name of a sink.'),
          dead_letters: about(nullable(boolean), 'Its dead letters, in place of a range.'),
          from: about(nullable(id), 'The first `sequence` of the range.'),
          to: about(nullable(id), 'The last one, inclusive. Without it: all that there is.'),
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
    summary: 'Send a test event to a sink, and say whether it arrived',
    description: 'Past the queue. A success also wakes a sink whose receiver wanted no more.',
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
