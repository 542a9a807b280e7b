import type { AuditFilter } from '../../../../contracts/src/audit.js';
import type { Outcome } from '../../../../contracts/src/control-mode.js';
import type { Dialect } from '../dialects/dialect.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import { principalIs } from './principal-condition.js';

/** Written out, because an index over blocked or observed rows serves only a statement that names the outcome. */
const OUTCOME: Readonly<Record<Outcome, string>> = {
  allowed: `e.outcome = 'allowed'`,
  observed: `e.outcome = 'observed'`,
  blocked: `e.outcome = 'blocked'`,
};

/** What a filter asks of `e`, the evidence, and of `c`, its content. */
export function auditConditions(
  dialect: Dialect,
  tables: Tables,
  filter: AuditFilter,
  parameters: Parameters,
): string[] {
  const { control, blocked, outcome, ruleId, principalId, application, q, from, to } = filter;
  return [
    ...(control === undefined ? [] : [`e.control = ${parameters.add(control)}`]),
    ...(blocked === undefined ? [] : [blocked ? OUTCOME.blocked : `e.outcome <> 'blocked'`]),
    ...(outcome === undefined ? [] : [OUTCOME[outcome]]),
    ...(ruleId === undefined ? [] : [`e.rule_id = ${parameters.text(ruleId)}`]),
    ...(principalId === undefined ? [] : [principalIs('e.principal_ref', principalId, tables, parameters)]),
    ...(application === undefined ? [] : [`e.application = ${parameters.text(application)}`]),
    ...(q === undefined ? [] : [dialect.contains('c.prompt', `${parameters.text(q)}::text`)]),
    ...(from === undefined ? [] : [`e.occurred_at >= ${parameters.time(from)}`]),
    ...(to === undefined ? [] : [`e.occurred_at <= ${parameters.time(to)}`]),
  ];
}
