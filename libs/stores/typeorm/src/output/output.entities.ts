import { EntitySchema } from 'typeorm';
import type { OutputCount } from '../../../../contracts/src/output.js';
import { columnsOf, primary } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

/** One row for each line that a decision adds: decisions at the same moment never wait for a shared counter. */
export interface OutputCountRow extends OutputCount {
  readonly id: number;
  readonly evidenceId: number;
  readonly occurredAt: Date;
}

export function outputCountEntity(
  { columns: kind }: Dialect,
  naming: TableNaming,
): EntitySchema<OutputCountRow> {
  return new EntitySchema<OutputCountRow>({
    name: tableName(naming, 'outputCounts'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<OutputCountRow>({
      id: kind.id,
      evidenceId: kind.bigInteger,
      occurredAt: kind.time,
      kind: kind.text,
      detector: kind.text,
      enforced: kind.flag,
      count: kind.bigInteger,
    }),
  });
}

/** The counts of one UTC hour, `YYYY-MM-DDTHH`, folded together. */
export interface OutputHourRow extends OutputCount {
  readonly hour: string;
}

export function outputHourEntity(
  { columns: kind }: Dialect,
  naming: TableNaming,
): EntitySchema<OutputHourRow> {
  return new EntitySchema<OutputHourRow>({
    name: tableName(naming, 'outputHourly'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<OutputHourRow>({
      hour: primary(kind.text),
      kind: primary(kind.text),
      detector: primary(kind.text),
      enforced: primary(kind.flag),
      count: kind.bigInteger,
    }),
  });
}
