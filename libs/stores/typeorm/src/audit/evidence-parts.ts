import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import type { Batch } from './batch.js';
import { CONTENT_COLUMNS, EVIDENCE_COLUMNS, type EvidenceColumn } from './evidence-columns.js';
import { PRINCIPAL_ID, principalPlaces } from './principal-parts.js';

const namesOf = (columns: readonly EvidenceColumn[], before = ''): string =>
  columns.map(([name]) => `${before}${name}`).join(', ');

const EVIDENCE = { names: namesOf(EVIDENCE_COLUMNS), given: namesOf(EVIDENCE_COLUMNS, 'given.') };
const CONTENT = { names: namesOf(CONTENT_COLUMNS), given: namesOf(CONTENT_COLUMNS, 'given.') };

/** The id of evidence, in a part that stands behind `ids` and whose rows know their `place` in the batch. */
export const EVIDENCE_ID = '(select list from ids)[given.place]';

/** `evidence`: the new rows' id and sequence; `ids`: the ids in the order of the batch; and the content that hangs on them. */
export function evidenceParts(tables: Tables, batch: Batch, parameters: Parameters): readonly string[] {
  const { writer, rows } = batch;
  const lists = (columns: readonly EvidenceColumn[]): (readonly [string, readonly unknown[]])[] =>
    columns.map(([, type, of]) => [type, rows.map(of)]);
  const principals = principalPlaces(
    batch,
    rows.map(({ principal }) => principal),
  );
  const places = rows.map((_, index) => index + 1);
  return [
    `evidence as (
      insert into ${tables.evidence} (writer, principal_ref, ${EVIDENCE.names})
      select ${parameters.add(writer)}::uuid, ${PRINCIPAL_ID}, ${EVIDENCE.given}
      from unnest(${parameters.lists([['integer', principals], ...lists(EVIDENCE_COLUMNS)])})
        as given (principal, ${EVIDENCE.names})
      order by given.sequence
      returning id, sequence)`,
    `ids as (select array_agg(id order by sequence) as list from evidence)`,
    `content as (
      insert into ${tables.content} (evidence_id, ${CONTENT.names})
      select ${EVIDENCE_ID}, ${CONTENT.given}
      from unnest(${parameters.lists([['integer', places], ...lists(CONTENT_COLUMNS)])})
        as given (place, ${CONTENT.names}))`,
  ];
}
