import { ConfigurationError } from '#contracts/errors.js';
import type { EventSink } from '#contracts/event-sink.js';
import type { Detector } from '#contracts/output.js';
import { CLASSIFIER_ID, type Screener } from '#contracts/screening.js';

const SCREENER_ID = /^[a-z][a-z0-9_.-]{0,99}$/;
const MAX_NAME_LENGTH = 100;

/** Decisions are counted by these names, which are keys in the store. */
export function assertControlNames(screeners: readonly Screener[], detectors: readonly Detector[]): void {
  const reasons = [
    ...screeners.flatMap(({ id }) =>
      SCREENER_ID.test(id) && id !== CLASSIFIER_ID
        ? []
        : [
            `screeners: ${shown(id)} is not a valid id; use one that matches ${SCREENER_ID.source}, like a rule id, and is not ${CLASSIFIER_ID}`,
          ],
    ),
    ...detectors.flatMap(({ name }) =>
      name.trim() !== '' && name.length <= MAX_NAME_LENGTH
        ? []
        : [`detectors: ${shown(name)} is not a valid name; use 1 to ${MAX_NAME_LENGTH} characters`],
    ),
  ];
  if (reasons.length > 0) throw new ConfigurationError(reasons);
}

function shown(name: string): string {
  return JSON.stringify(name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name);
}

const SINK_NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/** Deliveries are stored by these names, so they must be unique. */
export function assertSinkNames(sinks: readonly EventSink[]): void {
  const names = sinks.map(({ name }) => name);
  const reasons = names.flatMap((name, index) => {
    if (!SINK_NAME.test(name))
      return [
        `sinks: entry ${index} has the invalid name ${JSON.stringify(name)}; use one that matches ${SINK_NAME.source}`,
      ];
    return names.indexOf(name) === index ? [] : [`sinks: two sinks are named ${name}; rename one of them`];
  });
  if (reasons.length > 0) throw new ConfigurationError(reasons);
}
