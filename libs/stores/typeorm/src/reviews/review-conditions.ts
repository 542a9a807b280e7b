import type { ReviewFilter } from '#contracts/reviews.js';
import { raw, sql, type Sql } from '../sql.js';
import type { Tables } from '../tables.js';

export function hasNoReview(id: string, { reviews }: Tables): Sql {
  return sql`not exists (select 1 from ${reviews} r where r.evidence_id = ${raw(id)})`;
}

/** Joins the latest review of the evidence `e` as `r`. A list can thus read reviews by entry, and ends after a page. */
export function reviewJoin(review: ReviewFilter | undefined, { reviews }: Tables): Sql {
  if (review === undefined || review === 'none') return raw('');
  const isVerdict = review === 'any' ? raw('') : sql`and r.verdict = ${review}`;
  return sql`join ${reviews} r on r.evidence_id = e.id ${isVerdict} and ${isLatest(reviews)}`;
}

/** No later review of the same entry exists. */
export function isLatest(reviews: Sql): Sql {
  return sql`not exists (
    select 1 from ${reviews} later where later.evidence_id = r.evidence_id and later.id > r.id)`;
}
