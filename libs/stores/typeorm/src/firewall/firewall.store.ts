import { FirewallStore, type Rejection, type RejectionFilter } from '../../../../contracts/src/firewall.js';
import type { Page, PageRequest } from '../../../../contracts/src/page.js';
import { boundedBy } from '../audit/id-bounds.js';
import { principalIs } from '../audit/principal-condition.js';
import type { Database } from '../database.js';
import { jsonOf } from '../json-text.js';
import { pageOf, whereAll } from '../pages.js';
import { Parameters } from '../parameters.js';

interface RejectionListRow {
  readonly id: string;
  readonly tool: string;
  readonly principal_id: string | null;
  readonly application: string | null;
  readonly violations: string;
  readonly violation_count: number;
  /** MariaDB has 0 and 1. */
  readonly enforced: boolean | number;
  readonly occurred_at: Date;
}

export class TypeormFirewallStore extends FirewallStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async list(filter: RejectionFilter, page: PageRequest): Promise<Page<Rejection>> {
    const { tables } = this.database;
    const parameters = new Parameters();
    const conditions = this.conditions(filter, page, parameters);
    const rows = await this.database.laggingRows<RejectionListRow>(
      `select r.evidence_id as id, r.tool, p.name as principal_id, r.application, r.violations, r.violation_count, r.enforced,
         r.occurred_at
       from ${tables.rejections} r left join ${tables.principals} p on p.id = r.principal_ref
       ${whereAll(conditions)} order by r.evidence_id desc limit ${parameters.add(page.limit + 1)}`,
      parameters.values,
    );
    return pageOf(rows.map(rejection), page);
  }

  private conditions(filter: RejectionFilter, { cursor }: PageRequest, parameters: Parameters): string[] {
    const { principalId, application, tool, q, from, to } = filter;
    const { dialect, tables } = this.database;
    return [
      ...(principalId === undefined ? [] : [principalIs('r.principal_ref', principalId, tables, parameters)]),
      ...(application === undefined
        ? []
        : [dialect.isText('r.application', parameters.text(application), application)]),
      ...(tool === undefined ? [] : [dialect.isText('r.tool', parameters.text(tool), tool)]),
      ...(q === undefined ? [] : [dialect.contains('r.tool', `${parameters.text(q)}::text`)]),
      ...boundedBy({ from, to }, { id: 'r.evidence_id', time: 'r.occurred_at' }, tables, parameters),
      ...(cursor === undefined ? [] : [`r.evidence_id < ${parameters.add(cursor)}`]),
    ];
  }
}

function rejection(row: RejectionListRow): Rejection {
  return {
    id: Number(row.id),
    tool: row.tool,
    principalId: row.principal_id,
    application: row.application,
    violations: jsonOf(row.violations) as Rejection['violations'],
    violationCount: row.violation_count,
    enforced: Boolean(row.enforced),
    occurredAt: row.occurred_at,
  };
}
