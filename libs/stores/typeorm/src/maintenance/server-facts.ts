import type { DataSource } from 'typeorm';
import type { ServerFacts } from './inspection.js';

interface ServerRow {
  readonly version: string;
  readonly version_number: number;
  readonly encoding: string;
  readonly read_only: boolean;
  readonly role: string;
  readonly superuser: boolean;
  readonly milliseconds: string;
}

export async function serverFacts(dataSource: DataSource): Promise<ServerFacts> {
  const asked = Date.now();
  const [row] = await dataSource.query<ServerRow[]>(`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as version_number,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only,
      current_user::text as role,
      (select rolsuper from pg_roles where rolname = current_user) as superuser,
      extract(epoch from clock_timestamp()) * 1000 as milliseconds`);
  const answered = Date.now();
  if (row === undefined) throw new Error('The database answers nothing about itself.');
  return {
    version: row.version,
    versionNumber: row.version_number,
    encoding: row.encoding,
    readOnly: row.read_only,
    role: row.role,
    superuser: row.superuser,
    clockSkewMs: Math.round(Number(row.milliseconds) - (asked + answered) / 2),
    clockErrorMs: Math.ceil((answered - asked) / 2),
  };
}
