import { Controller, Get } from '@nestjs/common';
import { OverviewData } from '#contracts/overview/overview.api.js';
import { CONTROL_KEYS, CONTROLS, type ModeName } from '#contracts/common/control-mode.js';
import { isInForce } from '#contracts/freeze/freezes.api.js';
import { Overview, type OverviewReading } from '#engine/record/overview.js';
import { LiveSettings } from '#engine/settings/live-settings.js';
import { Answers } from '../openapi/answers.js';

@Controller('overview')
export class OverviewController {
  constructor(
    private readonly overview: Overview,
    private readonly settings: LiveSettings,
  ) {}

  @Get()
  @Answers('overview', OverviewData, {
    summary: 'State of the controls, and their decisions in the last 24 hours',
  })
  async show(): Promise<OverviewData> {
    // The panel reads this when it hears of a freeze that another instance set.
    await this.settings.refresh();
    return presentOverview(await this.overview.read());
  }
}

const POSTURE = { enforce: 'Engaged', monitor: 'Observing', off: 'Disabled' } as const satisfies Record<
  ModeName,
  string
>;

function presentOverview({ activity, settings, rulesetVersion, window }: OverviewReading): OverviewData {
  const { input_screen: prompts, tool_firewall: tools, output_handler: outputs } = activity.controls;
  return {
    controls: CONTROL_KEYS.map((key) => {
      const mode = settings.mode(key).name;
      const { total, blocked, observed, spark } = activity.controls[key];
      return {
        key,
        label: CONTROLS[key].label,
        enabled: settings.get('enabled') && settings.get(`${key}.enabled`),
        mode,
        posture: POSTURE[mode],
        warning: settings.weakness(key),
        counts_24h: { total, blocked, observed },
        spark,
      };
    }),
    enabled: settings.get('enabled'),
    freezes: settings.freezes.filter(isInForce),
    totals: {
      attempts_24h: prompts.total,
      blocked_24h: prompts.blocked,
      observed_24h: prompts.observed,
      firewall_rejections_24h: tools.blocked + tools.observed,
      outputs_sanitized_24h: outputs.blocked + outputs.observed,
      pending_approvals: activity.approvals.pending,
      sampled: false,
    },
    approvals: {
      pending: activity.approvals.pending,
      expiring_soon: activity.approvals.expiringSoon,
      executing: activity.approvals.executing,
      outcome_unknown: activity.approvals.outcomeUnknown,
      oldest_pending_at: activity.approvals.oldestPendingAt?.toISOString() ?? null,
    },
    ruleset_version: rulesetVersion,
    rulesets_24h: activity.rulesets.map(({ rulesetVersion: version, attempts, lastSeenAt }) => ({
      ruleset_version: version,
      attempts,
      last_seen_at: lastSeenAt.toISOString(),
    })),
    window: { from: window.from.toISOString(), to: window.to.toISOString() },
    as_of: window.to.toISOString(),
  };
}
