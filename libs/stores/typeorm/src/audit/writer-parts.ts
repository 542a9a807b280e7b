import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import type { Batch } from './batch.js';

/** How far a writer came that commits nothing more. */
export interface WriterEnd {
  /** Of its last row; 0 for none. */
  readonly sequence: number;
  /** The id of that row. */
  readonly lastId: number;
}

/** A writer that has ended has nowhere to put where it stands, and so its batch is refused. Stands behind `ids`. */
export function writerPart(
  { writers }: Tables,
  { writer, end, rows }: Batch,
  parameters: Parameters,
): string {
  const place = `${parameters.add(rows.length)}::integer`;
  return `writer as (
    insert into ${writers} as held (writer, sequence, last_id, ended)
    values (${parameters.add(writer)}::uuid, ${parameters.add(end.sequence)}::bigint,
      (select list from ids)[${place}], false)
    on conflict (writer) do update set
      sequence = case when held.ended then null else excluded.sequence end, last_id = excluded.last_id)`;
}

/** Waits for a batch of the writer that is being committed. */
export function endingStatement({ writers }: Tables): string {
  return `with ending as (
      insert into ${writers} (writer, sequence, last_id, ended) values ($1::uuid, 0, 0, true)
      on conflict (writer) do update set ended = true
      returning sequence, last_id)
    select sequence, last_id from ending`;
}
