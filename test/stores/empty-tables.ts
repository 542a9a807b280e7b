import type { FreshDatabase } from '../servers/set-up.js';

export const TABLES = [
  // First, as an open store moves its rows into the other counts at any time.
  'audit_new_counts',
  'outbox_deliveries',
  'outbox',
  'output_counts',
  'output_sums',
  'firewall_rejections',
  'rule_hits',
  'audit_daily',
  'audit_hourly',
  'audit_fine_counts',
  'audit_id_ranges',
  'audit_reviews',
  'audit_content',
  'audit_writers',
  'audit_evidence',
  'principals',
  'approval_votes',
  'approvals',
  'budget_reservations',
  'budget_hours',
  'budgets',
  'runs',
  'run_queue',
  'run_rows',
  'setting_changes',
  'settings',
  'retention_runs',
  'holds',
  'removed_hours',
  'removed_ranges',
  'log_leaves',
  'log_writers',
  'log_checkpoints',
];

/**
 * Restores the state of an unused database. Deleting a few rows is ten times faster than truncating empty tables. Only
 * a superuser may disable the triggers that refuse it.
 */
export const EMPTY_TABLES = [
  'set session_replication_role = replica;',
  ...TABLES.map((table) => `delete from guardrails_${table};`),
  'update guardrails_settings_revision set revision = 0, mac = null;',
  "update guardrails_log_state set size = 0, through_id = 0, frontier = '';",
  'update guardrails_outbox_sequence set last_sequence = 0;',
  'update guardrails_retention_lock set anonymized_through = 0, holds_released = 0, minimum_days = 0, mac = null;',
  'set session_replication_role = default;',
].join('\n');

export const emptyTables = (database: FreshDatabase): Promise<void> => database.run(EMPTY_TABLES);
