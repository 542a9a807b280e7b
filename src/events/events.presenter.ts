import type {
  DeadLetterData,
  EventData,
  EventDeadLettersData,
  EventReplayData,
  EventSinksData,
  EventTestData,
} from '#contracts/api/responses.js';
import type { DeadLetter, NumberedEvent } from '#contracts/outbox.js';
import type { Page } from '#contracts/page.js';
import type { Replayed, SinkState, SinkTest } from '#engine/events/sink-admin.js';

export function presentEvent(event: NumberedEvent): EventData {
  const { sequence, id, name, subject, severity, occurredAt, auditId, payload } = event;
  return {
    sequence,
    id,
    name,
    subject,
    severity,
    occurred_at: occurredAt.toISOString(),
    audit_id: auditId,
    payload,
  };
}

export function presentSinks(states: readonly SinkState[], now: Date): EventSinksData {
  return { sinks: states.map((state) => presentSink(state, now)), as_of: now.toISOString() };
}

function presentSink(state: SinkState, now: Date): EventSinksData['sinks'][number] {
  const { name, waiting, retrying, dead, waitingSince, delivered, failed, lastError } = state;
  const lag = waitingSince === null ? 0 : (now.getTime() - waitingSince.getTime()) / 1000;
  return {
    name,
    state: state.state,
    waiting,
    retrying,
    dead,
    waiting_since: waitingSince?.toISOString() ?? null,
    lag_seconds: Math.max(0, Math.round(lag)),
    delivered,
    failed,
    last_success_at: state.lastSuccessAt?.toISOString() ?? null,
    last_failure_at: state.lastFailureAt?.toISOString() ?? null,
    last_error: lastError,
    counted_since: state.countedSince.toISOString(),
  };
}

export function presentDeadLetters(
  sink: string,
  { entries, next_cursor }: Page<DeadLetter>,
): EventDeadLettersData {
  return { sink, dead: entries.map(presentDeadLetter), next_cursor: next_cursor };
}

function presentDeadLetter(letter: DeadLetter): DeadLetterData {
  const { attempts, error, diedAt } = letter;
  return { ...presentEvent(letter), attempts, error, died_at: diedAt.toISOString() };
}

export function presentReplay(sink: string, { queued, nextFrom }: Replayed): EventReplayData {
  return { sink, queued, next_from: nextFrom };
}

export function presentTest(
  sink: string,
  { eventId, delivered, error, durationMs }: SinkTest,
): EventTestData {
  return { sink, event_id: eventId, delivered, error, duration_ms: durationMs };
}
