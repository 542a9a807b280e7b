import type { Approval, ApprovalStatus } from '#contracts/approvals/approvals.js';
import type { AuditEntry } from '#contracts/audit/record.js';
import type { Clock } from '#contracts/common/clock.js';
import type { ControlKey } from '#contracts/common/control-mode.js';
import {
  OverviewStore,
  type Activity,
  type ApprovalActivity,
  type ControlActivity,
  type RuleHits,
  type RulesetActivity,
} from '#contracts/overview/overview.js';
import { isOpen, later } from './approval-transitions.js';
import { isCounted } from '#contracts/screening/screening.js';
import type { MemoryTables } from './memory-tables.js';

const HOUR_MS = 3_600_000;
const SPARK_HOURS = 12;
const SOON_MS = 15 * 60_000;

export class MemoryOverviewStore extends OverviewStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async activity(asOf: Date): Promise<Activity> {
    const day = this.trailingDay(asOf);
    const of = (control: ControlKey): ControlActivity =>
      activityOf(
        day.filter((entry) => entry.control === control),
        this.spark(control, asOf),
      );
    const now = this.clock.now();
    return {
      controls: {
        tool_firewall: of('tool_firewall'),
        input_screen: of('input_screen'),
        output_handler: of('output_handler'),
        hitl: of('hitl'),
      },
      approvals: approvalActivity([...this.tables.approvals], now),
      rulesets: rulesetsOf(day.filter((entry) => entry.control === 'input_screen')),
    };
  }

  override async ruleHits(asOf: Date): Promise<ReadonlyMap<string, RuleHits>> {
    const counts = new Map<string, RuleHits>();
    for (const { control, matchedRules } of this.trailingDay(asOf)) {
      if (control !== 'input_screen') continue;
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

  private spark(control: ControlKey, asOf: Date): readonly number[] {
    const spark = Array.from({ length: SPARK_HOURS }, () => 0);
    for (const entry of this.tables.counted()) {
      const hoursAgo = hourOf(asOf) - hourOf(entry.occurredAt);
      if (entry.control !== control || hoursAgo < 0 || hoursAgo >= SPARK_HOURS) continue;
      spark[SPARK_HOURS - 1 - hoursAgo]! += 1;
    }
    return spark;
  }

  private trailingDay(asOf: Date): readonly AuditEntry[] {
    return [...this.tables.counted()].filter(({ occurredAt }) => {
      const age = asOf.getTime() - occurredAt.getTime();
      return age >= 0 && age < 24 * HOUR_MS;
    });
  }
}

function approvalActivity(approvals: readonly Approval[], now: Date): ApprovalActivity {
  const pending = approvals.filter((approval) => isOpen(approval, now));
  const soon = later(now, SOON_MS);
  const withStatus = (status: ApprovalStatus): number =>
    approvals.filter((approval) => approval.status === status).length;
  return {
    pending: pending.length,
    expiringSoon: pending.filter(({ expiresAt }) => expiresAt <= soon).length,
    executing: withStatus('executing'),
    outcomeUnknown: withStatus('outcome_unknown'),
    oldestPendingAt: pending[0] === undefined ? null : new Date(pending[0].createdAt),
  };
}

function activityOf(entries: readonly AuditEntry[], spark: readonly number[]): ControlActivity {
  return {
    total: entries.length,
    blocked: entries.filter((entry) => entry.outcome === 'blocked').length,
    observed: entries.filter((entry) => entry.outcome === 'observed').length,
    spark,
  };
}

/** UTC clock hours since the epoch. */
function hourOf(time: Date): number {
  return Math.floor(time.getTime() / HOUR_MS);
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
  return [...rulesets.values()].toSorted(
    (a, b) =>
      b.lastSeenAt.getTime() - a.lastSeenAt.getTime() || (a.rulesetVersion < b.rulesetVersion ? -1 : 1),
  );
}
