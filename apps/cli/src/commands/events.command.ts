import type { EventSinksData } from '#client/index.js';
import { API_OPTIONS, apiClient } from '../shared/api.js';
import { printResult, UsageError, type Command } from '../shared/command.js';

export const listCommand: Command = {
  name: 'events list',
  summary: 'Lists the event sinks with their waiting events, dead letters and last error.',
  details: ['Waiting events are counted over all instances, deliveries on the instance that answers.'],
  options: API_OPTIONS,
  examples: ['nest-guardrails events list'],
  exits: [
    'Every sink delivers and has no dead letters.',
    'A sink is paused or has dead letters.',
    'The request failed.',
  ],

  async run(session) {
    const { data } = await apiClient(session).call('events.sinks');
    printResult(session, data, sinkLines(data));
    return data.sinks.every(({ state, dead }) => state === 'closed' && dead === 0) ? 0 : 1;
  },
};

export const replayCommand: Command = {
  name: 'events replay',
  summary: 'Queues dead letters, or a range of stored events, for a sink again.',
  positionals: ['sink'],
  details: ['Replayed events keep their ids, so that the receiver can detect duplicates.'],
  options: {
    ...API_OPTIONS,
    sink: { value: 'NAME', help: 'The sink.' },
    dead: { help: 'Replays the dead letters of the sink.' },
    from: { value: 'NUMBER', help: 'First event of a range, by the numbers of the live stream.' },
    to: { value: 'NUMBER', help: 'Last event of the range. Default: the newest event.' },
  },
  examples: [
    'nest-guardrails events replay siem --dead',
    'nest-guardrails events replay siem --from 1200 --to 1300',
  ],
  exits: ['All events are queued.', null, 'The request failed; some events may be queued.'],

  async run(session) {
    const { options } = session;
    const sink = options.required('sink');
    const [from, to] = [options.id('from'), options.id('to')];
    if (options.has('dead') === (from !== null)) throw new UsageError('Pass either --dead or --from.');
    const client = apiClient(session);
    let queued = 0;
    for (let next = from; ;) {
      const range = options.has('dead') ? { dead_letters: true } : { from: next, to };
      const { data } = await client.call('events.replay', { body: { sink, ...range } });
      queued += data.queued;
      if (data.next_from === null) break;
      next = data.next_from;
    }
    printResult(session, { sink, queued }, `${queued} events are queued for ${sink}.`);
    return 0;
  },
};

export const testCommand: Command = {
  name: 'events test',
  summary: 'Sends a test event to a sink and prints whether it was delivered.',
  positionals: ['sink'],
  details: ['A successful test also resumes a sink that was paused after failed deliveries.'],
  options: {
    ...API_OPTIONS,
    sink: { value: 'NAME', help: 'The sink.' },
  },
  examples: ['nest-guardrails events test siem'],
  exits: ['The event was delivered.', 'The delivery failed.', 'The request failed.'],

  async run(session) {
    const sink = session.options.required('sink');
    const { data } = await apiClient(session).call('events.test', { params: { name: sink } });
    const { event_id: id, duration_ms: duration, delivered, error } = data;
    const line = delivered
      ? `Event ${id} was delivered to ${sink} in ${duration} ms.`
      : `The delivery to ${sink} failed: ${error}.`;
    printResult(session, data, line);
    return delivered ? 0 : 1;
  },
};

function sinkLines({ sinks }: EventSinksData) {
  if (sinks.length === 0) return 'No sinks are configured.';
  return sinks
    .map(({ name, state, waiting, dead, lag_seconds: lag, delivered, last_error: error }) => {
      const label = state === 'closed' ? 'ok' : state.replace('_', ' ');
      const line = `${name}: ${label}, ${delivered} delivered, ${waiting} waiting for ${lag} s, ${dead} dead`;
      return error === null ? line : `${line}; last error: ${error}`;
    })
    .join('\n');
}
