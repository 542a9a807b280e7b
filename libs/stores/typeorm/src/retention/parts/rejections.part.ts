import type { Parameters } from '../../parameters.js';
import { principalIs } from '../../audit/principal-condition.js';
import { changed, countOf, unlessFull, type RunPart, type RunWork } from '../run-work.js';

/** Deleted by either strategy: their violations carry names that a model has chosen. The evidence of the refusal stays. */
export const rejectionsPart: RunPart = {
  count(work) {
    return countOf(
      work,
      (parameters) =>
        `select count(*) as count from ${work.tables.rejections} where ${inScope(work, parameters)}`,
    );
  },

  async step(work, _cursor, limit) {
    const { rejections } = work.tables;
    const touched = await changed(
      work,
      (parameters) => `delete from ${rejections} where evidence_id in (select evidence_id from (
        select evidence_id from ${rejections} where ${inScope(work, parameters)} limit ${parameters.add(limit)}) chunk)`,
    );
    return unlessFull(touched, limit);
  },
};

function inScope({ scope, tables }: RunWork, parameters: Parameters): string {
  switch (scope.kind) {
    case 'entry':
      return `evidence_id = ${parameters.add(scope.id)}`;
    case 'principal':
      return principalIs('principal_ref', scope.principalId, tables, parameters);
    case 'before':
      return `occurred_at < ${parameters.time(scope.before)}`;
  }
  return scope satisfies never;
}
