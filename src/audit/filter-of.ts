import { AUDIT_FILTERS, type AuditFilter, type AuditQuery } from '#contracts/audit/filter.js';
import { ruleIdsOf } from '#engine/controls/screening/rules/built-in-rules.js';

/** The filter that a store applies: `all` is no filter, and the id of a group stands for its rules. */
export function filterOf(query: Partial<AuditQuery>): AuditFilter {
  const { control, rule_id, matched, ...others } = Object.fromEntries(
    AUDIT_FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  ) as Partial<AuditQuery>;
  return {
    ...others,
    ...(control !== undefined && control !== 'all' && { control }),
    ...(rule_id !== undefined && { rule_id: ruleIdsOf(rule_id) }),
    ...(matched !== undefined && { matched: ruleIdsOf(matched) }),
  };
}
