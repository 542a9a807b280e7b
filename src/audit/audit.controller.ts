import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type {
  AuditDetailData,
  AuditExceptionData,
  AuditFacetsData,
  AuditListData,
  AuditReviewData,
  AuditTrendData,
} from '#contracts/api/audit.responses.js';
import { AuditStore } from '#contracts/audit.js';
import { Clock } from '#contracts/clock.js';
import { FirewallStore } from '#contracts/firewall.js';
import { REVIEW_VERDICTS, ReviewStore, type ReviewVerdict } from '#contracts/reviews.js';
import { ExceptionProposals } from '#engine/exception-proposals.js';
import {
  CurrentAuthor,
  IdPipe,
  parseId,
  unknownId,
  UntrustedQuery,
  type Author,
} from '../http/parameters.js';
import { trendWindow } from '../http/time-window.js';
import { RefuseUnknownMembers } from '../http/validation.pipe.js';
import {
  presentAuditEntry,
  presentAuditList,
  presentFacets,
  presentReview,
  presentTrend,
} from './audit.presenter.js';
import {
  readAuditQuery,
  readFacetQuery,
  readTrendQuery,
  type FacetQuery,
  type TrendQuery,
} from './audit.queries.js';

@RefuseUnknownMembers()
class ReviewDto {
  @Expose()
  @IsIn(REVIEW_VERDICTS, { message: `must be one of ${REVIEW_VERDICTS.join(', ')}` })
  readonly verdict!: ReviewVerdict;

  /** Stored with the review, and erased with the text of the entry. */
  @Expose()
  @IsOptional()
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @IsString({ message: 'must be a string' })
  readonly note?: string | null;
}

@Controller('audit')
export class AuditController {
  constructor(
    private readonly audit: AuditStore,
    private readonly firewall: FirewallStore,
    private readonly reviews: ReviewStore,
    private readonly clock: Clock,
    private readonly proposals: ExceptionProposals,
  ) {}

  @Get()
  async index(
    @UntrustedQuery(readAuditQuery) { filter, page }: ReturnType<typeof readAuditQuery>,
  ): Promise<AuditListData> {
    return presentAuditList(await this.audit.list(filter, page));
  }

  @Get('trend')
  async trend(@UntrustedQuery(readTrendQuery) { filter, bucket, by }: TrendQuery): Promise<AuditTrendData> {
    const window = trendWindow(filter, this.clock.now(), bucket);
    const [points, series] = await Promise.all([
      this.audit.trend(filter, window, bucket),
      by === undefined ? undefined : this.audit.trendBy(by, filter, window, bucket),
    ]);
    return presentTrend(points, series, window, bucket);
  }

  @Get('facets')
  async facets(@UntrustedQuery(readFacetQuery) query: FacetQuery): Promise<AuditFacetsData> {
    return presentFacets(await this.audit.facets(query.field, query.filter), query);
  }

  @Get(':id')
  async show(@Param('id', IdPipe) id: number): Promise<AuditDetailData> {
    const entry = await this.audit.find(id);
    if (entry === null) throw unknownId();
    const [neighbors, rejection, reviews] = await Promise.all([
      this.audit.neighbors(entry),
      entry.control === 'tool_firewall' ? this.firewall.find(id) : null,
      this.reviews.ofEntry(id),
    ]);
    return presentAuditEntry(entry, neighbors, rejection, reviews);
  }

  @Post(':id/review')
  @HttpCode(200)
  async review(
    @Param('id') id: string,
    @Body() { verdict, note }: ReviewDto,
    @CurrentAuthor() { actor, requestId }: Author,
  ): Promise<AuditReviewData> {
    const entry = await this.audit.find(parseId(id));
    if (entry === null) throw unknownId();
    const review = await this.reviews.append({
      entryId: entry.id,
      verdict,
      note: note ?? null,
      actorId: actor.id,
      requestId,
      reviewedAt: this.clock.now(),
    });
    if (review === null) throw unknownId();
    const next = await this.reviews.nextUnreviewed(entry.control, entry.id);
    return {
      review: { id: review.id, entry_id: entry.id, ...presentReview(review) },
      next_unreviewed_id: next,
    };
  }

  @Post(':id/exception')
  @HttpCode(200)
  async exception(@Param('id', IdPipe) id: number): Promise<AuditExceptionData> {
    const entry = await this.audit.find(id);
    if (entry === null) throw unknownId();
    return { proposals: this.proposals.of(entry) };
  }
}
