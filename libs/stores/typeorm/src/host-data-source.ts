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
  if (entities.every((entity) => dataSource.hasMetadata(entity))) return;
  throw new ConfigurationError([
    'The DataSource given to typeormStores is initialised and does not know our tables: add ' +
      '...guardrailsEntities() to its `entities`, with the same tablePrefix and schema.',
  ]);
}

function entityName(entity: unknown): string | undefined {
  return (entity as { readonly options?: { readonly name?: string } }).options?.name;
}
