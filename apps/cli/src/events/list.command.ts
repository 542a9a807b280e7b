import type { EventSinksData } from '../../../../libs/contracts/src/index.js';
import type { Command } from '../command.js';
import { API_OPTIONS, askApi } from './running-api.js';

export const listCommand: Command = {
  name: 'events list',
  summary: 'Says how the event sinks are: what waits, what is dead, what went wrong last.',
  details: ['What waits is counted over all instances; how deliveries fared, on the one that is asked.'],
  options: { ...API_OPTIONS, json: { help: 'Prints the answer of the API.' } },
  exits: ['Every sink is well, and none has a dead letter.', 'One is not, or the instance does not say.'],

  async run(given, session) {
    const data = await askApi<EventSinksData>(given, session, '/events/sinks');
    session.terminal.print(given.has('json') ? JSON.stringify(data, null, 2) : told(data));
    return data.sinks.every(({ state, dead }) => state === 'closed' && dead === 0) ? 0 : 1;
  },
};

function told({ sinks }: EventSinksData): string {
  if (sinks.length === 0) return 'There are no sinks.';
  return sinks
    .map(({ name, state, waiting, dead, lag_seconds: lag, delivered, last_error: error }) => {
      const well = state === 'closed' ? 'well' : state.replace('_', ' ');
      const line = `${name}: ${well}, ${delivered} delivered, ${waiting} waiting for ${lag} s, ${dead} dead`;
      return error === null ? line : `${line}; last error: ${error}`;
    })
    .join('\n');
}
