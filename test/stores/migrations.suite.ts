import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ConfigurationError } from '#contracts/common/errors.js';
import { decision } from '#stores/contract/index.js';
import {
  guardrailsEntities,
  guardrailsMigrations,
  runGuardrailsMigrations,
  typeormStores,
  type TablePlace,
} from '#stores/typeorm/index.js';
import type { FreshDatabase } from '../servers/set-up.js';

export interface DatabaseServer {
  readonly type: 'postgres';
  /** Options that a host would set. */
  readonly hostOptions: object;
  bareDatabase(): Promise<FreshDatabase>;
  tableNames(url: string): Promise<readonly string[]>;
  /** Places of installations that share a database. */
  readonly places: readonly TablePlace[];
}

/** Gives each test an empty database, and a host that may have its own DataSource. */
export class Installation {
  private database: FreshDatabase | undefined;
  private opened: DataSource[] = [];

  constructor(private readonly server: DatabaseServer) {
    beforeEach(async () => {
      this.database = await server.bareDatabase();
    });
    afterEach(async () => {
      for (const dataSource of this.opened) if (dataSource.isInitialized) await dataSource.destroy();
      this.opened = [];
      await this.database?.drop();
    });
  }

  get url(): string {
    return this.database?.url ?? '';
  }

  /** A DataSource of a host, with the migrations of the package and those of the host. */
  host(parts: object = {}, place: TablePlace = {}): DataSource {
    const { hostOptions } = this.server;
    return this.foreignHost({
      ...hostOptions,
      entities: guardrailsEntities(place),
      migrations: [...guardrailsMigrations(place)],
      ...parts,
    });
  }

  /** A DataSource of a host without our entities. */
  foreignHost(parts: object = this.server.hostOptions): DataSource {
    const dataSource = new DataSource({ type: this.server.type, url: this.url, ...parts });
    this.opened.push(dataSource);
    return dataSource;
  }

  tableNames(): Promise<readonly string[]> {
    return this.server.tableNames(this.url);
  }

  /** Opens, uses and closes the stores. */
  async appendOne(place: TablePlace, migrate: boolean): Promise<number> {
    const stores = typeormStores({ url: this.url, migrate, ...place });
    await stores.open();
    try {
      return await stores.audit.append(decision());
    } finally {
      await stores.close();
    }
  }
}

/** Tests of the migrations. */
export function describeMigrations(server: DatabaseServer): Installation {
  const installation = new Installation(server);

  describe(`migrations on ${server.type}`, () => {
    it('run on request and can be repeated', async () => {
      expect(await installation.appendOne({}, true)).toBe(1);
      expect(await installation.appendOne({}, true)).toBe(2);
      expect(await installation.appendOne({}, false)).toBe(3);
    });

    it("run up, down and up again among a host's own", async () => {
      const host = await installation.host().initialize();
      await host.runMigrations();
      const tables = await installation.tableNames();
      expect(tables).toContain('guardrails_audit_evidence');
      expect(await installation.appendOne({}, false)).toBe(1);

      for (const _ of guardrailsMigrations()) await host.undoLastMigration();
      expect(await installation.tableNames()).toEqual(['migrations']);

      await host.runMigrations();
      expect(await installation.tableNames()).toEqual(tables);
      expect(await installation.appendOne({}, false)).toBe(1);
    });

    it('of a host with its own record are not run again', async () => {
      const host = await installation.host({ migrationsTableName: 'migrations' }).initialize();
      await host.runMigrations();
      const tables = await installation.tableNames();
      expect(await installation.appendOne({}, true)).toBe(1);
      expect(await installation.tableNames()).toEqual([...tables, 'guardrails_migrations'].toSorted());
    });

    it('that were run before the host had them are not run again, and can be undone', async () => {
      expect(await installation.appendOne({}, true)).toBe(1);
      const host = await installation.host().initialize();
      await host.runMigrations();
      expect(await installation.appendOne({}, true)).toBe(2);

      for (const _ of guardrailsMigrations()) await host.undoLastMigration();
      expect(await installation.tableNames()).toEqual(['guardrails_migrations', 'migrations']);
      expect(await installation.appendOne({}, true)).toBe(1);
    });

    it('create every table and column of the entities', async () => {
      const host = await installation.host().initialize();
      await runGuardrailsMigrations(host);
      for (const { tableName, columns } of host.entityMetadatas) {
        const names = columns.map(({ databaseName }) => host.driver.escape(databaseName)).join(', ');
        await expect(host.query(`select ${names} from ${tableName}`)).resolves.toEqual(expect.any(Array));
      }
    });

    it('can be run by several instances at the same time', async () => {
      const place = server.places.at(-1) ?? {};
      const ids = await Promise.all(Array.from({ length: 5 }, () => installation.appendOne(place, true)));
      expect(new Set(ids).size).toBe(5);
    });

    it('separate installations in one database', async () => {
      for (const place of server.places) expect(await installation.appendOne(place, true)).toBe(1);
      expect(await installation.tableNames()).toEqual(
        expect.arrayContaining(['guardrails_migrations', 'shop_migrations', 'shop_audit_evidence']),
      );
    });
  });

  describe(`opening without migrating on ${server.type}`, () => {
    it('refuses a database without our tables and names the functions that create them', async () => {
      const refused = installation.appendOne({}, false);
      await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
      await expect(refused).rejects.toThrow(
        /The database has no table of nest-guardrails \(guardrails_…\).*migrate: true/s,
      );
    });
  });

  describe(`a host's own DataSource on ${server.type}`, () => {
    it('is initialized if necessary, gets our entities, and stays open', async () => {
      const host = installation.foreignHost();
      const stores = typeormStores({ dataSource: host, migrate: true });
      expect(host.isInitialized).toBe(false);
      await stores.open();
      const id = await stores.audit.append(decision());
      expect(await stores.audit.find(id)).toMatchObject({ occurredAt: decision().evidence.occurredAt });
      await stores.close();
      expect(host.isInitialized).toBe(true);
    });
  });

  return installation;
}
