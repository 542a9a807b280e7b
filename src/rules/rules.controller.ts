import { Controller, Get } from '@nestjs/common';
import type { RuleListData } from '#contracts/api/responses.js';
import { Clock } from '#contracts/clock.js';
import { ReviewStore, type ReviewCount } from '#contracts/reviews.js';
import { Overview, type RulesReading } from '#engine/overview/overview.js';

const REVIEWED_DAYS = 90;

type RuleReviews = RuleListData['rules'][number]['reviews'];

@Controller('rules')
export class RulesController {
  constructor(
    private readonly overview: Overview,
    private readonly reviews: ReviewStore,
    private readonly clock: Clock,
  ) {}

  @Get()
  async index(): Promise<RuleListData> {
    const since = new Date(this.clock.now().getTime() - REVIEWED_DAYS * 24 * 60 * 60 * 1000);
    const [reading, reviews] = await Promise.all([this.overview.readRules(), this.reviews.counts(since)]);
    return presentRules(reading, reviews);
  }
}

function presentRules(
  { rules, rulesetVersion, asOf }: RulesReading,
  reviews: readonly ReviewCount[],
): RuleListData {
  return {
    rules: rules.map(({ mode, hits, ...rule }) => ({
      ...rule,
      mode: mode.name,
      hits_24h: hits,
      reviews: reviewsOf(rule.id, reviews),
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
