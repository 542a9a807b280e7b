import type { MigrationInterface } from 'typeorm';
import type { Dialect } from '../dialects/dialect.js';
import type { TableNaming } from '../tables.js';
import { TablesMigration } from './tables.migration.js';

export type MigrationClass = new () => MigrationInterface & { readonly name: string };

/** Every migration, oldest first, as a DataSource's `migrations` takes them. */
export function migrationClasses(dialect: Dialect, naming: TableNaming): readonly MigrationClass[] {
  return [
    class extends TablesMigration {
      constructor() {
        super(dialect, naming);
      }
    },
  ];
}
