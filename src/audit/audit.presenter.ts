import type {
  AuditDetailData,
  AuditFacts,
  AuditListData,
  AuditTrendData,
} from '../../libs/contracts/src/api/audit.responses.js';
import type { AuditEntry, AuditListEntry, TrendPoint } from '../../libs/contracts/src/audit.js';
import type { Page, TimeWindow } from '../../libs/contracts/src/page.js';
import { daysOf } from '../http/query/time-window.js';

export function presentAuditList({ entries, nextCursor, partial }: Page<AuditListEntry>): AuditListData {
  return {
    entries: entries.map((entry) => ({ ...factsOf(entry), prompt_preview: entry.promptPreview })),
    next_cursor: nextCursor,
    ...(partial && { partial }),
  };
}

export function presentAuditEntry(entry: AuditEntry): AuditDetailData {
  return {
    entry: {
      ...factsOf(entry),
      prompt: entry.prompt,
      prompt_storage: entry.storage,
      errored_rule_ids: entry.erroredRuleIds,
      matched_span: entry.matchedSpan,
      matched_text: entry.matchedText,
      matched_rules: entry.matchedRules.map(({ ruleId, span }) => ({ rule_id: ruleId, span })),
      request_id: entry.requestId,
      run_id: entry.runId,
      tool: entry.tool,
      rendering: entry.rendering,
      duration_us: entry.durationUs,
    },
  };
}

export function presentTrend(points: readonly TrendPoint[], window: TimeWindow): AuditTrendData {
  const counted = new Map(points.map((point) => [point.date, point]));
  return {
    from: window.from.toISOString(),
    to: window.to.toISOString(),
    points: daysOf(window).map((date) => {
      const { total = 0, blocked = 0, observed = 0 } = counted.get(date) ?? {};
      return { date, total, blocked, allowed: total - blocked, observed };
    }),
  };
}

function factsOf(entry: AuditEntry | AuditListEntry): AuditFacts {
  return {
    id: entry.id,
    control: entry.control,
    blocked: entry.outcome === 'blocked',
    outcome: entry.outcome,
    mode: entry.mode,
    origin: entry.origin,
    rule_id: entry.ruleId,
    principal_id: entry.principalId,
    application: entry.application,
    ruleset_version: entry.rulesetVersion,
    prompt_length: entry.promptLength,
    errored: entry.errored,
    occurred_at: entry.occurredAt.toISOString(),
  };
}
