import { EntitySchema } from 'typeorm';
import type { Rejection } from '../../../../contracts/src/firewall.js';
import { columnsOf, nullable, primary } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

export interface RejectionRow extends Omit<Rejection, 'id' | 'principalId'> {
  readonly evidenceId: number;
  readonly principalRef: number | null;
}

export function rejectionEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<RejectionRow> {
  return new EntitySchema<RejectionRow>({
    name: tableName(naming, 'rejections'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<RejectionRow>({
      evidenceId: primary(kind.bigInteger),
      tool: kind.text,
      principalRef: nullable(kind.bigInteger),
      application: nullable(kind.text),
      violations: kind.json,
      violationCount: kind.integer,
      enforced: kind.flag,
      occurredAt: kind.time,
    }),
  });
}
