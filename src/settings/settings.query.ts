import type { PageRequest } from '../../libs/contracts/src/page.js';
import { readPage } from '../http/query/page-query.js';
import { present } from '../http/query/present.js';
import { filterText } from '../http/query/query-kinds.js';
import type { QueryReader } from '../http/query/query-reader.js';

export interface ChangesQuery {
  readonly filter: { readonly key?: string };
  readonly page: PageRequest;
}

export function readChangesQuery(query: QueryReader): ChangesQuery {
  return { filter: present({ key: query.read('key', filterText) }), page: readPage(query) };
}
