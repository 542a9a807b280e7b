export type { Inspection, ServerFacts, TableFacts } from './maintenance/inspection.js';
export { Maintenance, type MaintenanceOptions } from './maintenance/maintenance.js';
export { grantStatements, type Privilege, type RoleNames } from './maintenance/table-rights.js';
export type { VerificationFinding, VerificationReport } from './maintenance/findings.js';
export type { MigrationState } from './migrations/migrations.js';
export type { TablePlace, TypeormConnection, TypeormStoresOptions } from './database/options.js';
export { createPgliteDriver, type PgliteDriverOptions, type WireDatabase } from './pglite/pglite-driver.js';
export {
  guardrailsEntities,
  guardrailsMigrations,
  runGuardrailsMigrations,
  typeormStores,
} from './typeorm-stores.js';
