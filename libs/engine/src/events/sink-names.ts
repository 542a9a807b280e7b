import { ConfigurationError } from '../../../contracts/src/errors.js';
import type { EventSink } from '../../../contracts/src/event-sink.js';

const NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/** Deliveries are kept under these names: two sinks of one name would take them from each other. */
export function assertSinkNames(sinks: readonly EventSink[]): void {
  const names = sinks.map(({ name }) => name);
  const reasons = names.flatMap((name, index) => {
    if (!NAME.test(name))
      return [`sinks: entry ${index} has the name ${JSON.stringify(name)}, which must match ${NAME.source}`];
    return names.indexOf(name) === index
      ? []
      : [`sinks: two have the name ${name}; give one of them another`];
  });
  if (reasons.length > 0) throw new ConfigurationError(reasons);
}
