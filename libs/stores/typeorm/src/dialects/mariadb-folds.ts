import type { EntityManager } from 'typeorm';
import type { Batch, DecisionsFold } from '../audit/batch.js';
import type { Tables } from '../tables.js';
import { insertRows, type Cell } from './mariadb-rows.js';
import { mariadbTime } from './spelling.js';

/** What a batch adds to the folded counts, each in the order of its keys. */
export async function writeFolds(
  manager: EntityManager,
  tables: Tables,
  batch: Batch,
  ids: readonly number[],
): Promise<void> {
  const fold = async (
    into: string,
    columns: readonly string[],
    onDuplicate: string,
    rows: readonly (readonly Cell[])[],
  ): Promise<void> => {
    await insertRows(manager, { into, columns, onDuplicate }, rows);
  };
  const decisions = (table: string, time: string, folds: readonly DecisionsFold[]): Promise<void> =>
    fold(
      table,
      [time, 'line', 'control', 'outcome', 'rule_id', 'application', 'decisions'],
      'decisions = decisions + values(decisions)',
      folds.map((row) => [
        row.time,
        row.line,
        row.control,
        row.outcome,
        row.ruleId,
        row.application,
        row.decisions,
      ]),
    );

  await fold(
    tables.outputHourly,
    ['hour', 'kind', 'detector', 'enforced', 'count'],
    '"count" = "count" + values("count")',
    batch.outputHourly.map(({ hour, kind, detector, enforced, count }) => [
      hour,
      kind,
      detector,
      enforced,
      count,
    ]),
  );
  await fold(
    tables.ruleHits,
    ['hour', 'rule_id', 'hits'],
    'hits = hits + values(hits)',
    batch.ruleHits.map(({ hour, ruleId, hits }) => [hour, ruleId, hits]),
  );
  await fold(
    tables.rulesets,
    ['hour', 'ruleset_version', 'attempts', 'last_seen_at'],
    'attempts = attempts + values(attempts), last_seen_at = greatest(last_seen_at, values(last_seen_at))',
    batch.rulesets.map((row) => [row.hour, row.version, row.attempts, mariadbTime(row.lastSeenAt)]),
  );
  await fold(
    tables.dailyTotals,
    ['day', 'control', 'outcome', 'decisions'],
    'decisions = decisions + values(decisions)',
    batch.dailyTotals.map((row) => [row.day, row.control, row.outcome, row.decisions]),
  );
  await decisions(tables.daily, 'day', batch.daily);
  await decisions(tables.hourly, 'hour', batch.hourly);
  await fold(
    tables.hours,
    ['hour', 'min_id', 'max_id'],
    'min_id = least(min_id, values(min_id)), max_id = greatest(max_id, values(max_id))',
    batch.hours.map(({ hour, first, last }) => [hour, idOf(batch, ids, first), idOf(batch, ids, last)]),
  );
}

/** Rows of a batch are numbered without gaps. */
function idOf({ rows }: Batch, ids: readonly number[], sequence: number): number | null {
  return ids[sequence - (rows[0]?.sequence ?? 0)] ?? null;
}
