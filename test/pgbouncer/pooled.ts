import { throughServer } from '../servers/set-up.js';

/** The same database, by way of PgBouncer. */
export const pooled = (url: string): string => throughServer(url, 'TEST_PGBOUNCER_URL');
