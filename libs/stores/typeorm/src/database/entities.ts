import type { EntitySchema } from 'typeorm';
import type { SettingChangeRecord } from '#contracts/stores/settings.store.js';
import { approvalEntity, approvalVoteEntity } from './approval.entity.js';
import type { Hold, HoldScope } from '#contracts/retention/holds.js';
import type { Review } from '#contracts/audit/review.store.js';
import { COLUMN, entity, nullable, primary } from './column-types.js';
import type { TableNaming } from './tables.js';

/** Tables that are read through repositories. All others are used by statements only. */
export type Entities = ReturnType<typeof entitiesOf>;

export function entitiesOf(naming: TableNaming) {
  return {
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

/** TypeORM takes no `unknown`, so JSON is typed as an object. */
export interface SettingRow {
  readonly key: string;
  readonly value: object;
}

export interface SettingChangeRow extends SettingChangeRecord {
  readonly before: object | null;
  readonly after: object | null;
}

function settingEntity(naming: TableNaming) {
  return entity<SettingRow>(naming, 'settings', { key: primary(COLUMN.text), value: COLUMN.json });
}

function settingChangeEntity(naming: TableNaming) {
  return entity<SettingChangeRow>(naming, 'settingChanges', {
    id: COLUMN.id,
    actorId: COLUMN.text,
    key: COLUMN.text,
    before: { ...nullable(COLUMN.json), name: 'old_value' },
    after: { ...nullable(COLUMN.json), name: 'new_value' },
    requestId: nullable(COLUMN.text),
    occurredAt: COLUMN.time,
  });
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

function holdEntity(naming: TableNaming) {
  return entity<HoldRow>(naming, 'holds', {
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
  });
}

/** With the rule of the entry, so that counting reads no evidence. */
export interface ReviewRow extends Review {
  readonly ruleId: string | null;
}

function reviewEntity(naming: TableNaming) {
  return entity<ReviewRow>(naming, 'reviews', {
    id: COLUMN.id,
    entryId: { ...COLUMN.bigint, name: 'evidence_id' },
    verdict: COLUMN.text,
    note: nullable(COLUMN.text),
    ruleId: { ...nullable(COLUMN.text), select: false },
    actorId: COLUMN.text,
    requestId: nullable(COLUMN.text),
    reviewedAt: COLUMN.time,
  });
}
