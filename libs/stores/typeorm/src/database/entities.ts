import { EntitySchema } from 'typeorm';
import type { Content, Evidence } from '#contracts/audit/record.js';
import type { SettingChangeRecord } from '#contracts/stores/settings.store.js';
import { approvalEntity, approvalVoteEntity } from './approval.entity.js';
import { COLUMN, columnsOf, nullable, primary } from './column-types.js';
import { tableName, type TableNaming } from './tables.js';

/** Tables that are read through repositories. All others are used by statements only. */
export type Entities = ReturnType<typeof entitiesOf>;

export function entitiesOf(naming: TableNaming) {
  return {
    evidence: evidenceEntity(naming),
    content: contentEntity(naming),
    principal: principalEntity(naming),
    approval: approvalEntity(naming),
    approvalVote: approvalVoteEntity(naming),
    setting: settingEntity(naming),
    settingChange: settingChangeEntity(naming),
  } as const;
}

/** For the `entities` of a DataSource. */
export function entityList(entities: Entities): EntitySchema[] {
  return Object.values(entities) as EntitySchema[];
}

export interface EvidenceRow extends Omit<Evidence, 'principalId' | 'commitments'> {
  readonly id: number;
  /** The UTC day of `occurredAt`. The trend groups by it in standard SQL. */
  readonly day: string;
  readonly principalRef: number | null;
  readonly promptCommitment: string;
  readonly matchedTextCommitment: string | null;
  readonly principalCommitment: string | null;
  readonly policyCommitment: string | null;
  /** Who wrote the row: a process, or a transaction of an approval. */
  readonly writer: string;
  readonly sequence: number;
  readonly rowHash: string;
  readonly content: ContentRow;
  readonly principal: PrincipalRow | null;
}

interface ContentRow extends Omit<Content, 'matchedSpan'> {
  readonly evidenceId: number;
  readonly matchedSpanStart: number | null;
  readonly matchedSpanEnd: number | null;
}

/** Deleting the row erases the principal from all evidence. */
interface PrincipalRow {
  readonly id: number;
  /** SHA-256 of the name. Unique. */
  readonly digest: string;
  readonly name: string;
}

function evidenceEntity(naming: TableNaming): EntitySchema<EvidenceRow> {
  return new EntitySchema<EvidenceRow>({
    name: tableName(naming, 'evidence'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<Omit<EvidenceRow, 'content' | 'principal'>>({
      id: COLUMN.id,
      occurredAt: COLUMN.time,
      day: COLUMN.text,
      control: COLUMN.text,
      outcome: COLUMN.text,
      mode: COLUMN.text,
      origin: COLUMN.text,
      errored: COLUMN.flag,
      principalRef: nullable(COLUMN.bigint),
      promptLength: COLUMN.bigint,
      durationUs: COLUMN.bigint,
      ruleId: nullable(COLUMN.text),
      matchedRules: COLUMN.json,
      erroredRuleIds: COLUMN.json,
      findings: nullable(COLUMN.json),
      findingCount: COLUMN.bigint,
      application: nullable(COLUMN.text),
      requestId: nullable(COLUMN.text),
      runId: nullable(COLUMN.text),
      tool: nullable(COLUMN.text),
      rulesetVersion: COLUMN.text,
      rendering: nullable(COLUMN.text),
      approvalId: nullable(COLUMN.bigint),
      approvalStep: nullable(COLUMN.text),
      promptCommitment: COLUMN.bytes,
      matchedTextCommitment: nullable(COLUMN.bytes),
      principalCommitment: nullable(COLUMN.bytes),
      policyCommitment: nullable(COLUMN.bytes),
      writer: COLUMN.uuid,
      sequence: COLUMN.bigint,
      rowHash: COLUMN.bytes,
    }),
    relations: {
      content: {
        type: 'one-to-one',
        target: tableName(naming, 'content'),
        joinColumn: { name: 'id', referencedColumnName: 'evidenceId' },
        createForeignKeyConstraints: false,
      },
      principal: {
        type: 'many-to-one',
        target: tableName(naming, 'principals'),
        joinColumn: { name: 'principal_ref', referencedColumnName: 'id' },
        createForeignKeyConstraints: false,
      },
    },
  });
}

function contentEntity(naming: TableNaming): EntitySchema<ContentRow> {
  return new EntitySchema<ContentRow>({
    name: tableName(naming, 'content'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<ContentRow>({
      evidenceId: primary(COLUMN.bigint),
      storage: COLUMN.text,
      prompt: COLUMN.text,
      matchedSpanStart: nullable(COLUMN.bigint),
      matchedSpanEnd: nullable(COLUMN.bigint),
      matchedText: nullable(COLUMN.text),
      alteration: nullable(COLUMN.text),
      policy: nullable(COLUMN.text),
      salt: nullable(COLUMN.bytes),
    }),
  });
}

function principalEntity(naming: TableNaming): EntitySchema<PrincipalRow> {
  return new EntitySchema<PrincipalRow>({
    name: tableName(naming, 'principals'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<PrincipalRow>({ id: COLUMN.id, digest: COLUMN.bytes, name: COLUMN.text }),
  });
}

export interface SettingRow {
  readonly key: string;
  readonly value: unknown;
}

function settingEntity(naming: TableNaming): EntitySchema<SettingRow> {
  return new EntitySchema<SettingRow>({
    name: tableName(naming, 'settings'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<SettingRow>({ key: primary(COLUMN.text), value: COLUMN.json }),
  });
}

function settingChangeEntity(naming: TableNaming): EntitySchema<SettingChangeRecord> {
  return new EntitySchema<SettingChangeRecord>({
    name: tableName(naming, 'settingChanges'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<SettingChangeRecord>({
      id: COLUMN.id,
      actorId: COLUMN.text,
      key: COLUMN.text,
      before: { ...nullable(COLUMN.json), name: 'old_value' },
      after: { ...nullable(COLUMN.json), name: 'new_value' },
      requestId: nullable(COLUMN.text),
      occurredAt: COLUMN.time,
    }),
  });
}
