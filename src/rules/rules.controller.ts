import { Body, Controller, Get, Post } from '@nestjs/common';
import { BacktestBody } from '#bodies/bodies.js';
import {
  type RuleActivity,
  RuleListData,
  RulesBacktestData,
  RulesQuery,
} from '#contracts/screening/rules.api.js';
import { Clock } from '#contracts/common/clock.js';
import type { RuleHits } from '#contracts/overview/overview.js';
import { owaspOfRule, referencesOfRule } from '#contracts/screening/owasp.js';
import { ReviewStore, type ReviewCount } from '#contracts/audit/review.store.js';
import type { FieldErrors } from '#contracts/common/errors.js';
import { CONFIDENCES, PROFILES, type Confidence, type Profile } from '#contracts/screening/screening.js';
import { Backtest, type BacktestRequest } from '#engine/trials/backtest.js';
import { Overview, type RulesReading } from '#engine/record/overview.js';
import { UntrustedQuery } from '../http/parameters.js';
import { QueryReader, positiveId } from '../http/query-reader.js';
import { filterOf } from '../audit/filter-of.js';
import { BacktestFilters } from '#contracts/audit/filter.js';
import { Answers } from '../openapi/answers.js';
import { invalidBody } from '../http/validation.pipe.js';

const REVIEWED_DAYS = 90;

@Controller('rules')
export class RulesController {
  constructor(
    private readonly overview: Overview,
    private readonly reviews: ReviewStore,
    private readonly clock: Clock,
    private readonly backtests: Backtest,
  ) {}

  @Get()
  @Answers('rules.index', RuleListData, {
    summary: 'The screening rules in force, and how often each matched in the last 24 hours',
  })
  async index(@UntrustedQuery(RulesQuery) query: RulesQuery): Promise<RuleListData> {
    const since = new Date(this.clock.now().getTime() - REVIEWED_DAYS * 24 * 60 * 60 * 1000);
    const [reading, reviews] = await Promise.all([this.overview.readRules(), this.reviews.counts(since)]);
    return presentRules(reading, reviews, query);
  }

  @Post('backtest')
  @Answers('rules.backtest', RulesBacktestData, {
    summary: 'Judge recorded texts with candidate rules',
    description:
      'Judges recorded prompts, or outputs, with the settings in force and the given overrides, and compares the result with the recorded decision. Nothing is stored. A request takes at most about a second, newest texts first; repeat it with `next_cursor` as `cursor` and add the figures. Only texts that are stored exactly as they were judged can be judged again. Screeners of the host are not run.',
    errors: ['invalid_settings', 'not_overridable'],
  })
  backtest(@Body() input: BacktestBody): Promise<RulesBacktestData> {
    return this.backtests.run(backtestRequestOf(input));
  }
}

function presentRules(
  { rules, groups, screeners, retired, rulesetVersion, window }: RulesReading,
  reviews: readonly ReviewCount[],
  { fields, cursor = 0, limit }: RulesQuery,
): RuleListData {
  const shown = rules.slice(cursor, cursor + limit);
  const ids = new Set(shown.map(({ id }) => id));
  const reviewed = new Set(reviews.map(({ ruleId }) => ruleId));
  return {
    rules: shown.map((rule) => presentRule(rule, reviews, fields === 'summary')),
    groups: groups
      .filter(({ ruleIds: [first = ''] }) => ids.has(first))
      .map(({ id, description, ruleIds, recordedIds, hits }) => ({
        id,
        description,
        rules: ruleIds,
        ...activityOf(recordedIds, hits, reviews),
      })),
    screeners: screeners.map(({ id, source, mode, hits }) => ({
      id,
      source,
      mode: mode.name,
      ...activityOf([id], hits, reviews),
    })),
    retired: retired
      .map((rule) => ({ ...rule, reviews: reviewsOf(new Set([rule.id]), reviews) }))
      .filter(({ id, mode, exceptions }) => mode !== null || exceptions > 0 || reviewed.has(id)),
    next_cursor: cursor + limit < rules.length ? cursor + limit : null,
    total: rules.length,
    ruleset_version: rulesetVersion,
    window: { from: window.from.toISOString(), to: window.to.toISOString() },
    as_of: window.to.toISOString(),
  };
}

