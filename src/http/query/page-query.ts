import type { PageRequest } from '../../../libs/contracts/src/page.js';
import { pageSize, positiveId } from './query-kinds.js';
import type { QueryReader } from './query-reader.js';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 200;

/** `cursor` and `limit` of a list. */
export function readPage(query: QueryReader, defaultLimit = DEFAULT_LIMIT): PageRequest {
  const cursor = query.read('cursor', positiveId);
  const limit = query.read('limit', pageSize(LARGEST_LIMIT)) ?? defaultLimit;
  return cursor === undefined ? { limit } : { cursor, limit };
}
