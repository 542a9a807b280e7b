export { createPgliteDriver, type PgliteDriverOptions, type WireDatabase } from './pglite/pglite-driver.js';
export {
  guardrailsEntities,
  guardrailsMigrations,
  runGuardrailsMigrations,
  typeormStores,
} from './typeorm-stores.js';
export type { TablePlace, TypeormConnection, TypeormStoresOptions } from './typeorm-stores.options.js';
