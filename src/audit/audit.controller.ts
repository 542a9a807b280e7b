import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type {
  AuditDetailData,
  AuditExceptionData,
  AuditFacetsData,
  AuditFacts,
  AuditListData,
  AuditReviewData,
  AuditTrendData,
  AuditTrendPoint,
  MatchedRuleData,
  ReviewData,
} from '#contracts/api/audit.responses.js';
import {
  AuditStore,
  type AuditEntry,
  type AuditFilter,
  type AuditListEntry,
  type AuditNeighbors,
  type Evidence,
  FACET_FIELDS,
  type FacetField,
  type Facets,
  type ExportedEntry,
  TREND_BUCKETS,
  type TrendBucket,
  TREND_GROUPS,
  type TrendGroup,
  type TrendPoint,
  type TrendSeries,
} from '#contracts/audit.js';
import { Clock } from '#contracts/clock.js';
import { FirewallStore, type Rejection } from '#contracts/firewall.js';
import { OUTPUT_KINDS } from '#contracts/output.js';
import type { Page, PageRequest, TimeWindow } from '#contracts/page.js';
import {
  REVIEW_FILTERS,
  REVIEW_VERDICTS,
  ReviewStore,
  type Review,
  type ReviewVerdict,
} from '#contracts/reviews.js';
import { ORIGINS, type MatchedRule } from '#contracts/screening.js';
import { Classifier } from '#engine/screening/classifier/classifier.js';
import { ExceptionProposals } from '#engine/exception-proposals.js';
import { ruleIdsOf } from '#engine/screening/rules/built-in-rules.js';
import {
  CurrentAuthor,
  IdPipe,
  parseId,
  unknownId,
  UntrustedQuery,
  type Author,
} from '../http/parameters.js';
import {
  choice,
  control,
  filterText,
  flag,
  outcome,
  type QueryKind,
  withoutUndefined,
  type QueryReader,
} from '../http/query-reader.js';
import { RefuseUnknownMembers } from '../http/validation.pipe.js';
import { bucketsOf, trendWindow } from '../http/time-window.js';

@RefuseUnknownMembers()
export class ReviewDto {
  @Expose()
  @IsIn(REVIEW_VERDICTS, { message: `must be one of ${REVIEW_VERDICTS.join(', ')}` })
  readonly verdict!: ReviewVerdict;

  /** Stored with the review, and erased with the text of the entry. */
  @Expose()
  @IsOptional()
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @IsString({ message: 'must be a text' })
  readonly note?: string | null;
}

interface AuditQuery {
  readonly filter: AuditFilter;
  readonly page: PageRequest;
  readonly ignored: readonly string[];
}

interface FacetQuery {
  readonly field: FacetField;
  readonly filter: AuditFilter;
  readonly ignored: readonly string[];
}

