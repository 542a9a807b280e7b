import { outgoingParts } from '../outbox/outgoing-insert.js';
import { outputCountParts } from '../output/output-count-parts.js';
import { rejectionParts } from '../firewall/rejection-parts.js';
import { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import type { Batch } from './batch.js';
import { evidenceParts } from './evidence-parts.js';
import { principalParts } from './principal-parts.js';
import { hoursPart, rollupParts } from './rollup-parts.js';
import { writerPart } from './writer-parts.js';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A batch as one statement of PostgreSQL: one round trip, and one commit where there is no transaction around it. It
 * answers the ids in the order of the rows; `marked`: unless the writer has ended. Parts that nobody reads from run from the last to the first, so the folded
 * counts stand in front: the rows that every batch changes are held the shortest.
 */
export function batchStatement(
  tables: Tables,
  batch: Batch,
  { marked }: { readonly marked: boolean },
): Statement {
  const parameters = new Parameters();
  const outgoing = batch.rows.flatMap(({ sequence, outgoing: events }) =>
    events.map((event) => ({ event, place: sequence })),
  );
  const parts = [
    ...rollupParts(tables, batch, parameters),
    ...principalParts(tables, batch, parameters),
    ...evidenceParts(tables, batch, parameters),
    hoursPart(tables, batch, parameters),
    ...(marked ? [writerPart(tables, batch, parameters)] : []),
    ...rejectionParts(tables, batch, parameters),
    ...outputCountParts(tables, batch.rows, parameters),
    ...outgoingParts(tables, outgoing, parameters, '(select id, sequence as place from evidence)'),
  ];
  const text = `with ${parts.join(',\n')} select id from evidence order by sequence`;
  return { text, values: parameters.values };
}
