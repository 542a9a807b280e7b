import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { AuditFacetsData, AuditTrendData } from '#contracts/audit/counts.js';
import { AuditDetailData, AuditListData } from '#contracts/audit/entry.js';
import { AuditQuery, FacetQuery, TrendQuery } from '#contracts/audit/filter.js';
import { AuditExceptionData, AuditReviewData } from '#contracts/audit/review.js';
import { AuditStore } from '#contracts/audit/store.js';
import { REVIEW_VERDICTS, type ReviewVerdict } from '#contracts/audit/review.store.js';
import { CurrentAuthor, IdPipe, UntrustedQuery, type Author } from '../http/parameters.js';
import { RefuseUnknownMembers } from '../http/validation.pipe.js';
import { Answers } from '../openapi/answers.js';
import { Member } from '../openapi/body-schema.js';
import { AuditService } from './audit.service.js';
import { filterOf } from './filter-of.js';

@RefuseUnknownMembers()
class ReviewDto {
  @Member('`true_positive`: the text was an attack; `false_positive`: it was harmless.', 'true_positive')
  @IsIn(REVIEW_VERDICTS, { message: `must be one of ${REVIEW_VERDICTS.join(', ')}` })
  readonly verdict!: ReviewVerdict;

  @Member(
    'Stored with the review, and erased with the text of the entry.',
    'An attempt to get a refund without an order.',
  )
  @IsOptional()
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @IsString({ message: 'must be a string' })
  readonly note?: string | null;
}

@Controller('audit')
export class AuditController {
  constructor(
    private readonly audit: AuditStore,
    private readonly service: AuditService,
  ) {}

  @Get()
  @Answers('audit.index', AuditListData, {
    summary: 'Decisions, newest first',
    description: 'Decisions of input screening, unless `control` names another control or `all`.',
  })
  async index(@UntrustedQuery(AuditQuery) query: AuditQuery): Promise<AuditListData> {
    return this.audit.list(filterOf(query), query);
  }

  @Get('trend')
  @Answers('audit.trend', AuditTrendData, {
    summary: 'Decisions per UTC day or hour',
    description:
      'Default window: the last 30 days. A window of more than 366 days, or of more than 31 days by the hour, keeps its end.',
  })
  async trend(@UntrustedQuery(TrendQuery) query: TrendQuery): Promise<AuditTrendData> {
    return this.service.trend(query);
  }

  @Get('facets')
  @Answers('audit.facets', AuditFacetsData, {
    summary: 'The most frequent values of a field',
    description:
      'Counts the entries that `GET /audit` lists with the same filters. One request reads at most 1,000,000 entries, or about a second, newest first.',
  })
  async facets(@UntrustedQuery(FacetQuery) query: FacetQuery): Promise<AuditFacetsData> {
    return { field: query.field, ...(await this.audit.facets(query.field, filterOf(query))) };
  }

  @Get(':id')
  @Answers('audit.show', AuditDetailData, { summary: 'One decision, with the prompt as stored' })
  async show(@Param('id', IdPipe) id: number): Promise<AuditDetailData> {
    return { entry: await this.service.show(id) };
  }

  @Post(':id/review')
  @HttpCode(200)
  @Answers('audit.review', AuditReviewData, {
    summary: 'Mark a decision as right or wrong',
    description:
      'Append-only: a later review of the same entry counts instead. An allowed entry can be reviewed too: `true_positive` marks a missed attack. Unknown members of the body are refused; `actor` is ignored.',
    body: ReviewDto,
  })
  async review(
    @Param('id') id: string,
    @Body() { verdict, note = null }: ReviewDto,
    @CurrentAuthor() author: Author,
  ): Promise<AuditReviewData> {
    return this.service.review(id, { verdict, note }, author);
  }

  @Post(':id/exception')
  @HttpCode(200)
  @Answers('audit.exception', AuditExceptionData, {
    summary: 'The narrowest exceptions for the matches of a decision',
    description:
      'Writes nothing. Each phrase is the match, widened to whole words and to at least 10 characters. A longer phrase excepts less text. Add a reason and an end, and set `input_screen.exceptions` with `PUT /settings`.',
    errors: ['no_proposal'],
  })
  async exception(@Param('id', IdPipe) id: number): Promise<AuditExceptionData> {
    return { proposals: await this.service.exceptions(id) };
  }
}
