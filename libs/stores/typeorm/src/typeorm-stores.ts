import type { DataSource, EntitySchema } from 'typeorm';
import { StoreBackend } from '../../../contracts/src/store-backend.js';
import { TypeormApprovalStore } from './approvals/approvals.store.js';
import { TypeormAuditStore } from './audit/audit.store.js';
import { assertTrigramIndex, makeTrigramIndex } from './audit/trigram-search.js';
import { Connections } from './connections.js';
import { Database } from './database.js';
import type { Dialect } from './dialects/dialect.js';
import { dialectOf } from './dialects/dialect-of.js';
import { entitiesOf, entityList, type Entities } from './entities.js';
import { TypeormFirewallStore } from './firewall/firewall.store.js';
import { databaseType, statementTimeout } from './own-data-source.js';
import { runMigrations } from './migrations/migration-runner.js';
import { migrationClasses, type MigrationClass } from './migrations/migrations.js';
import { TypeormOutboxStore } from './outbox/outbox.store.js';
import { TypeormOutputStore } from './output/output.store.js';
import { TypeormOverviewStore } from './overview/overview.store.js';
import { TypeormRetentionStore } from './retention/retention.store.js';
import { assertSchemaFits } from './schema-check.js';
import { TypeormSettingsStore } from './settings/settings.store.js';
import { guarded } from './store-errors.js';
import { tablesOf, type TableNaming } from './tables.js';
import {
  positiveInteger,
  tableNaming,
  type TablePlace,
  type TypeormStoresOptions,
} from './typeorm-stores.options.js';

/** The stores of nest-guardrails in PostgreSQL or PGlite, over TypeORM. Nothing connects before `open`. */
export function typeormStores(options: TypeormStoresOptions): StoreBackend {
  return new TypeormStores(options);
}

/** For the `entities` of a host's own DataSource that the stores are to share. */
export function guardrailsEntities(place: TablePlace = {}): EntitySchema[] {
  return entityList(entitiesOf(dialectOf('postgres'), tableNaming(place)));
}

/** For the `migrations` of a host that runs ours together with its own. */
export function guardrailsMigrations(place: TablePlace = {}): readonly MigrationClass[] {
  return migrationClasses(dialectOf('postgres'), tableNaming(place));
}

/** Runs what is missing of our migrations on an initialised DataSource; safe on many instances at once. */
export async function runGuardrailsMigrations(dataSource: DataSource, place: TablePlace = {}): Promise<void> {
  const { type } = dataSource.options;
  const naming = tableNaming(place);
  await guarded(() => runMigrations(dataSource, dialectOf(type), naming));
}

/** Whoever has a text or a principal counted over months waits this many times longer than for a page. */
const PATIENCE = 5;

class TypeormStores extends StoreBackend {
  override readonly audit: TypeormAuditStore;
  override readonly firewall: TypeormFirewallStore;
  override readonly output: TypeormOutputStore;
  override readonly approvals: TypeormApprovalStore;
  override readonly settings: TypeormSettingsStore;
  override readonly overview: TypeormOverviewStore;
  override readonly outbox: TypeormOutboxStore;
  override readonly retention: TypeormRetentionStore;
  private readonly dialect: Dialect;
  private readonly naming: TableNaming;
  private readonly entities: Entities;
  private readonly connections: Connections;

  constructor(private readonly options: TypeormStoresOptions) {
    super();
    const type = databaseType(options);
    this.dialect = dialectOf(type);
    this.naming = tableNaming(options);
    this.entities = entitiesOf(this.dialect, this.naming);
    this.connections = new Connections(options, entityList(this.entities));
    const database = new Database(
      this.connections.primary,
      this.dialect,
      tablesOf(this.naming),
      this.entities,
      this.connections.replicas,
      options.dataSource === undefined ? PATIENCE * statementTimeout(options) : null,
    );
    const { queueCapacity = 10_000, search = 'windows' } = options;
    this.audit = new TypeormAuditStore(database, positiveInteger('queueCapacity', queueCapacity), search);
    this.firewall = new TypeormFirewallStore(database);
    this.output = new TypeormOutputStore(database);
    this.approvals = new TypeormApprovalStore(database);
    this.settings = new TypeormSettingsStore(database);
    this.overview = new TypeormOverviewStore(database);
    this.outbox = new TypeormOutboxStore(database);
    const { maintenance } = this.connections;
    this.retention = new TypeormRetentionStore(
      database,
      maintenance === null
        ? database
        : new Database(maintenance, this.dialect, tablesOf(this.naming), this.entities),
    );
  }

  override async open(): Promise<void> {
    await guarded(async () => {
      await this.connections.open();
      const { dataSource } = this.connections;
      try {
        if (this.options.migrate === true) await runMigrations(dataSource, this.dialect, this.naming);
        await assertSchemaFits(dataSource, this.dialect, this.naming, this.entities);
        if (this.options.search === 'trigram') await this.readyForTrigrams(dataSource);
      } catch (error) {
        await this.close();
        throw error;
      }
    });
  }

  private async readyForTrigrams(dataSource: DataSource): Promise<void> {
    if (this.options.migrate === true) await makeTrigramIndex(dataSource, this.dialect, this.naming);
    else await assertTrigramIndex(dataSource, this.dialect, this.naming);
  }

  override async close(): Promise<void> {
    await this.audit.drain();
    await this.connections.close();
  }
}
