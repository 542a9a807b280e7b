import type { DataSource } from 'typeorm';
import type { RetentionStore } from '../../../../contracts/src/retention.store.js';
import type { StoredOverrides } from '../../../../contracts/src/settings/settings.store.js';
import { Database } from '../database.js';
import { postgres } from '../dialects/postgres.js';
import { entitiesOf, entityList, type Entities } from '../entities.js';
import {
  compareMigrations,
  runMigrations,
  type MigrationListener,
  type MigrationState,
} from '../migrations/migration-runner.js';
import { ownDataSource } from '../own-data-source.js';
import { TypeormRetentionStore } from '../retention/retention.store.js';
import { missingColumns } from '../schema-check.js';
import { OwnSessions } from '../sessions.js';
import { TypeormSettingsStore } from '../settings/settings.store.js';
import { guarded } from '../store-errors.js';
import { tablesOf, type TableNaming } from '../tables.js';
import { tableNaming, type TablePlace } from '../typeorm-stores.options.js';
import type { Inspection } from './inspection.js';
import type {
  CommitmentCheck,
  VerificationListener,
  VerificationReport,
} from './verification/verification.js';
import { verifyAudit } from './verification/verify-audit.js';
import { serverFacts } from './server-facts.js';
import { tableFacts } from './table-facts.js';

/** Nobody waits for an answer here as a reader of a page does. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

export interface MaintenanceOptions extends TablePlace {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string;
}

/** Looks after the tables from outside of any application: what the command line does. Nothing connects before `open`. */
export class Maintenance {
  private readonly naming: TableNaming;
  private readonly entities: Entities;
  private readonly dataSource: DataSource;

  constructor(options: MaintenanceOptions) {
    this.naming = tableNaming(options);
    this.entities = entitiesOf(postgres, this.naming);
    this.dataSource = ownDataSource(
      { url: options.url, statementTimeoutMs: STATEMENT_TIMEOUT_MS, poolSize: 2 },
      entityList(this.entities),
    );
  }

  async open(): Promise<void> {
    await guarded(() => this.dataSource.initialize());
  }

  async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  migrations(): Promise<MigrationState> {
    return guarded(() => compareMigrations(this.dataSource, postgres, this.naming));
  }

  /** Runs what is missing, all of it or nothing. */
  migrate(tell: MigrationListener): Promise<void> {
    const { dataSource, naming } = this;
    return guarded(async () => {
      await runMigrations(dataSource, postgres, naming, tell);
    });
  }

  inspect(): Promise<Inspection> {
    const { dataSource, naming, entities } = this;
    return guarded(async () => ({
      server: await serverFacts(dataSource),
      migrations: await compareMigrations(dataSource, postgres, naming),
      missingColumns: (await missingColumns(dataSource, postgres, naming, entities)).missing,
      tables: await tableFacts(dataSource, naming),
    }));
  }

  overrides(): Promise<StoredOverrides> {
    return new TypeormSettingsStore(this.database()).read();
  }

  /** Of one state of the database, however long it takes: rows that are written meanwhile are not looked at. */
  verify(broken: CommitmentCheck, tell: VerificationListener): Promise<VerificationReport> {
    const tables = tablesOf(this.naming);
    return guarded(() =>
      this.dataSource.transaction('REPEATABLE READ', async (manager) => {
        await manager.query('set transaction read only');
        return verifyAudit(manager, tables, broken, tell);
      }),
    );
  }

  retention(): RetentionStore {
    return new TypeormRetentionStore(this.database());
  }

  private database(): Database {
    return new Database(
      new OwnSessions(this.dataSource, STATEMENT_TIMEOUT_MS),
      postgres,
      tablesOf(this.naming),
      this.entities,
    );
  }
}
