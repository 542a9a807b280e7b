import type { OverviewData } from '#contracts/api/responses.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import {
  about,
  boolean,
  choice,
  control,
  count,
  list,
  literal,
  mode,
  moment,
  nullable,
  object,
  rulesetVersion,
  text,
} from '../openapi/json-schema.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

type Control = OverviewData['controls'][number];

const schema = object<OverviewData>({
  controls: list(
    object<Control>({
      key: control,
      label: text,
      enabled: boolean,
      mode: about(mode, 'The effective mode: `off` also if the control or the master switch is off.'),
      posture: choice(['Engaged', 'Observing', 'Disabled']),
      warning: about(
        nullable(text),
        'What the control does, if it protects less than it could; as in GET /settings.',
      ),
      counts_24h: object<Control['counts_24h']>({ total: count, blocked: count, observed: count }),
      spark: about(
        list(count, { minItems: 12, maxItems: 12 }),
        'Decisions per UTC clock hour, oldest first: eleven full hours and the current one.',
      ),
    }),
    { minItems: 4, maxItems: 4 },
  ),
  totals: object<OverviewData['totals']>({
    attempts_24h: count,
    blocked_24h: count,
    observed_24h: count,
    firewall_rejections_24h: count,
    outputs_sanitized_24h: count,
    pending_approvals: count,
    sampled: about(literal(false), 'The counts are exact over the trailing 24 hours.'),
  }),
  approvals: object<OverviewData['approvals']>({
    pending: count,
    expiring_soon: about(count, 'Pending calls that expire within 15 minutes.'),
    executing: count,
    outcome_unknown: about(count, 'Calls that an operator has to check and resolve.'),
    oldest_pending_at: nullable(moment),
  }),
  ruleset_version: rulesetVersion,
  rulesets_24h: list(
    object<OverviewData['rulesets_24h'][number]>({
      ruleset_version: rulesetVersion,
      attempts: count,
      last_seen_at: moment,
    }),
  ),
  as_of: moment,
});

function quiet(key: Control['key'], label: string): Control {
  return {
    key,
    label,
    enabled: true,
    mode: 'enforce',
    posture: 'Engaged',
    warning: null,
    counts_24h: { total: 0, blocked: 0, observed: 0 },
    spark: Array.from({ length: 12 }, () => 0),
  };
}

export const OVERVIEW = {
  overview: {
    summary: 'State of the four controls, and their decisions in the last 24 hours',
    answer: answer<OverviewData>('OverviewData', schema, {
      controls: [
        quiet('tool_firewall', 'Tool Firewall'),
        {
          ...quiet('input_screen', 'Input Screening'),
          counts_24h: { total: 96, blocked: 3, observed: 0 },
          spark: [4, 2, 0, 1, 9, 12, 14, 11, 16, 12, 8, 7],
        },
        quiet('output_handler', 'Output Handler'),
        {
          ...quiet('hitl', 'HITL Bridge'),
          enabled: false,
          mode: 'off',
          posture: 'Disabled',
          warning: new Settings(DEFAULT_SETTINGS).weakness('hitl'),
        },
      ],
      totals: {
        attempts_24h: 96,
        blocked_24h: 3,
        observed_24h: 0,
        firewall_rejections_24h: 0,
        outputs_sanitized_24h: 0,
        pending_approvals: 0,
        sampled: false,
      },
      approvals: {
        pending: 0,
        expiring_soon: 0,
        executing: 0,
        outcome_unknown: 0,
        oldest_pending_at: null,
      },
      ruleset_version: 'builtin-3f9a1c07be52',
      rulesets_24h: [
        { ruleset_version: 'builtin-3f9a1c07be52', attempts: 96, last_seen_at: '2026-03-31T09:14:55.310Z' },
      ],
      as_of: '2026-03-31T09:15:00.000Z',
    }),
  },
} as const satisfies Record<string, RouteDescription>;
