import { isDeepStrictEqual } from 'node:util';
import type { Page, PageRequest } from '#contracts/common/page.js';
import type { LatestChange, SettingChange } from '#contracts/settings/settings.js';
import {
  SettingsStore,
  type SettingChangeFilter,
  type SettingChangeRecord,
  type SettingsPlan,
  type StoredOverrides,
} from '#contracts/stores/settings.store.js';
import { scrubText } from '#contracts/common/text.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { fitsIndex, isIndexed, pageOf } from '../database/list-filters.js';
import { insertEvents } from '../outbox/event-insert.js';
import { raw, rows, sql, toJsonText, type Sql } from '../database/sql.js';
import { macOf } from '../database/tables.js';
import { entriesOf, overridesOf, rowsOf, type OverrideRows } from './override-rows.js';

interface StateRow {
  readonly revision: number;
  /** A bigint, which `pg` reads as text. */
  readonly changeId: string | null;
  readonly actorId: string;
  readonly occurredAt: Date;
}

interface OverrideRow extends StateRow {
  readonly key: string | null;
  readonly value: string;
}

interface StoredRows extends Omit<StoredOverrides, 'values'> {
  readonly rows: OverrideRows;
}

export class TypeormSettingsStore extends SettingsStore {
  /** What was read or written last. It is not read again while revision and newest change are the same. */
  private last: StoredRows | null = null;

  constructor(private readonly database: Database) {
    super();
  }

  override async read(): Promise<StoredOverrides> {
    this.last = storedRows(await this.database.query<OverrideRow>(this.overridesQuery()));
    return storedOverrides(this.last);
  }

  override async revision(): Promise<number> {
    const { settingsRevision } = this.database.tables;
    const [row] = await this.database.query<{ revision: number }>(
      sql`select revision from ${settingsRevision}`,
    );
    return Number(row?.revision);
  }