type PresentedRule = RuleListData['rules'][number];

/** Names every member, because a spread of hundreds of rules takes milliseconds. */
function presentRule(
  rule: RulesReading['rules'][number],
  reviews: readonly ReviewCount[],
  isSummary: boolean,
): PresentedRule {
  const { hits_24h, silenced_24h, reviews: reviewed } = activityOf([rule.id], rule.hits, reviews);
  const presented: PresentedRule = {
    id: rule.id,
    group: rule.group,
    description: rule.description,
    rationale: rule.rationale,
    severity: rule.severity,
    tags: rule.tags,
    origins: rule.origins,
    confidence: rule.confidence,
    source: rule.source,
    owasp: owaspOfRule(rule.id),
    references: referencesOfRule(rule.id),
    profile: profileOf(rule.confidence),
    mode: rule.mode.name,
    hits_24h,
    silenced_24h,
    reviews: reviewed,
  };
  const { pattern, examples, nearMisses } = rule;
  return isSummary ? presented : { pattern, examples, near_misses: nearMisses, ...presented };
}

/** The most lenient profile under which a rule of this confidence may block. */
function profileOf(confidence: Confidence): Profile {
  return PROFILES[CONFIDENCES.indexOf(confidence)] ?? 'strict';
}

function activityOf(
  ruleIds: readonly string[],
  { hits, silenced }: RuleHits,
  reviews: readonly ReviewCount[],
): RuleActivity {
  return { hits_24h: hits, silenced_24h: silenced, reviews: reviewsOf(new Set(ruleIds), reviews) };
}

function reviewsOf(ruleIds: ReadonlySet<string>, reviews: readonly ReviewCount[]): RuleActivity['reviews'] {
  const counted = (verdict: ReviewCount['verdict']) =>
    reviews
      .filter((review) => ruleIds.has(review.ruleId) && review.verdict === verdict)
      .reduce((sum, { count }) => sum + count, 0);
  const [right, wrong] = [counted('true_positive'), counted('false_positive')];
  const precision = right + wrong === 0 ? null : right / (right + wrong);
  return { true_positive: right, false_positive: wrong, unsure: counted('unsure'), precision };
}

/** Reads filters and range like the query of GET /audit, but refuses what that ignores. */
function backtestRequestOf({ candidate, filters, from, to, cursor: last }: BacktestBody): BacktestRequest {
  const around = scalarsOf({ from, to, cursor: last });
  const within = scalarsOf(filters ?? {});
  const range = new QueryReader({ scalars: around.texts, others: new Set() });
  const filter = new QueryReader({ scalars: within.texts, others: new Set() });
  const { control, ...selected } = filter.readAll(BacktestFilters) as BacktestFilters;
  const request: BacktestRequest = {
    candidate,
    control,
    filter: { ...filterOf(selected), ...range.readRange() },
    cursor: range.read('cursor', positiveId),
  };
  const unknown = filter.ignored().map((name) => [name, ['is not a filter']] as const);
  const errors: FieldErrors = {
    ...around.errors,
    ...range.invalid(),
    ...inFilters({ ...within.errors, ...filter.invalid(), ...Object.fromEntries(unknown) }),
  };
  if (Object.keys(errors).length > 0) throw invalidBody(errors);
  return request;
}

interface Scalars {
  readonly texts: ReadonlyMap<string, string>;
  readonly errors: FieldErrors;
}

/** Members as texts; `null` and the empty text are left out. */
function scalarsOf(members: Readonly<Record<string, unknown>>): Scalars {
  const texts = new Map<string, string>();
  const errors = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || value === null || value === '') continue;
    if (typeof value === 'object') errors.set(name, ['must be a string, a number or a boolean']);
    else texts.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return { texts, errors: Object.fromEntries(errors) };
}

function inFilters(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([name, reasons]) => [`filters.${name}`, reasons]));
}
