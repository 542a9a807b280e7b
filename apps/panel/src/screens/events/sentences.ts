/** What the screen of events says about sinks and deliveries. */
import type { DeadLetterData, EventSinksData } from '#client/index.js';
import type { EventReplayData, EventTestData } from '#contracts/events/events.api.js';
import { count, duration, plural } from '../../text/format.js';
import type { Tone } from '../../ui/values.js';

export type Sink = EventSinksData['sinks'][number];

export const SINK_STATES: Readonly<Record<Sink['state'], readonly [tone: Tone, text: string]>> = {
  closed: ['ok', 'delivers'],
  half_open: ['observed', 'tries again after failures'],
  open: ['blocked', 'waits after failures'],
  resting: ['observed', 'paused until a test event is delivered'],
  unknown: ['blocked', 'not configured on this instance'],
};

/** Where a sink pauses after failures, what was replayed waits for the next attempt as well. */
const WAITS: Readonly<Record<Sink['state'], string>> = {
  closed: '',
  half_open: ' The sink is tried with one event first.',
  open: ' The sink pauses after failures, so they are sent when it is tried again.',
  resting: ' The sink is paused: send a test event to resume it.',
  unknown: '',
};

export function lagText({ waiting, lag_seconds: lag }: Sink): string {
  return waiting === 0 ? 'none' : `The oldest waiting event is ${duration(lag)} old.`;
}

export function testText({ delivered, duration_ms: ms, error }: EventTestData): string {
  return delivered
    ? `The test event was delivered in ${ms} ms.`
    : `The test event was not delivered: ${error ?? 'no reason given'}`;
}

export function replayedText({ state }: Sink, sequence: number): string {
  return `Event ${sequence} waits for delivery again.${WAITS[state]}`;
}

export function goneText(sequence: number): string {
  return `Event ${sequence} is no longer a dead letter: it was replayed or deleted in the meantime.`;
}

export function replayedAllText({ state }: Sink, { queued }: EventReplayData): string {
  const letters = queued === 1 ? 'One dead letter waits' : `${count(queued)} dead letters wait`;
  return `${letters} for delivery again.${queued === 0 ? '' : WAITS[state]}`;
}

export function rangeText({ queued, next_from: next }: EventReplayData): string {
  const more = next === null ? '' : ` Continue with a replay from number ${next}.`;
  return `${count(queued)} events wait for delivery again.${more}`;
}

export function failedText({ attempts, error }: DeadLetterData): string {
  const times = attempts === 1 ? 'once' : plural(attempts, 'time');
  const what = attempts === 0 ? 'Never sent, because earlier events failed' : `Failed ${times}`;
  return `${what}${error === null ? '.' : ': '}`;
}
