import type { Approval, ApprovalStatus } from '#contracts/approvals/approvals.js';
import type { AuditEntry } from '#contracts/audit/record.js';
import type { Clock } from '#contracts/common/clock.js';
import { CONTROL_KEYS, type ControlKey } from '#contracts/common/control-mode.js';
import {
  EXPIRES_SOON_MS,
  latestFirst,
  OverviewStore,
  SPARK_HOURS,
  type Activity,
  type ApprovalActivity,
  type ControlActivity,
  type RuleHits,
  type RulesetActivity,
} from '#contracts/overview/overview.js';
import type { TimeWindow } from '#contracts/common/page.js';
import { isOpen, later } from '#engine/controls/approvals/life-cycle.js';
import { isCounted } from '#contracts/screening/screening.js';
import { isWithin } from './list-filters.js';
import type { MemoryTables } from './memory-tables.js';

const HOUR_MS = 3_600_000;

export class MemoryOverviewStore extends OverviewStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async activity(window: TimeWindow) {
    const counted = [...this.tables.counted()];
    const entries = counted.filter(({ occurredAt }) => isWithin(window, occurredAt));
    const activityOf = (control: ControlKey): ControlActivity => {
      const its = entries.filter((entry) => entry.control === control);
      return {
        total: its.length,
        blocked: its.filter(({ outcome }) => outcome === 'blocked').length,
        observed: its.filter(({ outcome }) => outcome === 'observed').length,
        spark: sparkOf(
          counted.filter((entry) => entry.control === control),
          window.to,
        ),
      };
    };
    return {
      controls: Object.fromEntries(CONTROL_KEYS.map((key) => [key, activityOf(key)])) as Activity['controls'],
      approvals: approvalActivity([...this.tables.approvals], this.clock.now()),
      rulesets: rulesetsOf(entries.filter(({ control }) => control === 'input_screen')),
    };
  }

  override async ruleHits(window: TimeWindow) {
    const counts = new Map<string, RuleHits>();
    for (const { control, matchedRules, occurredAt } of this.tables.counted()) {
      if (control !== 'input_screen' || !isWithin(window, occurredAt)) continue;
      const matches = matchedRules.filter(({ notJudged }) => notJudged !== true);
      for (const ruleId of new Set(matches.map((matched) => matched.ruleId))) {
        const its = matches.filter((matched) => matched.ruleId === ruleId);
        const { hits, silenced } = counts.get(ruleId) ?? { hits: 0, silenced: 0 };
        counts.set(ruleId, {
          hits: hits + (its.some(isCounted) ? 1 : 0),
          silenced: silenced + (its.some(({ exception }) => exception === true) ? 1 : 0),
        });
      }
    }
    return counts;
  }
}

function approvalActivity(approvals: readonly Approval[], now: Date): ApprovalActivity {
  const pending = approvals.filter((approval) => isOpen(approval, now));
  const soon = later(now, EXPIRES_SOON_MS);
  const withStatus = (status: ApprovalStatus) =>
    approvals.filter((approval) => approval.status === status).length;
  return {
    pending: pending.length,
    expiringSoon: pending.filter(({ expiresAt }) => expiresAt <= soon).length,
    executing: withStatus('executing'),
    outcomeUnknown: withStatus('outcome_unknown'),
    oldestPendingAt: pending[0] === undefined ? null : new Date(pending[0].createdAt),
  };
}

function sparkOf(entries: readonly AuditEntry[], to: Date): readonly number[] {
  const hourOf = (time: Date) => Math.floor(time.getTime() / HOUR_MS);
  const spark = Array.from({ length: SPARK_HOURS }, () => 0);
  for (const { occurredAt } of entries) {
    const place = SPARK_HOURS - 1 - (hourOf(to) - hourOf(occurredAt));
    if (place in spark) spark[place]! += 1;
  }
  return spark;
}

function rulesetsOf(screenings: readonly AuditEntry[]): RulesetActivity[] {
  const rulesets = new Map<string, RulesetActivity>();
  for (const { rulesetVersion, occurredAt } of screenings) {
    const seen = rulesets.get(rulesetVersion);
    rulesets.set(rulesetVersion, {
      rulesetVersion,
      attempts: (seen?.attempts ?? 0) + 1,
      lastSeenAt: seen !== undefined && seen.lastSeenAt > occurredAt ? seen.lastSeenAt : new Date(occurredAt),
    });
  }
  return [...rulesets.values()].toSorted(latestFirst);
}
