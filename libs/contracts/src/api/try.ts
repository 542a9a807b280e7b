/** Texts and policies tried without recording anything. */
import { MATCHED_RULE } from '../audit/entry.js';
import { OUTPUT_KINDS } from '../output/output.js';
import { REQUIREMENTS } from '../policies/policies.js';
import {
  about,
  boolean,
  choice,
  count,
  example,
  id,
  list,
  moment,
  nextCursor,
  nullable,
  object,
  outcome,
  record,
  rulesetVersion,
  span,
  type Static,
  text,
} from '../common/schema.js';

export const TryScreenData = object(
  {
    blocked: about(
      boolean,
      '`true` if a rule matched in any mode, if the prompt could not be judged and failures count as matches, or if the mode in force would have blocked it. `false` if only the classifier objects, in monitor mode.',
      true,
    ),
    action: about(
      outcome,
      'What the mode in force for this origin would have done; `allowed` where it is `off`.',
      'blocked',
    ),
    would_enforce: about(boolean, 'Whether `action` is `blocked`.', true),
    rule_id: example(nullable(text), 'ignore_previous_instructions'),
    refusal_message: example(
      nullable(text),
      'This request cannot be processed because it conflicts with our usage policy.',
    ),
    ruleset_version: rulesetVersion,
    matched_rules: list(
      object({ ...MATCHED_RULE, span, text: example(text, 'ignore all previous instructions') }),
    ),
    not_judged_rule_ids: about(
      list(text),
      'Screeners that do not judge such a text, for example in another language.',
    ),
    errored_screeners: about(
      list(object({ id: text, reason: text })),
      'Screeners that failed on this prompt. A failure counts as `blocked` under `pattern_safety.on_match_error: closed`.',
      [],
    ),
    normalized: about(text, 'The prompt after normalization.', 'please ignore all previous instructions.'),
    normalization_steps: example(list(text), ['casefold']),
  },
  'TryScreenData',
);
export type TryScreenData = Static<typeof TryScreenData>;

export const TrySanitizeData = object(
  {
    sanitized: example(text, 'Write to [email]'),
    kinds: example(record(OUTPUT_KINDS, count), {
      html_stripped: 0,
      markdown_sanitized: 0,
      structured_validation_failure: 0,
      pii_redaction: 1,
      secret_redaction: 0,
      too_long: 0,
    }),
    findings: list(
      object({
        kind: example(choice(OUTPUT_KINDS), 'pii_redaction'),
        detector: example(text, 'email'),
        span: about(span, 'Position in the text that was sent, in UTF-8 bytes.', [9, 24]),
        output_span: about(
          span,
          'Where the replacement is in `sanitized`; empty where the found text was removed.',
          [9, 16],
        ),
      }),
    ),
  },
  'TrySanitizeData',
);
export type TrySanitizeData = Static<typeof TrySanitizeData>;

/** Why a recorded call cannot be replayed. */
export const REPLAY_OBSTACLES = [
  'erased',
  'no_policy_recorded',
  'argument_not_recorded',
  'argument_withheld',
  'limit_not_recorded',
  'run_not_recorded',
] as const;

/** Why a recorded call cannot be replayed. */
export type ReplayObstacle = (typeof REPLAY_OBSTACLES)[number];

const decision = object(
  {
    require: choice(REQUIREMENTS),
    approvers: about(count, '0 unless `require` is `approval`.'),
    rule: about(nullable(count), 'Number of the rule, from 1; null where none decided.'),
    group: nullable(text),
    ttl: about(nullable(count), 'Seconds; `null` stands for `hitl.ttl`.'),
    reason: nullable(choice(['required'])),
  },
  'PolicyDecision',
);

const changes = object({
  count: example(count, 1),
  calls: about(
    list(object({ audit_id: id, tool: text, occurred_at: moment, before: decision, after: decision })),
    'At most 50 of them, newest first.',
    [
      {
        audit_id: 4711,
        tool: 'refund',
        occurred_at: '2026-03-10T12:00:00.000Z',
        before: { require: 'allow', approvers: 0, rule: 1, group: null, ttl: null, reason: null },
        after: { require: 'approval', approvers: 1, rule: null, group: null, ttl: null, reason: null },
      },
    ],
  ),
});

export const TryPoliciesData = object(
  {
    replayed: about(count, 'Calls of this slice that were decided again.', 3),
    unchanged: example(count, 2),
    rules: about(
      list(object({ tool: text, rule: nullable(count), before: count, after: count })),
      'Replayed calls by the rule that decided: `before` with the recorded policies and their rule numbers, `after` with the given ones.',
      [
        { tool: 'refund', rule: 1, before: 3, after: 2 },
        { tool: 'refund', rule: null, before: 0, after: 1 },
      ],
    ),
    stricter: changes,
    looser: example(changes, { count: 0, calls: [] }),
    not_replayable: record(REPLAY_OBSTACLES, count),
    next_cursor: nextCursor,
  },
  'TryPoliciesData',
);
export type TryPoliciesData = Static<typeof TryPoliciesData>;
