import { approvalTables } from '../approvals/approvals.tables.js';
import { auditTables } from '../audit/audit.tables.js';
import { rollupTables } from '../audit/rollup.tables.js';
import type { Dialect } from '../dialects/dialect.js';
import { firewallTables } from '../firewall/firewall.tables.js';
import { outboxTables } from '../outbox/outbox.tables.js';
import { outputTables } from '../output/output.tables.js';
import { retentionTables } from '../retention/retention.tables.js';
import { settingsTables } from '../settings/settings.tables.js';
import type { TableNaming } from '../tables.js';

/** The tables as they were first made, in an order in which each finds those it refers to. */
export function tableStatements(dialect: Dialect, naming: TableNaming): readonly string[] {
  return [
    retentionTables,
    auditTables,
    rollupTables,
    firewallTables,
    outputTables,
    approvalTables,
    settingsTables,
    outboxTables,
  ]
    .flatMap((tables) => tables(dialect, naming))
    .filter((statement) => statement !== '');
}
