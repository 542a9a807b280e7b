import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import { hourText, type TimeSpan } from '../time-parts.js';

interface OpenSpan {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/**
 * Ids grow with time, but not strictly: instances commit out of order, and clocks are set. Each hour knows its lowest
 * and its highest id, so a time becomes exact bounds of ids by which the newest-first walk begins and ends where it
 * should. The times themselves are asked for as well.
 */
export function boundedBy(
  { from, to }: OpenSpan,
  column: { readonly id: string; readonly time: string },
  { hours }: Tables,
  parameters: Parameters,
): string[] {
  const within = [
    ...(from === undefined ? [] : [`hour >= ${parameters.add(hourText(parameters.known(from)))}`]),
    ...(to === undefined ? [] : [`hour <= ${parameters.add(hourText(parameters.known(to)))}`]),
  ].join(' and ');
  return [
    ...(from === undefined
      ? []
      : [
          `${column.id} >= (select min(min_id) from ${hours} where ${within})`,
          `${column.time} >= ${parameters.time(from)}`,
        ]),
    ...(to === undefined
      ? []
      : [
          `${column.id} <= (select max(max_id) from ${hours} where ${within})`,
          `${column.time} <= ${parameters.time(to)}`,
        ]),
  ];
}

/** Rows of the audit within a span of one hour. */
export function withinEdge(
  { from, end }: TimeSpan,
  column: { readonly id: string; readonly time: string },
  { hours }: Tables,
  parameters: Parameters,
): string[] {
  const hour = parameters.add(hourText(from));
  return [
    `${column.id} >= (select min_id from ${hours} where hour = ${hour})`,
    `${column.id} <= (select max_id from ${hours} where hour = ${hour})`,
    `${column.time} >= ${parameters.time(from)}`,
    `${column.time} < ${parameters.time(end)}`,
  ];
}
