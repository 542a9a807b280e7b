import type { DataSource, EntitySchema } from 'typeorm';
import { ConfigurationError } from '#contracts/common/errors.js';
import { StoreBackend, type ProgressReport, type StoreLimits } from '#contracts/stores/store-backend.js';
import { TypeormApprovalStore } from './approvals/approvals.store.js';
import { TypeormBudgetStore } from './budgets/budgets.store.js';
import { CountFolding } from './audit/count-folding.js';
import { TypeormAuditStore } from './audit/audit.store.js';
import { assertTrigramIndex, createTrigramIndex } from './audit/text-search.js';
import { Database, type OutOfDateReads } from './database/database.js';
import { entitiesOf, entityList, type Entities } from './database/entities.js';
import { TypeormFirewallStore } from './firewall/firewall.store.js';
import {
  runMigrations,
  migrationClasses,
  type MigrationClass,
  assertSchemaFits,
} from './migrations/migrations.js';
import { TypeormHoldStore } from './holds/holds.store.js';
import { TypeormTransparencyLog } from './log/transparency-log.store.js';
import { TypeormOutboxStore } from './outbox/outbox.store.js';
import { TypeormOutputStore } from './output/output.store.js';
import { TypeormOverviewStore } from './overview/overview.store.js';
import { TypeormRetentionStore } from './retention/retention.store.js';
import { TypeormReviewStore } from './reviews/reviews.store.js';
import { TypeormRunIndex } from './audit/run-index.js';
import { TypeormRunStore } from './runs/run.store.js';
import { TypeormSettingsStore } from './settings/settings.store.js';
import { tablesOf, type TableNaming } from './database/tables.js';
import {
  tableNaming,
  type TablePlace,
  type TypeormStoresOptions,
  assertValidOptions,
} from './database/options.js';
import { ConnectionPool } from './database/connection-pool.js';
import { openHostDataSource, openOwnDataSource } from './database/data-sources.js';
import { translateErrors } from './database/database-errors.js';

/** Stores in PostgreSQL or PGlite, over TypeORM. Nothing connects before `open`. */
export function typeormStores(options: TypeormStoresOptions): StoreBackend {
  return new TypeormStores(options);
}

/** For the `entities` of a DataSource that the host shares with the stores. */
export function guardrailsEntities(place: TablePlace = {}): EntitySchema[] {
  return entityList(entitiesOf(tableNaming(place)));
}

/** For the option `migrations` of a host that runs them with its own. */
export function guardrailsMigrations(place: TablePlace = {}): readonly MigrationClass[] {
  return migrationClasses(tableNaming(place));
}

/** Runs our missing migrations on an initialized DataSource. Several instances may do so at the same time. */
export async function runGuardrailsMigrations(dataSource: DataSource, place: TablePlace = {}): Promise<void> {
  await translateErrors(() => runMigrations(dataSource, tableNaming(place)));
}

/**
 * Parts that are loaded where their option is set. Each is one folder and one line here; without them the option is refused
 * and everything else works.
 */
const PARTS: OptionalParts = {
  replicas: async (...given) => (await import('./replicas/replicas.js')).openReplicas(...given),
};

interface OptionalParts {
  readonly replicas?: (
    urls: readonly string[],
    poolOf: (url: string) => ConnectionPool,
  ) => Promise<OutOfDateReads>;
}

/** A read that counts rows may take this many times longer than a page. */
const SLOW_FACTOR = 5;

const DEFAULT_STATEMENT_TIMEOUT_MS = 2_000;

class TypeormStores extends StoreBackend {
  override readonly audit: TypeormAuditStore;
  override readonly firewall: TypeormFirewallStore;
  override readonly output: TypeormOutputStore;
  override readonly approvals: TypeormApprovalStore;
  override readonly budgets: TypeormBudgetStore;
  override readonly runs: TypeormRunStore;
  override readonly runIndex: TypeormRunIndex;
  override readonly settings: TypeormSettingsStore;
  override readonly overview: TypeormOverviewStore;
  override readonly reviews: TypeormReviewStore;
  override readonly outbox: TypeormOutboxStore;
  override readonly retention: TypeormRetentionStore;
  override readonly holds: TypeormHoldStore;
  override readonly log: TypeormTransparencyLog;
  private readonly naming: TableNaming;
  private readonly entities: Entities;
  private readonly primary: ConnectionPool;
  private readonly database: Database;
  private readonly maintenance: ConnectionPool | null;
  private readonly folding: CountFolding;
  private statementTimeoutMs: number;