  override async apply(plan: (stored: StoredOverrides) => SettingsPlan | null): Promise<StoredOverrides> {
    const { settingsRevision } = this.database.tables;
    this.last = await this.database.transaction(async (transaction) => {
      await transaction.query(sql`select revision from ${settingsRevision} for update`);
      const before = await this.readWithin(transaction);
      const planned = plan(storedOverrides(before));
      return planned === null ? before : this.write(transaction, before, planned);
    });
    return storedOverrides(this.last);
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

  private async readWithin(transaction: Transaction): Promise<StoredRows> {
    const state = await this.stateWithin(transaction);
    if (this.last !== null && isSame(this.last, state)) return this.last;
    return storedRows((await transaction.query<OverrideRow>(this.overridesQuery())).rows);
  }

  private async stateWithin(transaction: Transaction): Promise<StateRow | undefined> {
    const { settingsRevision } = this.database.tables;
    const { rows: found } = await transaction.query<StateRow>(
      sql`select state.revision, ${LATEST} from ${settingsRevision} state ${this.latestChange()}`,
    );
    return found[0];
  }

  /** One statement, so values and change belong to the revision. */
  private overridesQuery(): Sql {
    const { settings, settingsRevision } = this.database.tables;
    return sql`select state.revision, setting."key", setting.value, ${LATEST}
      from ${settingsRevision} state left join ${settings} setting on true ${this.latestChange()}
      order by setting."key"`;
  }

  private latestChange(): Sql {
    const { settingChanges } = this.database.tables;
    return sql`left join
      (select id, actor_id, occurred_at from ${settingChanges} order by id desc limit 1) latest on true`;
  }

  private async write(transaction: Transaction, before: StoredRows, plan: SettingsPlan): Promise<StoredRows> {
    const { tables } = this.database;
    const after = new Map(before.rows);
    for (const [key, value] of plan.overrides) {
      for (const row of entriesOf(key, before.rows)) after.delete(row);
      for (const [row, stored] of rowsOf(key, value, before.rows)) after.set(row, stored);
    }
    const removed = [...before.rows.keys()].filter((row) => !after.has(row));
    const changed = [...after].filter(([row, stored]) => !isDeepStrictEqual(before.rows.get(row), stored));
    if (removed.length > 0)
      await transaction.query(sql`delete from ${tables.settings} where "key" = any(${removed}::text[])`);
    for (const part of inParts(changed)) await this.upsert(transaction, part);
    let { latestChange } = before;
    for (const part of inParts(plan.changes))
      latestChange = await this.insertChanges(transaction, plan, part);
    await insertEvents(transaction, tables, plan.outgoing);
    // The digest covers all overrides at the latest change, so that a removed row is noticed, too.
    const entries = [...after].map(([name, stored]) => `${name} ${JSON.stringify(stored)}`);
    const mac = macOf(tables, 'settings', latestChange?.id, entries.toSorted());
    const { rows: updated } = await transaction.query<{ revision: number }>(
      sql`update ${tables.settingsRevision} set revision = revision + 1, mac = ${mac} returning revision`,
    );
    return { revision: Number(updated[0]?.revision), latestChange, rows: after };
  }

  private async upsert(
    transaction: Transaction,
    entries: readonly (readonly [row: string, stored: unknown])[],
  ): Promise<void> {
    const given = rows(
      entries.map(([name, stored]) => ({ name, value: JSON.stringify(stored) })),
      { name: 'text', value: 'text' },
    );
    await transaction.query(sql`insert into ${this.database.tables.settings} ("key", value)
      select name, value from ${given} on conflict ("key") do update set value = excluded.value`);
  }

  private async insertChanges(
    transaction: Transaction,
    { actorId, requestId, occurredAt }: SettingsPlan,
    changes: readonly SettingChange[],
  ): Promise<LatestChange> {
    const records = changes.map(({ key, before, after }, turn) => ({
      turn,
      name: scrubText(key),
      oldValue: jsonOrNull(before),
      newValue: jsonOrNull(after),
    }));
    const given = rows(records, { turn: 'integer', name: 'text', oldValue: 'text', newValue: 'text' });
    const author = sql`${scrubText(actorId)}::text, ${requestId === null ? null : scrubText(requestId)}::text`;
    const { rows: inserted } = await transaction.query<{ id: string }>(
      sql`insert into ${this.database.tables.settingChanges}
          ("key", old_value, new_value, actor_id, request_id, occurred_at)
        select name, old_value, new_value, ${author}, ${occurredAt}::timestamptz from ${given} order by turn
        returning id`,
    );
    const id = Math.max(...inserted.map((row) => Number(row.id)));
    return { id, actorId: scrubText(actorId), occurredAt };
  }
}

const LATEST = raw(
  'latest.id as "changeId", latest.actor_id as "actorId", latest.occurred_at as "occurredAt"',
);

function stateOf(row: StateRow | undefined): Omit<StoredOverrides, 'values'> {
  const latestChange: LatestChange | null =
    row === undefined || row.changeId === null
      ? null
      : { id: Number(row.changeId), actorId: row.actorId, occurredAt: row.occurredAt };
  return { revision: Number(row?.revision), latestChange };
}

function isSame(known: StoredRows, row: StateRow | undefined): boolean {
  const { revision, latestChange } = stateOf(row);
  return (
    revision === known.revision &&
    latestChange?.id === known.latestChange?.id &&
    latestChange?.occurredAt.getTime() === known.latestChange?.occurredAt.getTime()
  );
}

function storedRows(found: readonly OverrideRow[]): StoredRows {
  const kept = found.flatMap(({ key, value }) => (key === null ? [] : [[key, JSON.parse(value)] as const]));
  return { ...stateOf(found[0]), rows: new Map<string, unknown>(kept) };
}

function storedOverrides({ rows: kept, ...state }: StoredRows): StoredOverrides {
  return { ...state, values: overridesOf(kept) };
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : toJsonText(value);
}

/** Entries of one statement. A pattern takes up to 6 kB, and a change two of them. */
const PART = 25;

/** Parts that are short enough to be written without a noticeable pause of the process. */
function inParts<Entry>(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  return Array.from({ length: Math.ceil(entries.length / PART) }, (_, index) =>
    entries.slice(index * PART, (index + 1) * PART),
  );
}
