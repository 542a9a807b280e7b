import type { AuditFilter } from '#contracts/audit/filter.js';
import type { RecordedText } from '#contracts/audit/record.js';
import { sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import { filteredRows, type IdRange } from './audit-list.js';

/** Code points of text in one page. */
const MAX_CODE_POINTS = 2_000_000;

export interface TextSize {
  readonly id: number;
  readonly promptLength: number;
}

/** The sizes are read before the texts, so that long texts do not fill the memory. */
export function textSizesQuery(
  tables: Tables,
  filter: AuditFilter,
  ids: IdRange,
  limit: number,
  usesTrigrams: boolean,
): Sql {
  return sql`select e.id, e.prompt_length as "promptLength"
    from ${filteredRows(tables, filter, ids, usesTrigrams)}
    order by e.id desc limit ${limit}`;
}

/** The first of these texts, which fit into a page together; at least one. */
export function firstTexts(sizes: readonly TextSize[]): readonly TextSize[] {
  let total = 0;
  const tooMany = sizes.findIndex(({ promptLength }, index) => {
    total += promptLength;
    return index > 0 && total > MAX_CODE_POINTS;
  });
  return tooMany === -1 ? sizes : sizes.slice(0, tooMany);
}

/** A row as the driver returns it. */
export interface RecordedTextRow extends Omit<RecordedText, 'matchedRules' | 'erroredRuleIds'> {
  readonly matchedRules: string;
  readonly erroredRuleIds: string;
}

export function recordedTextsQuery({ evidence, content }: Tables, ids: readonly number[]): Sql {
  return sql`select e.id, e.occurred_at as "occurredAt", e.origin, e.application, e.outcome, e.rule_id as "ruleId",
      e.matched_rules as "matchedRules", e.errored_rule_ids as "erroredRuleIds", e.rendering,
      c.storage, c.prompt, c.alteration
    from ${evidence} e join ${content} c on c.evidence_id = e.id
    where e.id = any(${ids}::bigint[]) order by e.id desc`;
}

export function recordedText({ matchedRules, erroredRuleIds, ...row }: RecordedTextRow): RecordedText {
  return {
    ...row,
    matchedRules: JSON.parse(matchedRules) as RecordedText['matchedRules'],
    erroredRuleIds: JSON.parse(erroredRuleIds) as RecordedText['erroredRuleIds'],
  };
}