  constructor(private readonly options: TypeormStoresOptions) {
    super();
    assertValidOptions(options);
    this.naming = tableNaming(options);
    this.entities = entitiesOf(this.naming);
    this.statementTimeoutMs = options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS;
    const { dataSource, url, maintenanceUrl, queueCapacity = 10_000, search } = options;
    this.primary = this.poolOf(
      () =>
        dataSource === undefined
          ? this.ownDataSource(url, entityList(this.entities))
          : openHostDataSource(dataSource, entityList(this.entities)),
      dataSource !== undefined,
    );
    this.maintenance =
      maintenanceUrl === undefined
        ? null
        : this.poolOf(() => this.ownDataSource(maintenanceUrl, entityList(this.entities)));
    const tables = tablesOf(this.naming);
    const ownSlowTimeoutMs = () => SLOW_FACTOR * this.statementTimeoutMs;
    const database = (this.database = new Database(
      this.primary,
      tables,
      this.entities,
      dataSource === undefined ? ownSlowTimeoutMs : undefined,
    ));
    this.folding = new CountFolding(database);
    this.audit = new TypeormAuditStore(database, queueCapacity, search ?? 'windows');
    this.firewall = new TypeormFirewallStore(database);
    this.output = new TypeormOutputStore(database);
    this.approvals = new TypeormApprovalStore(database);
    this.budgets = new TypeormBudgetStore(database);
    this.runs = new TypeormRunStore(database);
    this.runIndex = new TypeormRunIndex(database);
    this.settings = new TypeormSettingsStore(database);
    this.overview = new TypeormOverviewStore(database);
    this.reviews = new TypeormReviewStore(database);
    this.outbox = new TypeormOutboxStore(database);
    this.holds = new TypeormHoldStore(database);
    this.log = new TypeormTransparencyLog(database);
    this.retention = new TypeormRetentionStore(
      database,
      this.maintenance === null
        ? database
        : new Database(this.maintenance, tables, this.entities, ownSlowTimeoutMs),
    );
  }

  override async open(
    { statementTimeoutMs }: Partial<StoreLimits> = {},
    report?: ProgressReport,
  ): Promise<void> {
    this.statementTimeoutMs =
      this.options.statementTimeoutMs ?? statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS;
    await translateErrors(async () => {
      try {
        if (this.options.driver)
          report?.('Opening the embedded database. Its first start takes some seconds.');
        await this.primary.open();
        if (this.options.migrate === true) await this.migrate(report);
        const { dataSource } = this.primary;
        await assertSchemaFits(dataSource, this.naming, this.entities);
        if (this.options.search === 'trigram') await assertTrigramIndex(dataSource, this.naming);
        await this.maintenance?.open();
        await this.openReplicas();
        this.folding.start();
      } catch (error) {
        await this.close();
        throw error;
      }
    });
  }

  override async close(): Promise<void> {
    await this.audit.drain();
    await this.folding.stop();
    await this.database.replicas?.close();
    this.database.replicas = null;
    await this.maintenance?.close();
    await this.primary.close();
  }

  private async openReplicas(): Promise<void> {
    const { replicas = [] } = this.options;
    if (replicas.length === 0 || this.database.replicas !== null) return;
    if (PARTS.replicas === undefined)
      throw new ConfigurationError([
        'typeormStores: this build has no replicas. Remove the option `replicas`.',
      ]);
    this.database.replicas = await PARTS.replicas(replicas, (url) =>
      this.poolOf(() => this.ownDataSource(url, [])),
    );
  }

  /** Migrations use a connection without time-outs, unless the host gave its DataSource. */
  private async migrate(report?: ProgressReport): Promise<void> {
    const { dataSource: host, url, driver } = this.options;
    const dataSource =
      host ??
      (await openOwnDataSource({
        url,
        driver,
        poolSize: 1,
        statementTimeoutMs: null,
        responseTimeoutMs: null,
        entities: [],
      }));
    try {
      await runMigrations(dataSource, this.naming, (name) => report?.(`Migrating the database: ${name}.`));
      if (this.options.search === 'trigram') await createTrigramIndex(dataSource, this.naming);
    } finally {
      if (host === undefined) await dataSource.destroy();
    }
  }

  private poolOf(connect: () => Promise<DataSource>, isShared = false): ConnectionPool {
    return new ConnectionPool({
      connect,
      isShared,
      responseTimeoutMs: this.responseTimeoutMs,
      ...(this.options.pooler !== undefined && { transactionTimeoutMs: () => this.statementTimeoutMs }),
    });
  }

  private ownDataSource(url: string | undefined, entities: EntitySchema[]): Promise<DataSource> {
    const { driver, pooler, poolSize = 10 } = this.options;
    return openOwnDataSource({
      url,
      driver,
      poolSize,
      statementTimeoutMs: pooler === undefined ? this.statementTimeoutMs : null,
      responseTimeoutMs: this.responseTimeoutMs,
      entities,
    });
  }

  private get responseTimeoutMs(): number {
    return this.options.responseTimeoutMs ?? 10_000;
  }
}
