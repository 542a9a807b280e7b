import type { QueryDeepPartialEntity } from 'typeorm';
import type { Page, PageRequest } from '#contracts/page.js';
import type { LatestChange } from '#contracts/settings/settings.js';
import {
  SettingsStore,
  type SettingChangeFilter,
  type SettingChangeRecord,
  type SettingsPlan,
  type StoredOverrides,
} from '#contracts/settings/settings.store.js';
import { scrubText } from '#contracts/text.js';
import type { Transaction } from '../connection-pool.js';
import type { Database } from '../database.js';
import type { SettingRow } from '../entities.js';
import { fitsIndex, isIndexed, pageOf } from '../list-filters.js';
import { insertEvents } from '../outbox/event-insert.js';
import { sql, type Sql } from '../sql.js';

interface OverrideRow {
  readonly revision: number;
  readonly key: string | null;
  readonly value: string;
  /** A bigint, which `pg` reads as text. */
  readonly changeId: string | null;
  readonly actorId: string;
  readonly occurredAt: Date;
}

export class TypeormSettingsStore extends SettingsStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async read(): Promise<StoredOverrides> {
    return storedOverrides(await this.database.query<OverrideRow>(this.overridesQuery()));
  }

  override async revision(): Promise<number> {
    const { settingsRevision } = this.database.tables;
    const [row] = await this.database.query<{ revision: number }>(
      sql`select revision from ${settingsRevision}`,
    );
    return Number(row?.revision);
  }

  override apply(plan: (stored: StoredOverrides) => SettingsPlan | null): Promise<StoredOverrides> {
    const { settingsRevision } = this.database.tables;
    return this.database.transaction(async (transaction) => {
      await transaction.query(sql`select revision from ${settingsRevision} for update`);
      const stored = await this.readWithin(transaction);
      const planned = plan(stored);
      if (planned === null) return stored;
      await this.write(transaction, planned);
      return this.readWithin(transaction);
    });
  }

  override async changes(
    { key, actor, from, to }: SettingChangeFilter,
    page: PageRequest,
  ): Promise<Page<SettingChangeRecord>> {
    const found = await this.database.repository(this.database.entities.settingChange, (changes) => {
      const query = changes
        .createQueryBuilder('change')
        .orderBy('change.id', 'DESC')
        .take(page.limit + 1);
      if (page.cursor !== undefined) query.andWhere('change.id < :cursor', { cursor: page.cursor });
      if (page.after !== undefined) query.andWhere('change.id > :after', { after: page.after });
      if (key !== undefined)
        query.andWhere('(change.key = :key or position(:below in change.key) = 1)', {
          key: scrubText(key),
          below: `${scrubText(key)}.`,
        });
      if (actor !== undefined) {
        if (isIndexed(scrubText(actor))) query.andWhere(fitsIndex('change.actor_id'));
        query.andWhere('change.actorId = :actor', { actor: scrubText(actor) });
      }
      if (from !== undefined) query.andWhere('change.occurredAt >= :from', { from });
      if (to !== undefined) query.andWhere('change.occurredAt <= :to', { to });
      return query.getMany();
    });
    return pageOf(found, page);
  }

  private async readWithin(transaction: Transaction): Promise<StoredOverrides> {
    return storedOverrides((await transaction.query<OverrideRow>(this.overridesQuery())).rows);
  }

  /** One statement, so values and change belong to the revision. */
  private overridesQuery(): Sql {
    const { settings, settingChanges, settingsRevision } = this.database.tables;
    return sql`select state.revision, setting."key", setting.value,
        latest.id as "changeId", latest.actor_id as "actorId", latest.occurred_at as "occurredAt"
      from ${settingsRevision} state left join ${settings} setting on true
      left join (select id, actor_id, occurred_at from ${settingChanges} order by id desc limit 1) latest on true
      order by setting."key"`;
  }

  private async write(transaction: Transaction, plan: SettingsPlan): Promise<void> {
    const { entities, tables } = this.database;
    const { manager } = transaction;
    const overrides = [...plan.overrides].map(([key, value]) => ({ key, value }));
    const removed = overrides.filter(({ value }) => value === null).map(({ key }) => key);
    const kept = overrides.filter(({ value }) => value !== null) as QueryDeepPartialEntity<SettingRow>[];
    if (removed.length > 0) await manager.delete(entities.setting, removed);
    if (kept.length > 0) await manager.upsert(entities.setting, kept, ['key']);
    if (plan.changes.length > 0) {
      const { actorId, requestId, occurredAt } = plan;
      const records = plan.changes.map((change) => ({ ...change, actorId, requestId, occurredAt }));
      await manager.insert(entities.settingChange, records as QueryDeepPartialEntity<SettingChangeRecord>[]);
    }
    await insertEvents(transaction, tables, plan.outgoing);
    await transaction.query(sql`update ${tables.settingsRevision} set revision = revision + 1`);
  }
}

function storedOverrides(rows: readonly OverrideRow[]): StoredOverrides {
  const values = new Map<string, unknown>(
    rows.flatMap(({ key, value }) => (key === null ? [] : [[key, JSON.parse(value)] as const])),
  );
  return { values, revision: Number(rows[0]?.revision), latestChange: latestChangeOf(rows[0]) };
}

function latestChangeOf(row: OverrideRow | undefined): LatestChange | null {
  if (row === undefined || row.changeId === null) return null;
  return { id: Number(row.changeId), actorId: row.actorId, occurredAt: row.occurredAt };
}
