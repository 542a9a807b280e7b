import type {
  AuditDetailData,
  AuditFacetsData,
  AuditFacts,
  AuditListData,
  AuditTrendData,
  AuditTrendPoint,
  MatchedRuleData,
  ReviewData,
} from '#contracts/api/audit.responses.js';
import type {
  AuditEntry,
  AuditListEntry,
  AuditNeighbors,
  Evidence,
  ExportedEntry,
  Facets,
  TrendBucket,
  TrendPoint,
  TrendSeries,
} from '#contracts/audit.js';
import type { Rejection } from '#contracts/firewall.js';
import type { Page, TimeWindow } from '#contracts/page.js';
import type { Review } from '#contracts/reviews.js';
import { Classifier } from '#engine/screening/classifier/classifier.js';
import { bucketsOf } from '../http/time-window.js';
import type { FacetQuery } from './audit.queries.js';

export function presentAuditList({ entries, nextCursor, partial }: Page<AuditListEntry>): AuditListData {
  return {
    // A spread would copy every fact, which is a large part of the cost of a page.
    entries: entries.map((entry) =>
      Object.assign(factsOf(entry), {
        prompt_preview: entry.promptPreview,
        approval_step: entry.approvalStep,
      }),
    ),
    next_cursor: nextCursor,
    ...(partial && { partial }),
  };
}

export function presentFacets({ values, partial }: Facets, { field }: FacetQuery): AuditFacetsData {
  return { field, values, ...(partial && { partial }) };
}

export function presentAuditEntry(
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
      matched_rules: presentMatchedRules(entry).map(placedIn(entry)),
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

/** Earlier versions recorded spans in the text as sent, and erasure takes the text away. */
function placedIn({ alteration, storage, prompt }: AuditEntry): (match: MatchedRuleData) => MatchedRuleData {
  const length = alteration === 'changed' || storage === 'hash' ? 0 : Buffer.byteLength(prompt);
  return (match) => (match.span !== null && match.span[1] > length ? { ...match, span: null } : match);
}

export function presentMatchedRules({ matchedRules }: Pick<Evidence, 'matchedRules'>): MatchedRuleData[] {
  return matchedRules
    .filter(({ notJudged }) => notJudged !== true)
    .map(({ ruleId, ...match }) => ({ rule_id: ruleId, ...match }));
}

export function notJudgedIdsOf({ matchedRules }: Pick<Evidence, 'matchedRules'>): readonly string[] {
  return matchedRules.filter(({ notJudged }) => notJudged === true).map(({ ruleId }) => ruleId);
}

export function presentReview({ verdict, note, actorId, reviewedAt }: Review): ReviewData {
  return { verdict, note, actor_id: actorId, reviewed_at: reviewedAt.toISOString() };
}

export function presentTrend(
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
