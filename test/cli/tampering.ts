import type { Client } from 'pg';
import { EVIDENCE_COLUMNS, rowHashOf } from '#stores/typeorm/database/entry-columns.js';
import { onServer, type FreshDatabase } from '../postgres/database.js';

/** Bypasses the triggers, as only a superuser can. */
export function tamper({ url }: FreshDatabase, ...statements: readonly string[]): Promise<void> {
  return onServer(async (server: Client) => {
    await server.query('set session_replication_role = replica');
    for (const statement of statements) await server.query(statement);
  }, url);
}

/** Changes an entry as a superuser who also recomputes its hash. */
export async function rewrite(
  database: FreshDatabase,
  id: number,
  change = 'duration_us = duration_us + 1',
): Promise<void> {
  await tamper(database, `update guardrails_audit_evidence set ${change} where id = ${id}`);
  const [row = {}] = await onServer(async (server: Client) => {
    const found = await server.query<Record<string, unknown>>(
      `select * from guardrails_audit_evidence where id = ${id}`,
    );
    return found.rows;
  }, database.url);
  const values = EVIDENCE_COLUMNS.map(([name, type]) =>
    type === 'bigint' && row[name] !== null ? Number(row[name]) : row[name],
  );
  const hash = rowHashOf(String(row['writer']), Number(row['sequence']), values).toString('hex');
  await tamper(database, `update guardrails_audit_evidence set row_hash = '\\x${hash}' where id = ${id}`);
}

/** Empties the log, so that the next extension builds a new one. */
export const EMPTY_LOG: readonly string[] = [
  'delete from guardrails_log_leaves',
  'delete from guardrails_log_writers',
  'delete from guardrails_log_checkpoints',
  `update guardrails_log_state set size = 0, through_id = 0, frontier = ''`,
];
