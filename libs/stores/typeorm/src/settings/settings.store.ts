import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import type { Page, PageRequest } from '../../../../contracts/src/page.js';
import {
  SettingsStore,
  type SettingChangeRecord,
  type SettingsPlan,
  type StoredOverrides,
} from '../../../../contracts/src/settings/settings.store.js';
import { scrubText } from '../../../../contracts/src/text.js';
import type { Database } from '../database.js';
import { rowsOf } from '../rows.js';
import { jsonOf } from '../json-text.js';
import { pageOf } from '../pages.js';
import type { SettingRow } from './settings.entities.js';

interface OverrideRow {
  readonly revision: string;
  readonly key: string | null;
  readonly value: string;
}

export class TypeormSettingsStore extends SettingsStore {
  constructor(private readonly database: Database) {
    super();
  }

  override read(): Promise<StoredOverrides> {
    return this.database.statement((manager) => this.readWith(manager));
  }

  override async revision(): Promise<number> {
    const [row] = await this.database.rows<{ revision: string }>(
      `select revision from ${this.database.tables.settingsState}`,
    );
    return Number(row?.revision);
  }

  override apply(plan: (stored: StoredOverrides) => SettingsPlan | null): Promise<StoredOverrides> {
    return this.database.transaction(async (manager) => {
      await rowsOf(manager, `select revision from ${this.database.tables.settingsState} for update`);
      const stored = await this.readWith(manager);
      const planned = plan(stored);
      if (planned === null) return stored;
      await this.write(manager, planned);
      return this.readWith(manager);
    });
  }

  override async changes(
    { key }: { readonly key?: string },
    page: PageRequest,
  ): Promise<Page<SettingChangeRecord>> {
    const found = await this.database.read(this.database.entities.settingChange, (changes) => {
      const query = changes
        .createQueryBuilder('change')
        .orderBy('change.id', 'DESC')
        .take(page.limit + 1);
      if (page.cursor !== undefined) query.andWhere('change.id < :cursor', { cursor: page.cursor });
      if (key !== undefined) {
        query.andWhere('(change.key = :key or position(:below in change.key) = 1)', {
          key: scrubText(key),
          below: `${scrubText(key)}.`,
        });
      }
      return query.getMany();
    });
    return pageOf(found, page);
  }

  /** Values and revision by one statement, so that they belong together. */
  private async readWith(manager: EntityManager): Promise<StoredOverrides> {
    const { tables } = this.database;
    const rows = await rowsOf<OverrideRow>(
      manager,
      `select state.revision, setting."key", setting.value
       from ${tables.settingsState} state left join ${tables.settings} setting on true
       order by setting."key"`,
    );
    const values = new Map(rows.flatMap(({ key, value }) => (key === null ? [] : [[key, jsonOf(value)]])));
    return { values, revision: Number(rows[0]?.revision) };
  }

  private async write(manager: EntityManager, plan: SettingsPlan): Promise<void> {
    const { dialect, entities, tables } = this.database;
    const overrides = [...plan.overrides].map(([key, value]) => ({ key, value }));
    const removed = overrides.filter(({ value }) => value === null);
    const kept = overrides.filter(({ value }) => value !== null);
    if (removed.length > 0)
      await manager.delete(
        entities.setting,
        removed.map(({ key }) => key),
      );
    if (kept.length > 0)
      await manager.upsert(entities.setting, kept as QueryDeepPartialEntity<SettingRow>[], ['key']);
    if (plan.changes.length > 0) {
      const { actorId, requestId, occurredAt } = plan;
      const records = plan.changes.map((change) => ({ ...change, actorId, requestId, occurredAt }));
      await manager.insert(entities.settingChange, records as QueryDeepPartialEntity<SettingChangeRecord>[]);
    }
    await dialect.writeEvents(manager, tables, plan.outgoing);
    await manager.increment(entities.settingsState, { id: 1 }, 'revision', 1);
  }
}
