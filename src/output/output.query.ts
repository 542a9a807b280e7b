import type { QueryReader } from '../http/query/query-reader.js';

export interface OutputQuery {
  readonly from?: Date;
  readonly to?: Date;
}

export function readOutputQuery(query: QueryReader): OutputQuery {
  return query.readRange();
}
