import type { EventReplayData } from '../../../../libs/contracts/src/index.js';
import { UsageError, type Command, type Given } from '../command.js';
import { API_OPTIONS, askApi } from './running-api.js';

export const replayCommand: Command = {
  name: 'events replay',
  summary: 'Queues dead letters, or a range of kept events, for a sink once more.',
  details: ['Their ids stay the same, so that a receiver can tell that it knows them.'],
  options: {
    ...API_OPTIONS,
    sink: { value: 'NAME', help: 'For which sink.' },
    dead: { help: 'Its dead letters.' },
    from: { value: 'NUMBER', help: 'The first of a range, by the numbers that the live stream shows.' },
    to: { value: 'NUMBER', help: 'The last of the range. Default: all that there is.' },
  },
  exits: ['They are queued.', 'They are not, or not all; why is said.'],

  async run(given, session) {
    const sink = given.text('sink');
    if (sink === null) throw new UsageError('For which sink? Give --sink.');
    const [from, to] = [numberOf(given, 'from'), numberOf(given, 'to')];
    if (given.has('dead') === (from !== null))
      throw new UsageError('What of it? Give either --dead or --from.');
    let queued = 0;
    for (let next = from; ;) {
      const range = given.has('dead') ? { dead_letters: true } : { from: next, to };
      const data = await askApi<EventReplayData>(given, session, '/events/replay', { sink, ...range });
      queued += data.queued;
      if (data.next_from === null) break;
      next = data.next_from;
    }
    session.terminal.print(`${queued} events are queued for ${sink}.`);
    return 0;
  },
};

function numberOf(given: Given, option: string): number | null {
  const text = given.text(option);
  if (text === null) return null;
  if (!/^[1-9][0-9]{0,15}$/.test(text)) throw new UsageError(`--${option} must be a positive integer.`);
  return Number(text);
}
