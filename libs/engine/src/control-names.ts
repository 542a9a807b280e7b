import { ConfigurationError } from '../../contracts/src/errors.js';
import type { Detector } from '../../contracts/src/output.js';
import type { Screener } from '../../contracts/src/screening.js';

const RULE_ID = /^[a-z][a-z0-9_.-]{0,99}$/;
const LONGEST_NAME = 100;

/** Decisions are counted under these names: they are keys of tables, and of every length that a key may have. */
export function assertControlNames(screeners: readonly Screener[], detectors: readonly Detector[]): void {
  const reasons = [
    ...screeners.flatMap(({ id }) =>
      RULE_ID.test(id)
        ? []
        : [
            `screeners: ${shown(id)} is no id: it stands where a rule's id stands, and must match ${RULE_ID.source}`,
          ],
    ),
    ...detectors.flatMap(({ name }) =>
      name.trim() !== '' && name.length <= LONGEST_NAME
        ? []
        : [`detectors: ${shown(name)} is no name: one has 1 to ${LONGEST_NAME} characters`],
    ),
  ];
  if (reasons.length > 0) throw new ConfigurationError(reasons);
}

function shown(name: string): string {
  return JSON.stringify(name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
}
