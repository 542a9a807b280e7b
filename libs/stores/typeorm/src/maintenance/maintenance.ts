import type { Checkpoint } from '#contracts/events/checkpoints.js';
import type { RetentionStore } from '#contracts/stores/retention.store.js';
import type { ReviewStore } from '#contracts/audit/review.store.js';
import type { ProgressReport } from '#contracts/stores/store-backend.js';
import type { SettingsStore } from '#contracts/stores/settings.store.js';
import { ConnectionPool } from '../database/connection-pool.js';
import { openOwnDataSource } from '../database/data-sources.js';
import { Database } from '../database/database.js';
import { translateErrors } from '../database/database-errors.js';
import { entitiesOf, entityList, type Entities } from '../database/entities.js';
import { TypeormTransparencyLog } from '../log/transparency-log.store.js';
import { compareMigrations, runMigrations, type MigrationState } from '../migrations/migrations.js';
import { assertPostgresUrl, tableNaming, type TablePlace } from '../database/options.js';
import { TypeormRetentionStore } from '../retention/retention.store.js';
import { TypeormReviewStore } from '../reviews/reviews.store.js';
import { TypeormSettingsStore } from '../settings/settings.store.js';
import { raw, sql } from '../database/sql.js';
import { tablesOf, type TableNaming } from '../database/tables.js';
import { inspect, type Inspection } from './inspection.js';
import { verifyAudit, type VerificationChecks } from './verify-audit.js';
import type { VerificationListener, VerificationReport } from './findings.js';

/** No request waits for these statements. */
const TIMEOUT_MS = 10 * 60_000;

/** The database that `Maintenance` works on. */
export interface MaintenanceOptions extends TablePlace {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string;
}

/** What the command line does with the tables. Nothing connects before `open`. */
export class Maintenance {
  private readonly naming: TableNaming;
  private readonly entities: Entities;
  private readonly pool: ConnectionPool;
  private readonly database: Database;

  constructor({ url, ...place }: MaintenanceOptions) {
    assertPostgresUrl(url);
    this.naming = tableNaming(place);
    this.entities = entitiesOf(this.naming);
    this.pool = new ConnectionPool({
      responseTimeoutMs: TIMEOUT_MS,
      connect: () =>
        openOwnDataSource({
          url,
          poolSize: 2,
          statementTimeoutMs: TIMEOUT_MS,
          // A migration may build an index for longer than any time limit.
          responseTimeoutMs: null,
          entities: entityList(this.entities),
        }),
    });
    this.database = new Database(this.pool, tablesOf(this.naming), this.entities);
  }

  open(): Promise<void> {
    return translateErrors(() => this.pool.open());
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  migrations(): Promise<MigrationState> {
    return translateErrors(() => compareMigrations(this.pool.dataSource, this.naming));
  }

  /** Runs all missing migrations, or none if one fails. */
  migrate(report: ProgressReport): Promise<void> {
    return translateErrors(() => runMigrations(this.pool.dataSource, this.naming, report));
  }

  inspect(): Promise<Inspection> {
    return translateErrors(() => inspect(this.pool.dataSource, this.naming, this.entities));
  }

  settings(): SettingsStore {
    return new TypeormSettingsStore(this.database);
  }

  /** How many runs have hashes of what users typed, and when the first of them may be deleted. */
  async runs(): Promise<{ readonly count: number; readonly until: string | null }> {
    const [row] = await this.database.query<{ count: number; until: string | null }>(
      sql`select count(*)::integer as count, min(expires_at)::text as until from ${this.database.tables.runs}`,
    );
    return row ?? { count: 0, until: null };
  }

  /** Reads one snapshot of the database. Rows that are appended meanwhile are not checked. */
  verify(checks: VerificationChecks, listener: VerificationListener): Promise<VerificationReport> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(raw('set transaction isolation level repeatable read, read only'));
      return verifyAudit(transaction, this.database, checks, listener);
    });
  }

  newestCheckpoint(): Promise<Checkpoint | null> {
    return new TypeormTransparencyLog(this.database).newest();
  }

  reviews(): ReviewStore {
    return new TypeormReviewStore(this.database);
  }

  retention(): RetentionStore {
    return new TypeormRetentionStore(this.database);
  }
}
