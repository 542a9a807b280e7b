import type { AuditFilter } from '../../../../contracts/src/audit.js';
import type { Outcome } from '../../../../contracts/src/control-mode.js';
import type { Dialect } from '../dialects/dialect.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import { boundedBy } from './id-bounds.js';
import { principalIs } from './principal-condition.js';

/** What rows and folded counts both know of a decision. */
export type LineFilter = Pick<AuditFilter, 'control' | 'blocked' | 'outcome' | 'ruleId' | 'application'>;

/** What a filter asks of `e`, the evidence; its text is looked for elsewhere. */
export function auditConditions(
  { isText }: Dialect,
  tables: Tables,
  filter: Omit<AuditFilter, 'q'>,
  parameters: Parameters,
): string[] {
  const { principalId } = filter;
  return [
    ...lineConditions(filter, parameters, 'e.', isText),
    ...(principalId === undefined ? [] : [principalIs('e.principal_ref', principalId, tables, parameters)]),
    ...boundedBy(filter, { id: 'e.id', time: 'e.occurred_at' }, tables, parameters),
  ];
}

export function lineConditions(
  { control, blocked, outcome, ruleId, application }: LineFilter,
  parameters: Parameters,
  of = '',
  isText: Dialect['isText'] = (column, placeholder) => `${column} = ${placeholder}`,
): string[] {
  // Written out, because an index over blocked or observed rows serves only a statement that names the outcome.
  const outcomeIs: Readonly<Record<Outcome, string>> = {
    allowed: `${of}outcome = 'allowed'`,
    observed: `${of}outcome = 'observed'`,
    blocked: `${of}outcome = 'blocked'`,
  };
  return [
    ...(control === undefined ? [] : [`${of}control = ${parameters.add(control)}`]),
    ...(blocked === undefined ? [] : [blocked ? outcomeIs.blocked : `${of}outcome <> 'blocked'`]),
    ...(outcome === undefined ? [] : [outcomeIs[outcome]]),
    ...(ruleId === undefined ? [] : [isText(`${of}rule_id`, parameters.text(ruleId), ruleId)]),
    ...(application === undefined
      ? []
      : [isText(`${of}application`, parameters.text(application), application)]),
  ];
}
