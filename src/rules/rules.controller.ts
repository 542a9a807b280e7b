import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { BacktestChangesData, RuleListData, RulesBacktestData } from '#contracts/api/rules.responses.js';
import { Clock } from '#contracts/clock.js';
import { owaspOfRule } from '#contracts/owasp.js';
import { ReviewStore, type ReviewCount } from '#contracts/reviews.js';
import { Backtest, type BacktestChanges, type BacktestResult } from '#engine/backtest.js';
import { Overview, type RulesReading } from '#engine/overview/overview.js';
import { UntrustedQuery } from '../http/parameters.js';
import { choice, type QueryReader } from '../http/query-reader.js';
import { BacktestDto, backtestRequestOf } from './backtest.dto.js';

const REVIEWED_DAYS = 90;

type RuleReviews = RuleListData['rules'][number]['reviews'];

interface RulesQuery {
  readonly isSummary: boolean;
}

@Controller('rules')
export class RulesController {
  constructor(
    private readonly overview: Overview,
    private readonly reviews: ReviewStore,
    private readonly clock: Clock,
    private readonly backtests: Backtest,
  ) {}

  @Get()
  async index(@UntrustedQuery(readRulesQuery) { isSummary }: RulesQuery): Promise<RuleListData> {
    const since = new Date(this.clock.now().getTime() - REVIEWED_DAYS * 24 * 60 * 60 * 1000);
    const [reading, reviews] = await Promise.all([this.overview.readRules(), this.reviews.counts(since)]);
    return presentRules(reading, reviews, isSummary);
  }

  @Post('backtest')
  @HttpCode(200)
  async backtest(@Body() input: BacktestDto): Promise<RulesBacktestData> {
    return presentBacktest(await this.backtests.run(backtestRequestOf(input)));
  }
}

function readRulesQuery(query: QueryReader): RulesQuery {
  return { isSummary: query.read('fields', choice(['summary'])) !== undefined };
}

function presentRules(
  { rules, screeners, rulesetVersion, asOf }: RulesReading,
  reviews: readonly ReviewCount[],
  isSummary: boolean,
): RuleListData {
  return {
    rules: rules.map(({ mode, hits, pattern, ...rule }) => ({
      ...rule,
      ...(isSummary ? {} : { pattern }),
      owasp: owaspOfRule(rule.id),
      mode: mode.name,
      hits_24h: hits.hits,
      silenced_24h: hits.silenced,
      reviews: reviewsOf(rule.id, reviews),
    })),
    screeners: screeners.map(({ id, source, mode, hits }) => ({
      id,
      source,
      mode: mode.name,
      hits_24h: hits.hits,
      silenced_24h: hits.silenced,
      reviews: reviewsOf(id, reviews),
    })),
    ruleset_version: rulesetVersion,
    as_of: asOf.toISOString(),
  };
}

function reviewsOf(ruleId: string, reviews: readonly ReviewCount[]): RuleReviews {
  const counted = (verdict: ReviewCount['verdict']): number =>
    reviews.find((review) => review.ruleId === ruleId && review.verdict === verdict)?.count ?? 0;
  const [right, wrong] = [counted('true_positive'), counted('false_positive')];
  const precision = right + wrong === 0 ? null : right / (right + wrong);
  return { true_positive: right, false_positive: wrong, unsure: counted('unsure'), precision };
}

function presentBacktest(result: BacktestResult): RulesBacktestData {
  return {
    scanned: result.scanned,
    unjudgeable: result.unjudgeable,
    newly_blocked: presentChanges(result.newlyBlocked),
    no_longer_blocked: presentChanges(result.noLongerBlocked),
    next_cursor: result.nextCursor,
  };
}

function presentChanges({ count, rules }: BacktestChanges): BacktestChangesData {
  return {
    count,
    rules: rules.map(({ ruleId, samples, ...rule }) => ({
      rule_id: ruleId,
      count: rule.count,
      samples: samples.map(({ auditId, occurredAt, preview, spans }) => ({
        audit_id: auditId,
        occurred_at: occurredAt.toISOString(),
        prompt_preview: preview,
        spans,
      })),
    })),
  };
}
