/** Events: the live stream, and what sinks received or could not receive. */
import { EVENT_NAMES } from './events.js';
import { cursorOf } from '../common/query.js';
import {
  about,
  anything,
  boolean,
  choice,
  count,
  example,
  id,
  list,
  mapOf,
  moment,
  nextCursor,
  nullable,
  object,
  type Static,
  text,
} from '../common/schema.js';
import { SEVERITIES } from '../screening/screening.js';

const EVENT = {
  sequence: about(id, 'The `id:` of the event. Send it as `Last-Event-ID` to resume after it.', 4711),
  id: about(text, 'Stays the same in every delivery of the event.', '0b8f1a52-6c0e-4a57-9d4e-6a3b1f0c7d21'),
  name: example(choice(EVENT_NAMES), 'guardrails.injection.blocked'),
  subject: about(text, 'Events of one subject keep their order.', 'principal:customer-42'),
  severity: example(choice(SEVERITIES), 'high'),
  occurred_at: moment,
  audit_id: example(nullable(id), 9001),
  payload: about(
    mapOf(anything),
    'Ids, counts and lengths: the decision, the rule and the principal. No texts.',
    { control: 'input_screen', outcome: 'blocked', rule_id: 'ignore_previous_instructions' },
  ),
};

export const EventData = object(EVENT, 'EventData');
export type EventData = Static<typeof EventData>;

/** The data of the event named `end`, which announces the planned end of a live stream. */
export interface StreamEndData {
  readonly stream: 'end';
  /** Reconnect with this number as `Last-Event-ID`. */
  readonly resume_after: number;
}

const sink = example(text, 'siem');

export const EventSinksData = object(
  {
    sinks: list(
      object(
        {
          name: sink,
          state: about(
            choice(['closed', 'open', 'half_open', 'resting', 'unknown']),
            'State of the circuit breaker: `closed` delivers, `open` pauses after failures, `half_open` sends a probe. `resting`: the receiver refused further events. `unknown`: this instance has no such sink.',
          ),
          waiting: about(count, 'Events that wait, over all instances.'),
          retrying: about(count, 'Events among them that have failed before.'),
          dead: about(count, 'Dead letters, over all instances.'),
          waiting_since: example(about(nullable(moment), 'When the oldest waiting event occurred.'), null),
          lag_seconds: count,
          delivered: about(count, 'Events that this instance delivered since `counted_since`.', 1204),
          failed: about(
            count,
            'Failed attempts of this instance. `state` and the two times below are also those of this instance.',
            1,
          ),
          last_success_at: nullable(moment),
          last_failure_at: nullable(moment),
          last_error: about(
            nullable(text),
            'The last error of this instance or, if it has none, of the instance that last tried the oldest waiting event.',
            'the receiver answered 503',
          ),
          counted_since: about(moment, 'When this instance started to count.'),
        },
        'Sink',
      ),
    ),
    as_of: moment,
  },
  'EventSinksData',
);
export type EventSinksData = Static<typeof EventSinksData>;

export const DeadLettersQuery = object(cursorOf(200, 50));
export type DeadLettersQuery = Static<typeof DeadLettersQuery>;

export const DeadLetterData = object(
  {
    ...EVENT,
    attempts: about(count, 'Failed deliveries. 0: it was never sent, because earlier events failed.', 9),
    error: about(
      nullable(text),
      'Why the last delivery failed, without addresses and secrets.',
      'the receiver answered 503',
    ),
    died_at: moment,
  },
  'DeadLetter',
);
export type DeadLetterData = Static<typeof DeadLetterData>;

export const EventDeadLettersData = object(
  { sink, dead: list(DeadLetterData), next_cursor: nextCursor },
  'EventDeadLettersData',
);
export type EventDeadLettersData = Static<typeof EventDeadLettersData>;

export const EventReplayData = object(
  { sink, queued: example(count, 100), next_from: nullable(id) },
  'EventReplayData',
);
export type EventReplayData = Static<typeof EventReplayData>;

/** The dead letters of a sink, one of them, or a range. */
export interface ReplayBody {
  readonly sink: string;
  readonly dead_letters?: boolean | null | undefined;
  readonly sequence?: number | null | undefined;
  readonly from?: number | null | undefined;
  readonly to?: number | null | undefined;
}

export const EventTestData = object(
  {
    sink,
    event_id: example(text, '6f0d3c7e-5b1f-4f0e-8f5b-0a5f7b9c2d10'),
    delivered: example(boolean, true),
    error: nullable(text),
    duration_ms: example(count, 84),
  },
  'EventTestData',
);
export type EventTestData = Static<typeof EventTestData>;
