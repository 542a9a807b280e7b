import { perform, rowsOf } from '../rows.js';
import { tableName, tablesOf, type TableNaming, type TableWord } from '../tables.js';
import { APPROVED, DECISION, FORWARD } from './decided-once.js';
import type { Dialect } from './dialect.js';

const RECORD = ['id', 'actor_id', 'strategy', 'scope', 'counts', 'started_at', 'finished_at'];

/**
 * The triggers of PostgreSQL, as far as they go here: a session acts for a retention run by the lease of one that is
 * not finished. TRUNCATE passes by every trigger: only a role without the right to DROP is kept from it.
 */
export const guards: Pick<
  Dialect,
  'appendOnly' | 'recordOnce' | 'decidedOnce' | 'actForRetention' | 'waitForAppends' | 'dropGuards'
> = {
  appendOnly: (naming, word) => [
    trigger(naming, word, 'update', 'is append-only', 'false'),
    trigger(naming, word, 'delete', 'is append-only', recorded(naming)),
  ],

  recordOnce: (naming, word) => [
    trigger(naming, word, 'update', 'is kept for ever', `old.finished_at is null or ${sameIn(RECORD)}`),
    trigger(naming, word, 'delete', 'is kept for ever', 'false'),
  ],

  decidedOnce: (naming, word) => [
    trigger(
      naming,
      word,
      'update',
      'keeps what was decided',
      `${FORWARD} and (old.decision is null or (${sameIn(DECISION)} and (${recorded(naming)} or ${sameIn(APPROVED)})))`,
    ),
    trigger(naming, word, 'delete', 'keeps what was decided', recorded(naming)),
  ],

  async actForRetention(manager, runs, runId) {
    await perform(manager, `set @guardrails_retention = (select lease from ${runs} where id = $1)`, [runId]);
  },

  async waitForAppends(manager, { retentionState }) {
    await rowsOf(manager, `select id from ${retentionState} for update`);
  },

  // They go with their tables.
  dropGuards: () => [],
};

/** Whether this session acts for a run that is under way. */
function recorded(naming: TableNaming): string {
  const { retentionRuns } = tablesOf(naming);
  return `exists (select 1 from ${retentionRuns} where lease = @guardrails_retention and finished_at is null)`;
}

function trigger(
  naming: TableNaming,
  word: TableWord,
  verb: 'update' | 'delete',
  why: string,
  unless: string,
): string {
  const name = tableName(naming, word);
  return `create trigger "${name}_no_${verb}" before ${verb} on ${tablesOf(naming)[word]} for each row
    if not (${unless}) then
      signal sqlstate '42000' set message_text = '${name} ${why}: ${verb.toUpperCase()} is refused';
    end if`;
}

const sameIn = (columns: readonly string[]): string =>
  `(${columns.map((column) => `old.${column} <=> new.${column}`).join(' and ')})`;
