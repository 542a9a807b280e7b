import type { ControlKey } from '#contracts/common/control-mode.js';
import type { PageRequest } from '#contracts/common/page.js';
import {
  ReviewStore,
  type NewReview,
  type Review,
  type ReviewCount,
  type ReviewFilter,
  type ReviewVerdict,
} from '#contracts/audit/review.store.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

export class MemoryReviewStore extends ReviewStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async append(review: NewReview) {
    const copy = copyOf(review);
    if (this.tables.decisions.find(copy.entryId) === undefined) return null;
    return copyOf(this.tables.reviews.insert(copy));
  }

  override async ofEntry(entryId: number) {
    return copyOf(reviewsOf(this.tables, entryId));
  }

  override async nextUnreviewed(control: ControlKey, before: number) {
    const latest = latestReviews(this.tables);
    const [next] = this.tables.decisions.page(
      { cursor: before, limit: 1 },
      (entry) => entry.control === control && entry.outcome !== 'allowed' && !latest.has(entry.id),
    ).entries;
    return next?.id ?? null;
  }

  override async counts(since: Date) {
    const counts = new Map<string, ReviewCount>();
    for (const { entryId, verdict, reviewedAt } of latestReviews(this.tables).values()) {
      const ruleId = this.tables.decisions.find(entryId)?.ruleId ?? null;
      if (ruleId === null || reviewedAt < since) continue;
      const key = JSON.stringify([ruleId, verdict]);
      counts.set(key, { ruleId, verdict, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
  }

  override async labelled(request: PageRequest) {
    const latest = latestReviews(this.tables);
    const page = this.tables.decisions.page(request, ({ id, control, storage, alteration }) => {
      const verdict = latest.get(id)?.verdict ?? 'unsure';
      const isWhole = ['redact', 'raw'].includes(storage) && alteration !== 'truncated';
      return verdict !== 'unsure' && control === 'input_screen' && isWhole;
    });
    const labelled = page.entries.map(({ id, prompt, origin, ruleId }) => ({
      id,
      text: prompt,
      isAttack: latest.get(id)?.verdict === 'true_positive',
      origin,
      ruleId,
    }));
    return { ...page, entries: labelled };
  }
}

/** Oldest first. */
export function reviewsOf({ reviews }: MemoryTables, entryId: number): readonly Review[] {
  return [...reviews].filter((review) => review.entryId === entryId);
}

/** The reviews by the id of their entry. */
export function latestReviews({ reviews }: MemoryTables): ReadonlyMap<number, Review> {
  return new Map([...reviews].map((review) => [review.entryId, review]));
}

export function isReviewed(filter: ReviewFilter, latest: ReviewVerdict | undefined): boolean {
  if (filter === 'none') return latest === undefined;
  return filter === 'any' ? latest !== undefined : latest === filter;
}
