import { CONTROL_KEYS, OUTCOMES, type ControlKey } from '../../../libs/contracts/src/control-mode.js';
import type { Parsed } from '../../../libs/contracts/src/settings/setting-kinds.js';
import { takeCodePoints } from '../../../libs/contracts/src/text.js';

/** Reads one scalar of a query. */
export type QueryKind<T> = (text: string) => Parsed<T>;

const POSITIVE = /^[1-9][0-9]{0,15}$/;
const LONGEST_FILTER = 500;

/** Ids and cursors: strictly positive, and exact in a JSON number. */
export const positiveId: QueryKind<number> = (text) => {
  const id = POSITIVE.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? fits(id) : misfits('must be a positive integer');
};

/** A larger page than the largest is the largest. */
export function pageSize(largest: number): QueryKind<number> {
  return (text) =>
    /^[1-9][0-9]*$/.test(text)
      ? fits(Math.min(Number(text), largest))
      : misfits(`must be an integer from 1 to ${largest}`);
}

export const flag: QueryKind<boolean> = (text) => {
  if (text === 'true' || text === '1') return fits(true);
  if (text === 'false' || text === '0') return fits(false);
  return misfits('must be true or false');
};

/** Taken literally. */
export const filterText: QueryKind<string> = (text) =>
  takeCodePoints(text, LONGEST_FILTER).cut
    ? misfits(`must have at most ${LONGEST_FILTER} characters`)
    : fits(text);

export function choice<const Choice extends string>(choices: readonly Choice[]): QueryKind<Choice> {
  return (text) => {
    const chosen = choices.find((candidate) => candidate === text);
    return chosen === undefined ? misfits(`must be one of ${choices.join(', ')}`) : fits(chosen);
  };
}

export const outcome = choice(OUTCOMES);

export const control: QueryKind<ControlKey | 'all'> = choice([...CONTROL_KEYS, 'all']);

function fits<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

function misfits(reason: string): Parsed<never> {
  return { ok: false, reasons: [reason] };
}
