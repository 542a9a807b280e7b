import { EntitySchema } from 'typeorm';
import type { Content, Evidence } from '#contracts/audit/record.js';
import type { SettingChangeRecord } from '#contracts/stores/settings.store.js';
import { approvalEntity, approvalVoteEntity } from './approval.entity.js';
import type { Hold, HoldScope } from '#contracts/retention/holds.js';
import type { Review } from '#contracts/audit/review.store.js';
import { COLUMN, columnsOf, nullable, primary } from './column-types.js';
import { tableName, type TableKey, type TableNaming } from './tables.js';

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
    hold: holdEntity(naming),
    review: reviewEntity(naming),
  } as const;
}

/** For the `entities` of a DataSource. */
export function entityList(entities: Entities): EntitySchema[] {
  return Object.values(entities) as EntitySchema[];
}

function entity<Row>(
  naming: TableNaming,
  key: TableKey,
  columns: ReturnType<typeof columnsOf<Row>>,
): EntitySchema<Row> {
  const { schema } = naming;
  return new EntitySchema<Row>({ name: tableName(naming, key), schema, synchronize: false, columns });
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
  return entity(
    naming,
    'content',
    columnsOf<ContentRow>({
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
  );
}

function principalEntity(naming: TableNaming): EntitySchema<PrincipalRow> {
  const columns = columnsOf<PrincipalRow>({ id: COLUMN.id, digest: COLUMN.bytes, name: COLUMN.text });
  return entity(naming, 'principals', columns);
}

/** TypeORM takes no `unknown`, so JSON is typed as an object. */
export interface SettingRow {
  readonly key: string;
  readonly value: object;
}

export interface SettingChangeRow extends SettingChangeRecord {
  readonly before: object | null;
  readonly after: object | null;
}

function settingEntity(naming: TableNaming): EntitySchema<SettingRow> {
  const columns = columnsOf<SettingRow>({ key: primary(COLUMN.text), value: COLUMN.json });
  return entity(naming, 'settings', columns);
}

function settingChangeEntity(naming: TableNaming): EntitySchema<SettingChangeRow> {
  return entity(
    naming,
    'settingChanges',
    columnsOf<SettingChangeRow>({
      id: COLUMN.id,
      actorId: COLUMN.text,
      key: COLUMN.text,
      before: { ...nullable(COLUMN.json), name: 'old_value' },
      after: { ...nullable(COLUMN.json), name: 'new_value' },
      requestId: nullable(COLUMN.text),
      occurredAt: COLUMN.time,
    }),
  );
}

/** The scope in columns: those of another kind are null. */
export interface HoldRow extends Omit<Hold, 'scope'> {
  readonly kind: HoldScope['kind'];
  readonly principalId: string | null;
  readonly runId: string | null;
  readonly application: string | null;
  readonly firstId: number | null;
  readonly lastId: number | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

function holdEntity(naming: TableNaming): EntitySchema<HoldRow> {
  return entity(
    naming,
    'holds',
    columnsOf<HoldRow>({
      id: COLUMN.id,
      kind: COLUMN.text,
      principalId: nullable(COLUMN.text),
      runId: nullable(COLUMN.text),
      application: nullable(COLUMN.text),
      firstId: nullable(COLUMN.bigint),
      lastId: nullable(COLUMN.bigint),
      from: { ...nullable(COLUMN.time), name: 'from_time' },
      to: { ...nullable(COLUMN.time), name: 'to_time' },
      reason: COLUMN.text,
      setBy: COLUMN.text,
      setAt: COLUMN.time,
      releasedBy: nullable(COLUMN.text),
      releasedAt: nullable(COLUMN.time),
    }),
  );
}

/** With the rule of the entry, so that counting reads no evidence. */
export interface ReviewRow extends Review {
  readonly ruleId: string | null;
}

function reviewEntity(naming: TableNaming): EntitySchema<ReviewRow> {
  return entity(
    naming,
    'reviews',
    columnsOf<ReviewRow>({
      id: COLUMN.id,
      entryId: { ...COLUMN.bigint, name: 'evidence_id' },
      verdict: COLUMN.text,
      note: nullable(COLUMN.text),
      ruleId: { ...nullable(COLUMN.text), select: false },
      actorId: COLUMN.text,
      requestId: nullable(COLUMN.text),
      reviewedAt: COLUMN.time,
    }),
  );
}
