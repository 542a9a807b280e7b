import type { RejectionFilter } from '../../libs/contracts/src/firewall.js';
import type { PageRequest } from '../../libs/contracts/src/page.js';
import { readPage } from '../http/query/page-query.js';
import { present } from '../http/query/present.js';
import { filterText } from '../http/query/query-kinds.js';
import type { QueryReader } from '../http/query/query-reader.js';

export interface FirewallQuery {
  readonly filter: RejectionFilter;
  readonly page: PageRequest;
}

export function readFirewallQuery(query: QueryReader): FirewallQuery {
  const filter = present({
    principalId: query.read('principal_id', filterText),
    application: query.read('application', filterText),
    tool: query.read('tool', filterText),
    q: query.read('q', filterText),
    ...query.readRange(),
  });
  return { filter, page: readPage(query) };
}
