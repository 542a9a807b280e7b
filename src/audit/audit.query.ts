import type { AuditFilter } from '../../libs/contracts/src/audit.js';
import type { PageRequest } from '../../libs/contracts/src/page.js';
import { readPage } from '../http/query/page-query.js';
import { present } from '../http/query/present.js';
import { control, filterText, flag, outcome } from '../http/query/query-kinds.js';
import type { QueryReader } from '../http/query/query-reader.js';

export interface AuditQuery {
  readonly filter: AuditFilter;
  readonly page: PageRequest;
}

export function readAuditQuery(query: QueryReader): AuditQuery {
  return { filter: readAuditFilter(query), page: readPage(query) };
}

/** Prompts only, unless another control or `all` is asked for. */
export function readAuditFilter(query: QueryReader): AuditFilter {
  const shown = query.read('control', control) ?? 'input_screen';
  return present({
    control: shown === 'all' ? undefined : shown,
    blocked: query.read('blocked', flag),
    outcome: query.read('outcome', outcome),
    ruleId: query.read('rule_id', filterText),
    principalId: query.read('principal_id', filterText),
    application: query.read('application', filterText),
    q: query.read('q', filterText),
    ...query.readRange(),
  });
}
