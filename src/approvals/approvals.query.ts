import type { PageRequest } from '../../libs/contracts/src/page.js';
import { readPage } from '../http/query/page-query.js';
import type { QueryReader } from '../http/query/query-reader.js';

/** Operators decide what waits: by default they see as much of it as one page can hold. */
export function readApprovalsPage(query: QueryReader): PageRequest {
  return readPage(query, 200);
}
