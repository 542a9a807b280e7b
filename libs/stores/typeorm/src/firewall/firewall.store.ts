import { FirewallStore, type Rejection, type RejectionFilter } from '#contracts/firewall/firewall.js';
import type { PageRequest } from '#contracts/common/page.js';
import { scrubText } from '#contracts/common/text.js';
import type { Database } from '../database/database.js';
import {
  contains,
  pageOf,
  principalEquals,
  textEquals,
  withinPage,
  withinTimes,
} from '../database/list-filters.js';
import { sql, where, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';

type RejectionRow = Omit<Rejection, 'violations' | 'occurred_at'> & {
  readonly violations: string;
  readonly occurred_at: Date;
};

export class TypeormFirewallStore extends FirewallStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async list(filter: RejectionFilter, page: PageRequest) {
    const conditions = rejectionConditions(this.database.tables, filter, page);
    return pageOf(await this.read(conditions, page.limit + 1), page);
  }

  override async find(id: number) {
    const [found] = await this.read([sql`r.evidence_id = ${id}`], 1);
    return found ?? null;
  }

  private async read(conditions: readonly Sql[], limit: number): Promise<readonly Rejection[]> {
    const { tables } = this.database;
    const rows = await this.database.read<RejectionRow>(
      sql`select r.evidence_id as id, r.tool, p.name as principal_id, r.application, r.violations,
          r.violation_count, r.enforced, r.occurred_at
        from ${tables.rejections} r left join ${tables.principals} p on p.id = r.principal_ref
        ${where(conditions)}
        order by r.evidence_id desc limit ${limit}`,
    );
    return rows.map((row) => ({
      ...row,
      violations: JSON.parse(row.violations) as Rejection['violations'],
      occurred_at: row.occurred_at.toISOString(),
    }));
  }
}

function rejectionConditions(
  tables: Tables,
  { principal_id: principal, application, tool, q, reason, from, to }: RejectionFilter,
  page: PageRequest,
): readonly Sql[] {
  return [
    ...(principal === undefined ? [] : [principalEquals('r.principal_ref', principal, tables)]),
    ...(application === undefined ? [] : [textEquals('r.application', application)]),
    ...(tool === undefined ? [] : [textEquals('r.tool', tool)]),
    ...(q === undefined ? [] : [contains('r.tool', q)]),
    ...(reason === undefined ? [] : [hasReason(reason)]),
    ...withinTimes({ from, to }, { id: 'r.evidence_id', time: 'r.occurred_at' }, tables),
    ...withinPage('r.evidence_id', page),
  ];
}

/** Violations are stored as JSON of names to reasons, in which an unescaped `":"` stands between the two only. */
function hasReason(reason: string) {
  const value = `":${JSON.stringify(scrubText(reason))}`;
  const [isInside, isLast] = [`${value},"`, `${value}}`].map(
    (part) => sql`position(${part}::text in r.violations) > 0`,
  ) as [Sql, Sql];
  return sql`(${isInside} or ${isLast})`;
}
