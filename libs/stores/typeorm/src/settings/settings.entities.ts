import { EntitySchema } from 'typeorm';
import type { SettingChangeRecord } from '../../../../contracts/src/settings/settings.store.js';
import { columnsOf, nullable, primary } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

export interface SettingRow {
  readonly key: string;
  readonly value: unknown;
}

/** One row. Who holds it holds the settings. */
export interface SettingsStateRow {
  readonly id: number;
  readonly revision: number;
}

export function settingEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<SettingRow> {
  return new EntitySchema<SettingRow>({
    name: tableName(naming, 'settings'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<SettingRow>({ key: primary(kind.text), value: kind.json }),
  });
}

export function settingsStateEntity(
  { columns: kind }: Dialect,
  naming: TableNaming,
): EntitySchema<SettingsStateRow> {
  return new EntitySchema<SettingsStateRow>({
    name: tableName(naming, 'settingsState'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<SettingsStateRow>({ id: primary(kind.integer), revision: kind.bigInteger }),
  });
}

export function settingChangeEntity(
  { columns: kind }: Dialect,
  naming: TableNaming,
): EntitySchema<SettingChangeRecord> {
  return new EntitySchema<SettingChangeRecord>({
    name: tableName(naming, 'settingChanges'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<SettingChangeRecord>({
      id: kind.id,
      actorId: kind.text,
      key: kind.text,
      before: { ...nullable(kind.json), name: 'old_value' },
      after: { ...nullable(kind.json), name: 'new_value' },
      requestId: nullable(kind.text),
      occurredAt: kind.time,
    }),
  });
}
