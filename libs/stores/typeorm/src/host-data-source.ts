import type { DataSource, EntitySchema } from 'typeorm';
import { ConfigurationError } from '../../../contracts/src/errors.js';

/** Makes the host's DataSource know our tables, while it still can learn. */
export async function openHostDataSource(dataSource: DataSource, entities: EntitySchema[]): Promise<void> {
  if (!dataSource.isInitialized) {
    const own = dataSource.options.entities ?? [];
    const known = Array.isArray(own) ? own : Object.values(own as Record<string, EntitySchema>);
    const added = entities.filter(
      ({ options: { name } }) => !known.some((entity) => entityName(entity) === name),
    );
    dataSource.setOptions({ entities: [...known, ...added] });
    await dataSource.initialize();
  }
  await assertMariadbFits(dataSource);
  if (entities.every((entity) => dataSource.hasMetadata(entity))) return;
  throw new ConfigurationError([
    'The DataSource given to typeormStores is initialised and does not know our tables: add ' +
      '...guardrailsEntities() to its `entities`, with the same tablePrefix and schema.',
  ]);
}

function entityName(entity: unknown): string | undefined {
  return (entity as { readonly options?: { readonly name?: string } }).options?.name;
}

/** What we set on connections of our own to MariaDB, and a host may have set otherwise: each would spoil what is stored. */
async function assertMariadbFits(dataSource: DataSource): Promise<void> {
  const { type, timezone, dateStrings } = dataSource.options as {
    readonly type: string;
    readonly timezone?: string;
    readonly dateStrings?: unknown;
  };
  if (type === 'postgres') return;
  const [session] = await dataSource.query<{ mode: string; charset: string }[]>(
    'select @@sql_mode as mode, @@character_set_client as charset',
  );
  const modes = session?.mode.split(',') ?? [];
  const reasons = [
    ...(timezone === 'Z' && !dateStrings ? [] : [`with timezone: 'Z' and without dateStrings`]),
    ...(session?.charset === 'utf8mb4' ? [] : [`with charset: 'utf8mb4'`]),
    ...(modes.some((mode) => mode.startsWith('STRICT_')) ? [] : ['with STRICT_TRANS_TABLES in its sql_mode']),
    ...(modes.includes('NO_BACKSLASH_ESCAPES') ? ['without NO_BACKSLASH_ESCAPES in its sql_mode'] : []),
  ];
  if (reasons.length === 0) return;
  throw new ConfigurationError(
    reasons.map((reason) => `The DataSource given to typeormStores must be made ${reason}.`),
  );
}
