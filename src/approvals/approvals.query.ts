import { APPROVAL_STATUSES } from '../../libs/contracts/src/approvals.js';
import type { ApprovalFilter } from '../../libs/contracts/src/approvals.store.js';
import type { PageRequest } from '../../libs/contracts/src/page.js';
import { readPage } from '../http/query/page-query.js';
import { present } from '../http/query/present.js';
import { choice, filterText } from '../http/query/query-kinds.js';
import type { QueryReader } from '../http/query/query-reader.js';

/** Operators decide what waits: by default they see as much of it as one page can hold. */
export function readApprovalsPage(query: QueryReader): PageRequest {
  return readPage(query, 200);
}

export interface HistoryQuery {
  readonly filter: ApprovalFilter;
  readonly page: PageRequest;
}

export function readHistoryQuery(query: QueryReader): HistoryQuery {
  const filter = present({
    status: query.read('status', choice(APPROVAL_STATUSES)),
    tool: query.read('tool', filterText),
    actor: query.read('actor', filterText),
  });
  return { filter, page: readPage(query) };
}
