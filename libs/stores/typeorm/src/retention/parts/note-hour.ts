import type { Parameters } from '../../parameters.js';
import { ask, changed, type RunWork } from '../run-work.js';

/** Writes down something of an hour; only one run at a time does. */
export async function noteHour(
  work: RunWork,
  hour: string,
  noted: (parameters: Parameters) => string,
): Promise<void> {
  const { retentionHours } = work.tables;
  const update = (parameters: Parameters): string =>
    `update ${retentionHours} set ${noted(parameters)} where hour = ${parameters.add(hour)}`;
  const [known] = await ask<{ hour: string }>(
    work,
    (parameters) => `select hour from ${retentionHours} where hour = ${parameters.add(hour)}`,
  );
  if (known === undefined) {
    await changed(
      work,
      (parameters) => `insert into ${retentionHours} (hour) values (${parameters.add(hour)})`,
    );
  }
  await changed(work, update);
}
