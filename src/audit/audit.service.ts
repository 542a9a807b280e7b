/** What the audit's routes compute from the records of several stores. */
import { Injectable } from '@nestjs/common';
import type { AuditTrendData, TrendPoint, TrendPointData } from '#contracts/audit/counts.js';
import { evidenceOf, factsOf, type AuditEntryData, type MatchedRuleData } from '#contracts/audit/entry.js';
import type { TrendQuery } from '#contracts/audit/filter.js';
import type { AuditExceptionData, AuditReviewData, ReviewData } from '#contracts/audit/review.js';
import { AuditStore } from '#contracts/audit/store.js';
import { type AuditEntry } from '#contracts/audit/record.js';
import { Clock } from '#contracts/common/clock.js';
import { parsedJson } from '#contracts/common/text.js';
import { FirewallStore } from '#contracts/firewall/firewall.js';
import type { PolicyRecord } from '#contracts/policies/policies.js';
import { ReviewStore, type NewReview, type Review } from '#contracts/audit/review.store.js';
import { ExceptionProposals } from '#engine/trials/exception-proposals.js';
import { Classifier } from '#engine/controls/screening/classifier/classifier.js';
import { orNotFound, parseId, unknownId, type Author } from '../http/parameters.js';
import { bucketsOf, trendWindow } from '../http/time-window.js';
import { filterOf } from './filter-of.js';

@Injectable()
export class AuditService {
  constructor(
    private readonly audit: AuditStore,
    private readonly firewall: FirewallStore,
    private readonly reviews: ReviewStore,
    private readonly clock: Clock,
    private readonly proposals: ExceptionProposals,
  ) {}

  async trend({ bucket, by, ...query }: TrendQuery): Promise<AuditTrendData> {
    const filter = filterOf(query);
    const window = trendWindow(filter, this.clock.now(), bucket);
    const [points, series] = await Promise.all([
      this.audit.trend(filter, window, bucket),
      by === undefined ? undefined : this.audit.trendBy(by, filter, window, bucket),
    ]);
    const counted = new Map(points.map((point) => [point.date, point]));
    return {
      from: window.from.toISOString(),
      to: window.to.toISOString(),
      points: bucketsOf(window, bucket).map((date) =>
        trendPointData(counted.get(date) ?? { date, ...NOTHING }),
      ),
      ...(series !== undefined && {
        series: series.map(({ value, points: its }) => ({ value, points: its.map(trendPointData) })),
      }),
    };
  }

  async show(id: number): Promise<AuditEntryData> {
    const entry = await this.found(id);
    const [neighbors, rejection, reviews] = await Promise.all([
      this.audit.neighbors(entry),
      entry.control === 'tool_firewall' ? this.firewall.find(id) : null,
      this.reviews.ofEntry(id),
    ]);
    const { matched_rules: matches, findings, ...evidence } = evidenceOf(entry);
    const isErased = entry.storage === 'erased';
    return {
      ...factsOf(entry),
      ...evidence,
      prompt: entry.prompt,
      prompt_storage: entry.storage,
      matched_span: entry.matchedSpan,
      matched_text: entry.matchedText,
      matched_rules: matches.map(placedIn(entry)),
      classifier_words: Classifier.wordsOf(entry),
      findings: isErased ? findings.map((finding) => ({ ...finding, span: null })) : findings,
      violations: rejection?.violations ?? null,
      run: (parsedJson(entry.policy ?? 'null') as PolicyRecord | null)?.run ?? null,
      previous_id: neighbors.previousId,
      next_id: neighbors.nextId,
      reviews: reviews.map(reviewData),
    };
  }

  /** @param id not parsed, because the members of the body are checked first (contract 2.4) */
  async review(
    id: string,
    judgement: Pick<NewReview, 'verdict' | 'note'>,
    { actor, requestId }: Author,
  ): Promise<AuditReviewData> {
    const entry = await this.found(parseId(id));
    const authored = { actorId: actor.id, requestId, reviewedAt: this.clock.now() };
    const review = await this.reviews.append({ entryId: entry.id, ...judgement, ...authored });
    if (review === null) throw unknownId();
    return {
      review: { id: review.id, entry_id: entry.id, ...reviewData(review) },
      next_unreviewed_id: await this.reviews.nextUnreviewed(entry.control, entry.id),
    };
  }

  async exceptions(id: number): Promise<AuditExceptionData['proposals']> {
    return this.proposals.of(await this.found(id));
  }

  private async found(id: number): Promise<AuditEntry> {
    return orNotFound(await this.audit.find(id));
  }
}

/** Earlier versions recorded spans in the text as sent, and erasure takes the text away. */
function placedIn({ alteration, storage, prompt }: AuditEntry): (match: MatchedRuleData) => MatchedRuleData {
  const length = alteration === 'changed' || storage === 'hash' ? 0 : Buffer.byteLength(prompt);
  return (match) => (match.span !== null && match.span[1] > length ? { ...match, span: null } : match);
}

function reviewData({ verdict, note, actorId, reviewedAt }: Review): ReviewData {
  return { verdict, note, actor_id: actorId, reviewed_at: reviewedAt.toISOString() };
}

const NOTHING = { total: 0, blocked: 0, observed: 0 };

/** An hour is shown by its start. */
function trendPointData({ date, total, blocked, observed }: TrendPoint): TrendPointData {
  const start = date.includes('T') ? `${date}:00:00.000Z` : date;
  return { date: start, total, blocked, allowed: total - blocked, observed };
}
