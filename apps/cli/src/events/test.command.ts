import type { EventTestData } from '../../../../libs/contracts/src/index.js';
import { UsageError, type Command } from '../command.js';
import { API_OPTIONS, askApi } from './running-api.js';

export const testCommand: Command = {
  name: 'events test',
  summary: 'Sends a test event to a sink, and says whether it arrived.',
  details: ['A success also wakes a sink that rests because its receiver wanted no more.'],
  options: { ...API_OPTIONS, sink: { value: 'NAME', help: 'Which sink.' } },
  exits: ['It arrived.', 'It did not; why is said.'],

  async run(given, session) {
    const sink = given.text('sink');
    if (sink === null) throw new UsageError('Which sink? Give --sink.');
    const path = `/events/sinks/${encodeURIComponent(sink)}/test`;
    const data = await askApi<EventTestData>(given, session, path, 'nothing');
    const { event_id: id, duration_ms: duration, delivered, error } = data;
    session.terminal.print(
      delivered ? `${sink} took the event ${id} in ${duration} ms.` : `${sink} did not take it: ${error}.`,
    );
    return delivered ? 0 : 1;
  },
};
