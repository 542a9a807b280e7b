export type { Inspection, ServerFacts, TableFacts } from './maintenance/inspection.js';
export { Maintenance, type MaintenanceOptions } from './maintenance/maintenance.js';
export { grantStatements, type RoleNames } from './maintenance/grant-statements.js';
export type { VerificationFinding, VerificationReport } from './maintenance/verification/verification.js';
export type { Privilege } from './maintenance/table-rights.js';
export type { MigrationState } from './migrations/migration-runner.js';
export { createPgliteDriver, type PgliteDriverOptions, type WireDatabase } from './pglite/pglite-driver.js';
export {
  guardrailsEntities,
  guardrailsMigrations,
  runGuardrailsMigrations,
  typeormStores,
} from './typeorm-stores.js';
export type { TablePlace, TypeormConnection, TypeormStoresOptions } from './typeorm-stores.options.js';
