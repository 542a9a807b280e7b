import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { TypeormStoresOptions } from './database/options.js';
import { guardrailsEntities, guardrailsMigrations, typeormStores } from './typeorm-stores.js';

const NOWHERE = 'postgres://ops:none@127.0.0.1:1/none';

const refused = (options: Partial<TypeormStoresOptions>): string => {
  try {
    typeormStores({ url: NOWHERE, ...options } as TypeormStoresOptions);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
  return '';
};

describe('typeormStores', () => {
  it('creates every store without connecting', async () => {
    const stores = typeormStores({ url: NOWHERE });
    const { audit, firewall, output, approvals, settings, overview, outbox } = stores;
    expect([audit, firewall, output, approvals, settings, overview, outbox]).not.toContain(undefined);
    await stores.close();
  });

  it.each(['', 'Guard_', '1guard_', 'guard-', 'g"; drop table x; --', 'g'.repeat(31)])(
    'refuses the table prefix %j',
    (tablePrefix) => {
      expect(refused({ tablePrefix })).toMatch(/tablePrefix must match/);
    },
  );

  it.each(['', 'Public', 'a b', 'public"', 's'.repeat(64)])('refuses the schema %j', (schema) => {
    expect(refused({ schema })).toMatch(/schema must match/);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a time-out and a pool of %s', (value) => {
    expect(refused({ statementTimeoutMs: value })).toMatch(/statementTimeoutMs must be/);
    expect(refused({ poolSize: value })).toMatch(/poolSize must be/);
  });

  it.each(['mysql', 'mariadb'])('refuses a %s: URL and names the supported databases', (scheme) => {
    const url = `${scheme}://ops:none@127.0.0.1:1/none`;
    expect(refused({ url })).toMatch(/MySQL and MariaDB are not supported.*PostgreSQL/);
  });

  it('refuses an undefined url and names DATABASE_URL', () => {
    expect(refused({ url: undefined })).toMatch(/DATABASE_URL/);
  });

  it('refuses a DataSource of another database type', () => {
    const dataSource = { options: { type: 'mssql' } } as unknown as DataSource;
    expect(refused({ url: undefined, dataSource })).toMatch(/type mssql/);
  });
});

describe('guardrailsEntities and guardrailsMigrations', () => {
  it('have names with the table prefix, so two installations can share a DataSource', () => {
    const names = [...guardrailsEntities(), ...guardrailsEntities({ tablePrefix: 'shop_' })].map(
      ({ options }) => options.name,
    );
    expect(new Set(names).size).toBe(names.length);
    const migrations = [...guardrailsMigrations(), ...guardrailsMigrations({ tablePrefix: 'shop_' })];
    expect(new Set(migrations.map((Migration) => new Migration().name)).size).toBe(migrations.length);
  });
});
