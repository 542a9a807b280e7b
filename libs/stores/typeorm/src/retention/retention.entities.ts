import { EntitySchema } from 'typeorm';
import { columnsOf, nullable } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

export interface RetentionRunRow {
  readonly id: number;
  readonly actorId: string;
  readonly strategy: string;
  readonly scope: unknown;
  readonly counts: unknown;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

export function retentionRunEntity(
  { columns: kind }: Dialect,
  naming: TableNaming,
): EntitySchema<RetentionRunRow> {
  return new EntitySchema<RetentionRunRow>({
    name: tableName(naming, 'retentionRuns'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<RetentionRunRow>({
      id: kind.id,
      actorId: kind.text,
      strategy: kind.text,
      scope: kind.json,
      counts: kind.json,
      startedAt: kind.time,
      finishedAt: nullable(kind.time),
    }),
  });
}
