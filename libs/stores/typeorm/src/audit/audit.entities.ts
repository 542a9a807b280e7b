import { EntitySchema } from 'typeorm';
import type { Content, Evidence } from '../../../../contracts/src/audit.js';
import { columnsOf, nullable, primary } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

/** Whom evidence refers to. Erasing a principal is deleting its row. */
export interface PrincipalRow {
  readonly id: number;
  /** SHA-256 of the name. Unique. */
  readonly digest: string;
  readonly name: string;
}

export interface EvidenceRow extends Omit<Evidence, 'principalId' | 'commitments'> {
  readonly id: number;
  /** The UTC day of `occurredAt`, `YYYY-MM-DD`: a trend groups by it in words that every database understands. */
  readonly day: string;
  readonly principalRef: number | null;
  readonly promptCommitment: string;
  readonly matchedTextCommitment: string | null;
  readonly principalCommitment: string | null;
  /** Whoever wrote rows one after the other, each sealed together with the one before: see `seal.ts`. */
  readonly writer: string;
  readonly sequence: number;
  readonly seal: string;
}

export interface ContentRow extends Omit<Content, 'matchedSpan'> {
  readonly evidenceId: number;
  readonly matchedSpanStart: number | null;
  readonly matchedSpanEnd: number | null;
}

/** How far a writer has come: its row changes with each of its batches, and in the same commit. */
export interface WriterRow {
  readonly writer: string;
  /** Of its last row. */
  readonly sequence: number;
  /** The id of that row. */
  readonly lastId: number;
  /** It commits nothing more. */
  readonly ended: boolean;
}

export function principalEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<PrincipalRow> {
  return new EntitySchema<PrincipalRow>({
    name: tableName(naming, 'principals'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<PrincipalRow>({ id: kind.id, digest: kind.bytes, name: kind.text }),
  });
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
      errored: kind.flag,
      principalRef: nullable(kind.bigInteger),
      promptLength: kind.bigInteger,
      durationUs: kind.bigInteger,
      ruleId: nullable(kind.text),
      matchedRules: kind.json,
      erroredRuleIds: kind.json,
      application: nullable(kind.text),
      requestId: nullable(kind.text),
      runId: nullable(kind.text),
      tool: nullable(kind.text),
      rendering: nullable(kind.text),
      rulesetVersion: kind.text,
      promptCommitment: kind.bytes,
      matchedTextCommitment: nullable(kind.bytes),
      principalCommitment: nullable(kind.bytes),
      writer: kind.uuid,
      sequence: kind.bigInteger,
      seal: kind.bytes,
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
      salt: nullable(kind.bytes),
    }),
  });
}

export function writerEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<WriterRow> {
  return new EntitySchema<WriterRow>({
    name: tableName(naming, 'writers'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<WriterRow>({
      writer: primary(kind.uuid),
      sequence: kind.bigInteger,
      lastId: kind.bigInteger,
      ended: kind.flag,
    }),
  });
}
