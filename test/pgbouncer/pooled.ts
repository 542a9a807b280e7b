/** The same database, by way of PgBouncer. */
export function pooled(url: string): string {
  const pooler = process.env.TEST_PGBOUNCER_URL;
  if (pooler === undefined) throw new Error('TEST_PGBOUNCER_URL is set by the set-up of these tests.');
  const by = new URL(url);
  by.host = new URL(pooler).host;
  return by.href;
}
