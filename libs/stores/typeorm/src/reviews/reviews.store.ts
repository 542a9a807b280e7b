import type { ControlKey } from '#contracts/common/control-mode.js';
import type { PageRequest } from '#contracts/common/page.js';
import {
  ReviewStore,
  type LabelledText,
  type NewReview,
  type ReviewCount,
  type ReviewFilter,
} from '#contracts/audit/review.store.js';
import type { Database } from '../database/database.js';
import { pageOf, withinPage } from '../database/list-filters.js';
import { raw, sql, where, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';

export class TypeormReviewStore extends ReviewStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async append(review: NewReview) {
    const { entryId, verdict, note, actorId, requestId, reviewedAt } = review;
    const { reviews, evidence } = this.database.tables;
    const [row] = await this.database.query<{ id: number }>(
      sql`insert into ${reviews} (evidence_id, verdict, note, rule_id, actor_id, request_id, reviewed_at)
        select id, ${verdict}, ${note}, rule_id, ${actorId}, ${requestId}, ${reviewedAt}::timestamptz
        from ${evidence} where id = ${entryId}
        returning id`,
    );
    return row === undefined ? null : { ...review, id: row.id };
  }

  override ofEntry(entryId: number) {
    return this.database.repository(this.database.entities.review, (reviews) =>
      reviews.find({ where: { entryId }, order: { id: 'ASC' } }),
    );
  }

  override async nextUnreviewed(control: ControlKey, before: number) {
    const { tables } = this.database;
    const isNext = sql`e.control = ${control} and e.id < ${before} and ${hasNoReview('e.id', tables)}`;
    // The outcome is a literal, because the partial indexes need one.
    const newest = (outcome: 'blocked' | 'observed') =>
      sql`(select e.id from ${tables.evidence} e
        where ${raw(`e.outcome = '${outcome}'`)} and ${isNext} order by e.id desc limit 1)`;
    const [row] = await this.database.query<{ id: number | null }>(
      sql`select greatest(${newest('blocked')}, ${newest('observed')}) as id`,
    );
    return row?.id ?? null;
  }

  override counts(since: Date) {
    const { reviews } = this.database.tables;
    return this.database.read<ReviewCount>(
      sql`select rule_id as "ruleId", verdict, count(*) as count from ${reviews} r
        where reviewed_at >= ${since} and rule_id is not null and ${isLatest(reviews)}
        group by rule_id, verdict order by rule_id, verdict`,
      { isSlow: true },
    );
  }

  override async labelled(page: PageRequest) {
    const { reviews, evidence, content } = this.database.tables;
    const conditions = [
      raw(`r.verdict <> 'unsure' and e.control = 'input_screen' and c.storage in ('redact', 'raw')`),
      raw(`c.alteration is distinct from 'truncated'`),
      isLatest(reviews),
      ...withinPage('r.evidence_id', page),
    ];
    const rows = await this.database.read<LabelledText>(
      sql`select e.id, c.prompt as text, r.verdict = 'true_positive' as "isAttack", e.origin, r.rule_id as "ruleId"
        from ${reviews} r
        join ${evidence} e on e.id = r.evidence_id
        join ${content} c on c.evidence_id = r.evidence_id ${where(conditions)}
        order by r.evidence_id desc limit ${page.limit + 1}`,
      { isSlow: true },
    );
    return pageOf(rows, page);
  }
}

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
function isLatest(reviews: Sql) {
  return sql`not exists (
    select 1 from ${reviews} later where later.evidence_id = r.evidence_id and later.id > r.id)`;
}