interface TrendQuery {
  readonly filter: AuditFilter;
  readonly bucket: TrendBucket;
  readonly by: TrendGroup | undefined;
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
  async index(@UntrustedQuery(readAuditQuery) { filter, page, ignored }: AuditQuery): Promise<AuditListData> {
    return presentAuditList(await this.audit.list(filter, page), ignored);
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

/** The filters of the list and of exports. */
export function readListFilter(query: QueryReader): AuditFilter {
  return { ...readAuditFilter(query), ...readRecordFilter(query), ...query.readRange() };
}

function readAuditQuery(query: QueryReader): AuditQuery {
  const filter = readListFilter(query);
  const page = query.readPage();
  return { filter, page, ignored: query.ignored() };
}

/** Filters of the list that the trend does not have. */
export function readRecordFilter(query: QueryReader): AuditFilter {
  return withoutUndefined({
    runId: query.read('run_id', filterText),
    requestId: query.read('request_id', filterText),
    tool: query.read('tool', filterText),
    origin: query.read('origin', choice(ORIGINS)),
    errored: query.read('errored', flag),
    rulesetVersion: query.read('ruleset_version', filterText),
    review: query.read('review', choice(REVIEW_FILTERS)),
    findingKind: query.read('kind', choice(OUTPUT_KINDS)),
    detector: query.read('detector', filterText),
    matchedRules: query.read('matched', ruleIds),
  });
}

function readFacetQuery(query: QueryReader): FacetQuery {
  const field = query.read('field', choice(FACET_FIELDS)) ?? 'rule_id';
  const filter = readListFilter(query);
  return { field, filter, ignored: query.ignored() };
}

function readTrendQuery(query: QueryReader): TrendQuery {
  const filter = { ...readAuditFilter(query), ...query.readRange() };
  return {
    filter,
    bucket: query.read('bucket', choice(TREND_BUCKETS)) ?? 'day',
    by: query.read('by', choice(TREND_GROUPS)),
  };
}

/** Decisions of input screening, unless `control` names another control or `all`. */
function readAuditFilter(query: QueryReader): AuditFilter {
  const shown = query.read('control', control) ?? 'input_screen';
  return { ...(shown !== 'all' && { control: shown }), ...readGroupFilter(query) };
}

/** The group of a rule stands for its rules. */
const ruleIds: QueryKind<readonly string[]> = (text) => {
  const read = filterText(text);
  return read.ok ? { ok: true, value: ruleIdsOf(read.value) } : read;
};

/** Filters of decisions of any control. */
export function readGroupFilter(query: QueryReader): AuditFilter {
  return withoutUndefined({
    blocked: query.read('blocked', flag),
    outcome: query.read('outcome', outcome),
    ruleIds: query.read('rule_id', ruleIds),
    principalId: query.read('principal_id', filterText),
    application: query.read('application', filterText),
    q: query.read('q', filterText),
  });
}

function presentAuditList(
  { entries, nextCursor, partial }: Page<AuditListEntry>,
  ignored: readonly string[],
): AuditListData {
  return {
    entries: entries.map((entry) => ({
      ...factsOf(entry),
      prompt_preview: entry.promptPreview,
      approval_step: entry.approvalStep,
    })),
    next_cursor: nextCursor,
    ...(partial && { partial }),
    ...(ignored.length > 0 && { ignored }),
  };
}

function presentFacets({ values, partial }: Facets, { field, ignored }: FacetQuery): AuditFacetsData {
  return { field, values, ...(partial && { partial }), ...(ignored.length > 0 && { ignored }) };
}

function presentAuditEntry(
  entry: AuditEntry,
  { previousId, nextId }: AuditNeighbors,
  rejection: Rejection | null,
  reviews: readonly Review[],
): AuditDetailData {
  return {
    entry: {
      ...factsOf(entry),
      prompt: entry.prompt,
      prompt_storage: entry.storage,
      errored_rule_ids: entry.erroredRuleIds,
      not_judged_rule_ids: notJudgedIdsOf(entry),
      matched_span: entry.matchedSpan,
      matched_text: entry.matchedText,
      matched_rules: presentMatchedRules(entry),
      classifier_words: Classifier.wordsOf(entry),
      findings: entry.findings.map((finding) =>
        entry.storage === 'erased' ? { ...finding, span: null } : finding,
      ),
      finding_count: entry.findingCount,
      request_id: entry.requestId,
      run_id: entry.runId,
      rendering: entry.rendering,
      duration_us: entry.durationUs,
      violations: rejection?.violations ?? null,
      approval_id: entry.approvalId,
      approval_step: entry.approvalStep,
      previous_id: previousId,
      next_id: nextId,
      reviews: reviews.map(presentReview),
    },
  };
}

export function presentMatchedRules({ matchedRules }: Pick<Evidence, 'matchedRules'>): MatchedRuleData[] {
  return matchedRules.filter(({ notJudged }) => notJudged !== true).map(presentMatchedRule);
}

export function notJudgedIdsOf({ matchedRules }: Pick<Evidence, 'matchedRules'>): readonly string[] {
  return matchedRules.filter(({ notJudged }) => notJudged === true).map(({ ruleId }) => ruleId);
}

export function presentMatchedRule({
  ruleId,
  span,
  exception,
  mentioned,
  score,
  threshold,
}: MatchedRule): MatchedRuleData {
  return {
    rule_id: ruleId,
    span,
    ...(exception && { exception }),
    ...(mentioned !== undefined && { mentioned }),
    ...(score !== undefined && { score }),
    ...(threshold !== undefined && { threshold }),
  };
}

function presentReview({ verdict, note, actorId, reviewedAt }: Review): ReviewData {
  return { verdict, note, actor_id: actorId, reviewed_at: reviewedAt.toISOString() };
}

function presentTrend(
  points: readonly TrendPoint[],
  series: readonly TrendSeries[] | undefined,
  window: TimeWindow,
  bucket: TrendBucket,
): AuditTrendData {
  const counted = new Map(points.map((point) => [point.date, point]));
  return {
    from: window.from.toISOString(),
    to: window.to.toISOString(),
    points: bucketsOf(window, bucket).map((date) => presentPoint(counted.get(date) ?? { date, ...NOTHING })),
    ...(series !== undefined && {
      series: series.map(({ value, points: its }) => ({ value, points: its.map(presentPoint) })),
    }),
  };
}

const NOTHING = { total: 0, blocked: 0, observed: 0 };

/** An hour is shown by its start. */
function presentPoint({ date, total, blocked, observed }: TrendPoint): AuditTrendPoint {
  const shown = date.includes('T') ? `${date}:00:00.000Z` : date;
  return { date: shown, total, blocked, allowed: total - blocked, observed };
}

export function factsOf(entry: AuditEntry | AuditListEntry | ExportedEntry): AuditFacts {
  return {
    id: entry.id,
    control: entry.control,
    blocked: entry.outcome === 'blocked',
    outcome: entry.outcome,
    mode: entry.mode,
    origin: entry.origin,
    rule_id: entry.ruleId,
    tool: entry.tool,
    principal_id: entry.principalId,
    application: entry.application,
    ruleset_version: entry.rulesetVersion,
    prompt_length: entry.promptLength,
    errored: entry.errored,
    occurred_at: entry.occurredAt.toISOString(),
  };
}
