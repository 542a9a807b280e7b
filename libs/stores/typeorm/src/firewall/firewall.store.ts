import { FirewallStore, type Rejection, type RejectionFilter } from '../../../../contracts/src/firewall.js';
import type { Page, PageRequest } from '../../../../contracts/src/page.js';
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
  readonly enforced: boolean;
  readonly occurred_at: Date;
}

export class TypeormFirewallStore extends FirewallStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async list(filter: RejectionFilter, page: PageRequest): Promise<Page<Rejection>> {
    const parameters = new Parameters();
    const conditions = this.conditions(filter, page, parameters);
    const rows = await this.database.rows<RejectionListRow>(
      `select id, tool, principal_id, application, violations, violation_count, enforced, occurred_at
       from ${this.database.tables.rejections} ${whereAll(conditions)}
       order by id desc limit ${parameters.add(page.limit + 1)}`,
      parameters.values,
    );
    return pageOf(rows.map(rejection), page);
  }

  private conditions(filter: RejectionFilter, { cursor }: PageRequest, parameters: Parameters): string[] {
    const { principalId, application, tool, q, from, to } = filter;
    return [
      ...(principalId === undefined ? [] : [`principal_id = ${parameters.text(principalId)}`]),
      ...(application === undefined ? [] : [`application = ${parameters.text(application)}`]),
      ...(tool === undefined ? [] : [`tool = ${parameters.text(tool)}`]),
      ...(q === undefined ? [] : [this.database.dialect.contains('tool', `${parameters.text(q)}::text`)]),
      ...(from === undefined ? [] : [`occurred_at >= ${parameters.time(from)}`]),
      ...(to === undefined ? [] : [`occurred_at <= ${parameters.time(to)}`]),
      ...(cursor === undefined ? [] : [`id < ${parameters.add(cursor)}`]),
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
    enforced: row.enforced,
    occurredAt: row.occurred_at,
  };
}
