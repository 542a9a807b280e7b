import { EntitySchema } from 'typeorm';
import type { Content, Evidence } from '../../../../contracts/src/audit.js';
import { columnsOf, nullable, primary } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

export interface EvidenceRow extends Evidence {
  readonly id: number;
  /** The UTC day of `occurredAt`, `YYYY-MM-DD`: a trend groups by it in words that every database understands. */
  readonly day: string;
}

export interface ContentRow extends Omit<Content, 'matchedSpan'> {
  readonly evidenceId: number;
  readonly matchedSpanStart: number | null;
  readonly matchedSpanEnd: number | null;
}

export function evidenceEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<EvidenceRow> {
  return new EntitySchema<EvidenceRow>({
    name: tableName(naming, 'evidence'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<EvidenceRow>({
      id: kind.id,
      occurredAt: kind.time,
      day: kind.text,
      control: kind.text,
      outcome: kind.text,
      mode: kind.text,
      origin: kind.text,
      ruleId: nullable(kind.text),
      matchedRules: kind.json,
      erroredRuleIds: kind.json,
      errored: kind.flag,
      principalId: nullable(kind.text),
      application: nullable(kind.text),
      requestId: nullable(kind.text),
      runId: nullable(kind.text),
      tool: nullable(kind.text),
      rulesetVersion: kind.text,
      promptLength: kind.bigInteger,
      durationUs: kind.bigInteger,
    }),
  });
}

export function contentEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<ContentRow> {
  return new EntitySchema<ContentRow>({
    name: tableName(naming, 'content'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<ContentRow>({
      evidenceId: primary(kind.bigInteger),
      storage: kind.text,
      prompt: kind.text,
      matchedSpanStart: nullable(kind.bigInteger),
      matchedSpanEnd: nullable(kind.bigInteger),
      matchedText: nullable(kind.text),
    }),
  });
}
