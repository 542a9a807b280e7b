import type { Parameters } from '../../parameters.js';
import { principalIs } from '../../audit/principal-condition.js';
import { changed, countOf, type RunPart, type RunWork } from '../run-work.js';
import { nextChunk } from './evidence-chunk.js';
import { removeEvidence } from './remove-evidence.js';

/** Contents, which are erased; or evidence with all that hangs on it, which is deleted. */
export const entriesPart: RunPart = {
  count(work) {
    const { tables, strategy } = work;
    return countOf(work, (parameters) =>
      strategy === 'purge'
        ? `select count(*) as count from ${tables.evidence} e where ${inScope(work, parameters)}`
        : `select count(*) as count from ${tables.evidence} e join ${tables.content} c on c.evidence_id = e.id
           where c.storage <> 'erased' and ${inScope(work, parameters)}`,
    );
  },

  async step(work, cursor, limit) {
    const chunk = await nextChunk(work, cursor, limit);
    const touched =
      work.strategy === 'purge'
        ? await removeEvidence(work, chunk.rows)
        : await eraseContents(
            work,
            chunk.rows.map(({ id }) => id),
          );
    return { touched, cursor: chunk.cursor };
  },
};

/** The salt goes with the text: without it nothing opens the commitments. */
export function eraseContents(work: RunWork, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return Promise.resolve(0);
  return changed(
    work,
    (parameters) => `update ${work.tables.content}
      set storage = 'erased', prompt = '', matched_text = null, salt = null,
        matched_span_start = null, matched_span_end = null
      where evidence_id = any(${parameters.add(ids)}::bigint[]) and storage <> 'erased'`,
  );
}

function inScope({ scope, tables }: RunWork, parameters: Parameters): string {
  switch (scope.kind) {
    case 'entry':
      return `e.id = ${parameters.add(scope.id)}`;
    case 'principal':
      return principalIs('e.principal_ref', scope.principalId, tables, parameters);
    case 'before':
      return `e.occurred_at < ${parameters.time(scope.before)}`;
  }
  return scope satisfies never;
}
