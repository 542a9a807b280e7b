import { EntitySchema } from 'typeorm';
import type { OutputCount } from '../../../../contracts/src/output.js';
import { columnsOf } from '../columns.js';
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
