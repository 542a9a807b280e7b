import type {
  Envelope,
  ErrorData,
  EventReplayData,
  EventSinksData,
  EventTestData,
} from '#contracts/index.js';
import {
  UsageError,
  type Command,
  type OptionDeclaration,
  type ParsedOptions,
  type Session,
} from '../command.js';

const TIMEOUT_MS = 60_000;

// Sinks exist only inside a running application, so these commands call its API.
const API_OPTIONS: Readonly<Record<string, OptionDeclaration>> = {
  api: {
    value: 'URL',
    help: 'URL of the API of a running instance, such as https://shop.example/guardrails/api. Default: GUARDRAILS_API_URL. Set GUARDRAILS_API_AUTHORIZATION to the value of the Authorization header.',
  },
};

export const listCommand: Command = {
  name: 'events list',
  summary: 'Lists the event sinks with their waiting events, dead letters and last error.',
  details: ['Waiting events are counted over all instances, deliveries on the instance that answers.'],
  options: { ...API_OPTIONS, json: { help: 'Prints the response of the API.' } },
  exits: [
    'Every sink delivers and has no dead letters.',
    'A sink is paused or has dead letters, or the request failed.',
  ],

  async run(options, session) {
    const data = await callApi<EventSinksData>(options, session, '/events/sinks');
    session.terminal.print(options.has('json') ? JSON.stringify(data, null, 2) : sinkLines(data));
    return data.sinks.every(({ state, dead }) => state === 'closed' && dead === 0) ? 0 : 1;
  },
};

export const replayCommand: Command = {
  name: 'events replay',
  summary: 'Queues dead letters, or a range of stored events, for a sink again.',
  details: ['Replayed events keep their ids, so that the receiver can detect duplicates.'],
  options: {
    ...API_OPTIONS,
    sink: { value: 'NAME', help: 'The sink.' },
    dead: { help: 'Replays the dead letters of the sink.' },
    from: { value: 'NUMBER', help: 'First event of a range, by the numbers of the live stream.' },
    to: { value: 'NUMBER', help: 'Last event of the range. Default: the newest event.' },
  },
  exits: ['All events are queued.', 'The request failed; some events may be queued.'],

  async run(options, session) {
    const sink = sinkOf(options);
    const [from, to] = [numberOf(options, 'from'), numberOf(options, 'to')];
    if (options.has('dead') === (from !== null)) throw new UsageError('Pass either --dead or --from.');
    let queued = 0;
    for (let next = from; ;) {
      const range = options.has('dead') ? { dead_letters: true } : { from: next, to };
      const data = await callApi<EventReplayData>(options, session, '/events/replay', { sink, ...range });
      queued += data.queued;
      if (data.next_from === null) break;
      next = data.next_from;
    }
    session.terminal.print(`${queued} events are queued for ${sink}.`);
    return 0;
  },
};

export const testCommand: Command = {
  name: 'events test',
  summary: 'Sends a test event to a sink and prints whether it was delivered.',
  details: ['A successful test also resumes a sink that was paused after failed deliveries.'],
  options: { ...API_OPTIONS, sink: { value: 'NAME', help: 'The sink.' } },
  exits: ['The event was delivered.', 'The delivery or the request failed.'],

  async run(options, session) {
    const sink = sinkOf(options);
    const path = `/events/sinks/${encodeURIComponent(sink)}/test`;
    const data = await callApi<EventTestData>(options, session, path, 'no body');
    const { event_id: id, duration_ms: duration, delivered, error } = data;
    session.terminal.print(
      delivered
        ? `Event ${id} was delivered to ${sink} in ${duration} ms.`
        : `The delivery to ${sink} failed: ${error}.`,
    );
    return delivered ? 0 : 1;
  },
};

async function callApi<Data>(
  options: ParsedOptions,
  { environment }: Session,
  path: string,
  body?: object | 'no body',
): Promise<Data> {
  const { GUARDRAILS_API_URL: defaultUrl, GUARDRAILS_API_AUTHORIZATION: authorization } = environment;
  const url = options.text('api') ?? (defaultUrl || null);
  if (url === null || !/^https?:\/\/[^\s?#]+$/.test(url))
    throw new UsageError(
      'No valid API URL given. Set GUARDRAILS_API_URL or pass --api, for example https://shop.example/guardrails/api.',
    );
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      ...(authorization !== undefined && authorization !== '' && { authorization }),
      ...(typeof body === 'object' && { 'content-type': 'application/json' }),
    },
    ...(typeof body === 'object' && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error('The instance does not answer. Check that it is running and that the URL is right.');
  });
  return dataOf<Data>(response);
}

async function dataOf<Data>(response: Response): Promise<Data> {
  const envelope = (await response.json().catch(() => null)) as Envelope<Data & Partial<ErrorData>> | null;
  if (response.ok && envelope !== null) return envelope.data;
  const error = envelope?.data?.error;
  const fields = Object.entries(error?.fields ?? {}).map(
    ([name, messages]) => `${name} ${messages.join('; ')}`,
  );
  throw new Error(
    [`The instance answered ${response.status}. ${error?.message ?? ''}`.trim(), ...fields].join('\n'),
  );
}

function sinkOf(options: ParsedOptions): string {
  const sink = options.text('sink');
  if (sink === null) throw new UsageError('No sink given. Pass --sink.');
  return sink;
}

function numberOf(options: ParsedOptions, option: string): number | null {
  const text = options.text(option);
  if (text === null) return null;
  if (!/^[1-9][0-9]{0,15}$/.test(text)) throw new UsageError(`--${option} must be a positive integer.`);
  return Number(text);
}

function sinkLines({ sinks }: EventSinksData): string {
  if (sinks.length === 0) return 'No sinks are configured.';
  return sinks
    .map(({ name, state, waiting, dead, lag_seconds: lag, delivered, last_error: error }) => {
      const label = state === 'closed' ? 'ok' : state.replace('_', ' ');
      const line = `${name}: ${label}, ${delivered} delivered, ${waiting} waiting for ${lag} s, ${dead} dead`;
      return error === null ? line : `${line}; last error: ${error}`;
    })
    .join('\n');
}
