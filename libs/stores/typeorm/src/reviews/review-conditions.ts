import type { ReviewFilter } from '#contracts/reviews.js';
import { raw, sql, type Sql } from '../sql.js';
import type { Tables } from '../tables.js';

/**
 * Whether the entry with this id has such a review. Few entries have one, so a list reads the reviews and looks up their
 * entries, except for `none`.
 */
export function hasReview(review: ReviewFilter, id: string, { reviews }: Tables): Sql {
  const ofEntry = sql`select 1 from ${reviews} r where r.evidence_id = ${raw(id)}`;
  if (review === 'none') return sql`not exists (${ofEntry})`;
  if (review === 'any') return sql`${raw(id)} in (select r.evidence_id from ${reviews} r)`;
  return sql`${raw(id)} in (
    select r.evidence_id from ${reviews} r where r.verdict = ${review} and ${isLatest(reviews)})`;
}

/** No later review of the same entry exists. */
export function isLatest(reviews: Sql): Sql {
  return sql`not exists (
    select 1 from ${reviews} later where later.evidence_id = r.evidence_id and later.id > r.id)`;
}
