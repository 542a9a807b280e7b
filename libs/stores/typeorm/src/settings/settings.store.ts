import { isDeepStrictEqual } from 'node:util';
import { Any } from 'typeorm';
import type { PageRequest } from '#contracts/common/page.js';
import type { LatestChange } from '#contracts/settings/settings.js';
import {
  SettingsStore,
  type SettingChangeFilter,
  type SettingsPlan,
  type StoredOverrides,
} from '#contracts/stores/settings.store.js';
import { scrubText } from '#contracts/common/text.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { fitsIndex, isIndexed, pageFrom } from '../database/list-filters.js';
import { insertEvents } from '../outbox/event-insert.js';
import { raw, sql } from '../database/sql.js';
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

  override async read() {
    this.last = storedRows(await this.database.query<OverrideRow>(this.overridesQuery()));
    return storedOverrides(this.last);
  }

  override async revision() {
    const { settingsRevision } = this.database.tables;
    const [row] = await this.database.query<{ revision: number }>(
      sql`select revision from ${settingsRevision}`,
    );
    return Number(row?.revision);
  }

  override async apply(plan: (stored: StoredOverrides) => SettingsPlan | null) {
    const { settingsRevision } = this.database.tables;
    this.last = await this.database.transaction(async (transaction) => {
      await transaction.query(sql`select revision from ${settingsRevision} for update`);
      const before = await this.readWithin(transaction);
      const planned = plan(storedOverrides(before));
      return planned === null ? before : this.write(transaction, before, planned);
    });
    return storedOverrides(this.last);
  }

  override async changes({ key, actor, from, to }: SettingChangeFilter, page: PageRequest) {
    return this.database.repository(this.database.entities.settingChange, (changes) =>
      pageFrom(changes, page, (query) => {
        if (key !== undefined)
          query.andWhere('(row.key = :key or position(:below in row.key) = 1)', {
            key: scrubText(key),
            below: `${scrubText(key)}.`,
          });
        if (actor !== undefined) {
          if (isIndexed(scrubText(actor))) query.andWhere(fitsIndex('row.actor_id'));
          query.andWhere('row.actorId = :actor', { actor: scrubText(actor) });
        }
        if (from !== undefined) query.andWhere('row.occurredAt >= :from', { from });
        if (to !== undefined) query.andWhere('row.occurredAt <= :to', { to });
      }),
    );
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
  private overridesQuery() {
    const { settings, settingsRevision } = this.database.tables;
    return sql`select state.revision, setting."key", setting.value, ${LATEST}
      from ${settingsRevision} state left join ${settings} setting on true ${this.latestChange()}
      order by setting."key"`;
  }

  private latestChange() {
    const { settingChanges } = this.database.tables;
    return sql`left join
      (select id, actor_id, occurred_at from ${settingChanges} order by id desc limit 1) latest on true`;
  }

  private async write(transaction: Transaction, before: StoredRows, plan: SettingsPlan): Promise<StoredRows> {
    const { tables, entities } = this.database;
    const settings = transaction.manager.getRepository(entities.setting);
    const settingChanges = transaction.manager.getRepository(entities.settingChange);
    const { actorId, requestId, occurredAt, outgoing } = plan;
    // Only rows that differ are written.
    const after = new Map(before.rows);
    for (const [key, value] of plan.overrides) {
      for (const row of entriesOf(key, before.rows)) after.delete(row);
      for (const [row, stored] of rowsOf(key, value, before.rows)) after.set(row, stored);
    }
    const removed = [...before.rows.keys()].filter((row) => !after.has(row));
    const changed = [...after].filter(([row, stored]) => !isDeepStrictEqual(before.rows.get(row), stored));
    if (removed.length > 0) await settings.delete({ key: Any(removed) });
    for (const part of inParts(changed)) {
      const insert = settings.createQueryBuilder().insert();
      await insert
        .values(part.map(([key, value]) => ({ key, value: value as object })))
        .orUpdate(['value'], ['key'])
        .execute();
    }
    let { latestChange } = before;
    for (const part of inParts(plan.changes)) {
      const records = part.map(({ key, before: old = null, after: next = null }) => ({
        key,
        before: old as object | null,
        after: next as object | null,
        actorId,
        requestId,
        occurredAt,
      }));
      const { identifiers } = await settingChanges.insert(records);
      // The driver returns a bigint as text.
      const id = Number(identifiers.at(-1)?.['id']);
      latestChange = { id, actorId: scrubText(actorId), occurredAt };
    }
    await insertEvents(transaction, tables, outgoing);
    // The digest covers all overrides at the latest change, so that a removed row is noticed, too.
    const entries = [...after].map(([name, stored]) => `${name} ${JSON.stringify(stored)}`);
    const mac = macOf(tables, 'settings', latestChange?.id, entries.toSorted());
    const { rows: updated } = await transaction.query<{ revision: number }>(
      sql`update ${tables.settingsRevision} set revision = revision + 1, mac = ${mac} returning revision`,
    );
    return { revision: Number(updated[0]?.revision), latestChange, rows: after };
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

/** Entries of one statement. A pattern takes up to 6 kB, and a change two of them. */
const PART = 25;

/** Parts that are short enough to be written without a noticeable pause of the process. */
function inParts<Entry>(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  return Array.from({ length: Math.ceil(entries.length / PART) }, (_, index) =>
    entries.slice(index * PART, (index + 1) * PART),
  );
}
