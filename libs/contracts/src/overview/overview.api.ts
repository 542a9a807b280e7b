/** The state of the controls, and what they decided in the last 24 hours. */
import { CONTROL_KEYS, CONTROLS } from '../common/control-mode.js';
import { Freeze } from '../freeze/freezes.api.js';
import {
  about,
  boolean,
  choice,
  control,
  count,
  example,
  exampleOf,
  list,
  literal,
  mode,
  moment,
  nullable,
  object,
  rulesetVersion,
  type Static,
  text,
} from '../common/schema.js';

const attempts = example(count, 96);
const blocked = example(count, 3);

const ControlState = object({
  key: control,
  label: text,
  enabled: example(boolean, true),
  mode: about(mode, 'The effective mode: `off` also if the control or the master switch is off.'),
  posture: choice(['Engaged', 'Observing', 'Disabled']),
  warning: about(
    nullable(text),
    'What the control does, if it protects less than it could; as in GET /settings.',
  ),
  counts_24h: object({ total: attempts, blocked, observed: count }),
  spark: about(
    list(count, { minItems: 12, maxItems: 12 }),
    'Decisions per UTC clock hour, oldest first: eleven full hours and the current one.',
    [4, 2, 0, 1, 9, 12, 14, 11, 16, 12, 8, 7],
  ),
});

/** The 24 hours that an answer counts; a list with these times has the same entries. */
export const CountWindow = about(
  object({ from: moment, to: moment }),
  'What is counted: the last 24 hours, from the start of a minute. Both ends belong to it: `GET /audit` with the same `from` and `to` lists what is counted.',
  { from: '2026-03-30T09:14:00.000Z', to: '2026-03-31T09:14:55.310Z' },
);

const sample = exampleOf(ControlState) as Static<typeof ControlState>;

export const OverviewData = object(
  {
    controls: example(
      list(ControlState, { minItems: CONTROL_KEYS.length, maxItems: CONTROL_KEYS.length }),
      CONTROL_KEYS.map((key) => ({ ...sample, key, label: CONTROLS[key].label })),
    ),
    enabled: about(
      boolean,
      'The master switch. Without it calls run unguarded, and no freeze stops them.',
      true,
    ),
    freezes: about(list(Freeze), 'The freezes in force, newest first.'),
    totals: object({
      attempts_24h: attempts,
      blocked_24h: blocked,
      observed_24h: count,
      firewall_rejections_24h: blocked,
      outputs_sanitized_24h: blocked,
      pending_approvals: count,
      sampled: about(literal(false), 'The counts are exact over `window`.'),
    }),
    approvals: object({
      pending: count,
      expiring_soon: about(count, 'Pending calls that expire within 15 minutes.'),
      executing: count,
      outcome_unknown: about(count, 'Calls that an operator has to check and resolve.'),
      oldest_pending_at: example(nullable(moment), null),
    }),
    ruleset_version: rulesetVersion,
    rulesets_24h: list(object({ ruleset_version: rulesetVersion, attempts, last_seen_at: moment })),
    window: CountWindow,
    as_of: moment,
  },
  'OverviewData',
);
export type OverviewData = Static<typeof OverviewData>;
