import type { EntityManager } from 'typeorm';
import type { Batch } from '../audit/batch.js';
import type { WriterEnd } from '../audit/writer-parts.js';
import { changedBy, perform, rowsOf } from '../rows.js';
import type { Tables } from '../tables.js';

/** Where the writer stands with this batch; throws where it has ended, so that nothing of the batch is committed. */
export async function markWriter(
  manager: EntityManager,
  { writers }: Tables,
  { writer, end: { sequence } }: Batch,
  lastId: number | null,
): Promise<void> {
  const change = `update ${writers} set sequence = $1, last_id = $2 where writer = $3 and not ended`;
  if ((await changedBy(manager, change, [sequence, lastId, writer])) > 0) return;
  // Either this is its first batch, or it has ended and the key is taken.
  const first = `insert into ${writers} (writer, sequence, last_id, ended) values ($1, $2, $3, false)`;
  await perform(manager, first, [writer, sequence, lastId]);
}

/** Waits for a batch of the writer that is being committed. */
export async function endWriter(
  manager: EntityManager,
  { writers }: Tables,
  writer: string,
): Promise<WriterEnd> {
  await perform(
    manager,
    `insert into ${writers} (writer, sequence, last_id, ended) values ($1, 0, 0, true)
     on duplicate key update ended = true`,
    [writer],
  );
  const [row] = await rowsOf<{ sequence: string; last_id: string }>(
    manager,
    `select sequence, last_id from ${writers} where writer = $1`,
    [writer],
  );
  return { sequence: Number(row?.sequence), lastId: Number(row?.last_id) };
}
