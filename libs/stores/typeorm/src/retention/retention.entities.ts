import { EntitySchema } from 'typeorm';
import type { RetentionRun } from '../../../../contracts/src/retention.js';
import { columnsOf, nullable, primary } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';
import type { RunState } from './run-state.js';

export interface RetentionRunRow extends RetentionRun {
  readonly toldAt: Date | null;
  /** What is still to be done, and about whom: nothing once it is finished. */
  readonly state: RunState | null;
  readonly lease: string | null;
  readonly leaseUntil: Date | null;
}

/** One row, for whoever begins a run to hold. */
export interface RetentionStateRow {
  readonly id: number;
}

export interface RetentionHourRow {
  readonly hour: string;
  /** Ids of this hour up to which it was anonymized, or purged. */
  readonly anonymizedThrough: number;
  readonly purgedThrough: number;
  /** Rows that the folded counts still count. */
  readonly removed: number;
}

/** A range of rows that a run removed. Adjoining ranges become one, under the latest run. */
export interface RetentionGapRow {
  readonly writer: string;
  readonly lastSequence: number;
  readonly firstSequence: number;
  readonly lastSeal: string;
  readonly runId: number;
}

export function retentionEntities({ columns: kind }: Dialect, naming: TableNaming) {
  const rules = { synchronize: false, schema: naming.schema } as const;
  return {
    retentionRun: new EntitySchema<RetentionRunRow>({
      name: tableName(naming, 'retentionRuns'),
      ...rules,
      columns: columnsOf<RetentionRunRow>({
        id: kind.id,
        actorId: kind.text,
        strategy: kind.text,
        scope: kind.json,
        counts: kind.json,
        startedAt: kind.time,
        finishedAt: nullable(kind.time),
        toldAt: nullable(kind.time),
        state: nullable(kind.json),
        lease: nullable(kind.text),
        leaseUntil: nullable(kind.time),
      }),
    }),
    retentionState: new EntitySchema<RetentionStateRow>({
      name: tableName(naming, 'retentionState'),
      ...rules,
      columns: columnsOf<RetentionStateRow>({ id: primary(kind.integer) }),
    }),
    retentionHour: new EntitySchema<RetentionHourRow>({
      name: tableName(naming, 'retentionHours'),
      ...rules,
      columns: columnsOf<RetentionHourRow>({
        hour: primary(kind.text),
        anonymizedThrough: kind.bigInteger,
        purgedThrough: kind.bigInteger,
        removed: kind.bigInteger,
      }),
    }),
    retentionGap: new EntitySchema<RetentionGapRow>({
      name: tableName(naming, 'retentionGaps'),
      ...rules,
      columns: columnsOf<RetentionGapRow>({
        writer: primary(kind.uuid),
        lastSequence: primary(kind.bigInteger),
        firstSequence: kind.bigInteger,
        lastSeal: kind.bytes,
        runId: kind.bigInteger,
      }),
    }),
  } as const;
}
