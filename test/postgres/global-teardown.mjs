import { Client } from 'pg';

export default async function globalTeardown() {
  if (globalThis.testPostgres) await globalThis.testPostgres.stop();
  else await dropDatabasesOfThisRun();
}

/** Deletes the databases of the run on a server that the run did not start. */
async function dropDatabasesOfThisRun() {
  const client = new Client(process.env.TEST_PG_URL);
  await client.connect();
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
    `${process.env.TEST_PG_RUN}_`,
  ]);
  for (const { datname } of rows) {
    await client.query(`drop database if exists ${client.escapeIdentifier(datname)} with (force)`);
  }
  await client.end();
}
