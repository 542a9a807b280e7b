import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Dialect } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';
import { tableStatements } from './tables.statements.js';

/** TypeORM orders migrations by the thirteen digits at the end of their names. */
const NAME = 'guardrails_tables1773100800000';

/** The first tables of all stores. */
export class TablesMigration implements MigrationInterface {
  readonly name: string;

  constructor(
    private readonly dialect: Dialect,
    private readonly naming: TableNaming,
  ) {
    this.name = `${naming.tablePrefix}${NAME}`;
  }

  async up(runner: QueryRunner): Promise<void> {
    const { dialect, naming } = this;
    if (naming.schema !== undefined) await dialect.ensureSchema(runner, naming.schema);
    for (const statement of tableStatements(dialect, naming)) await dialect.define(runner, statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = tablesOf(this.naming);
    const inOrder = [
      tables.deliveries,
      tables.outboxState,
      tables.outbox,
      tables.outputHourly,
      tables.outputCounts,
      tables.rejections,
      tables.ruleHits,
      tables.rulesets,
      tables.dailyTotals,
      tables.daily,
      tables.hourly,
      tables.hours,
      tables.writers,
      tables.content,
      tables.evidence,
      tables.principals,
      tables.approvals,
      tables.settingChanges,
      tables.settings,
      tables.settingsState,
      tables.retentionGaps,
      tables.retentionHours,
      tables.retentionState,
      tables.retentionRuns,
    ];
    const { dialect, naming } = this;
    for (const table of inOrder) await dialect.define(runner, `drop table ${table}`);
    for (const statement of dialect.dropGuards(naming)) await dialect.define(runner, statement);
  }
}
