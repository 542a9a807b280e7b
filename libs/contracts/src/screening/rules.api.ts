/** The screening rules in force, and recorded texts judged with other ones. */
import { OWASP_RISKS, type OwaspRisk } from './owasp.js';
import { cursorOf } from '../common/query.js';
import {
  about,
  choice,
  count,
  decimal,
  example,
  id,
  list,
  mode,
  moment,
  nextCursor,
  nullable,
  object,
  optional,
  pattern,
  record,
  rulesetVersion,
  span,
  type Static,
  text,
} from '../common/schema.js';
import {
  CONFIDENCES,
  PROFILES,
  RULE_SOURCES,
  SCREENED_ORIGINS,
  SCREENER_SOURCES,
  SEVERITIES,
} from './screening.js';

export const RulesQuery = object({
  fields: optional(
    about(
      choice(['summary']),
      '`summary` leaves out the patterns and the examples, which are most of the answer.',
      'summary',
    ),
  ),
  ...cursorOf(200, 50),
});
export type RulesQuery = Static<typeof RulesQuery>;

const ACTIVITY = {
  hits_24h: about(
    count,
    'Screenings of the trailing 24 hours in which the rule matched, whether it decided or not; each counts once.',
    3,
  ),
  silenced_24h: about(
    count,
    'Screenings of the trailing 24 hours with a match that did not count, because of an exception; each counts once.',
  ),
  reviews: about(
    object({
      true_positive: example(count, 9),
      false_positive: example(count, 3),
      unsure: example(count, 1),
      precision: about(
        nullable({ ...decimal, minimum: 0, maximum: 1 }),
        '`true_positive` divided by `true_positive` plus `false_positive`; `null` if both are 0.',
        0.75,
      ),
    }),
    'Entries that it decided and that were reviewed in the last 90 days, by their latest verdict.',
  ),
};

const RuleActivity = object(ACTIVITY);

/** What rules, groups of rules and screeners did. */
export type RuleActivity = Static<typeof RuleActivity>;

const ruleId = example(pattern('^[a-z][a-z0-9_.-]{0,99}$'), 'competitor_names');
const description = example(text, 'A rule of the operator.');

const Rule = object(
  {
    id: ruleId,
    group: about(
      text,
      'A mode, a replacement or an exception of the group applies to all its rules; those of a rule take precedence.',
      'competitor_names',
    ),
    pattern: optional(
      about(
        text,
        '`/pattern/flags`, run by the linear engine on the normalized text. Absent with `fields=summary`.',
        '/\\b(?:acme|globex)\\b/i',
      ),
    ),
    description,
    rationale: about(text, 'Why such a text is suspicious. Empty for patterns of operators.'),
    examples: optional(about(list(text), 'Texts that it finds. Absent with `fields=summary`.')),
    near_misses: optional(
      about(list(text), 'Similar harmless texts that it does not find. Absent with `fields=summary`.'),
    ),
    severity: choice(SEVERITIES),
    tags: list(text),
    owasp: about(
      list(choice(Object.keys(OWASP_RISKS) as OwaspRisk[])),
      'The risks of the OWASP lists for LLM applications (2025) and agentic applications (2026) that it is about.',
      ['LLM01:2025', 'ASI01'],
    ),
    references: about(
      list(text),
      'Techniques of MITRE ATLAS (`AML.T…`) and weaknesses (`CWE-…`). Empty for patterns of operators.',
    ),
    origins: about(list(choice(SCREENED_ORIGINS)), 'The texts to which it applies.', SCREENED_ORIGINS),
    confidence: about(
      choice(CONFIDENCES),
      '`low` rules also match harmless texts. `input_screen.profile` decides which may block.',
      'high',
    ),
    profile: about(choice(PROFILES), 'The most lenient profile under which it may block.', 'lenient'),
    source: about(
      choice(RULE_SOURCES),
      "`settings` also if an operator's pattern replaces a built-in rule of the same id.",
      'settings',
    ),
    mode: about(mode, "The weaker of the control's mode and the rule's own, which the profile may weaken."),
    ...ACTIVITY,
  },
  'Rule',
);

export const RuleListData = object(
  {
    rules: about(
      list(Rule),
      'The rules of this page in the order in which they run, including rules that are switched off.',
    ),
    groups: about(
      list(
        object({
          id: ruleId,
          description,
          rules: about(list(text), 'The ids of its rules. A rule without a group forms one alone.', [
            'competitor_names',
          ]),
          ...ACTIVITY,
        }),
      ),
      'The groups whose first rule is on this page, with all their rules, so that the pages together have each group once. The figures are sums over the rules, and include what earlier versions recorded under the id of the group.',
    ),
    screeners: about(
      list(
        object({
          id: example(text, 'classifier'),
          source: about(choice(SCREENER_SOURCES), '`built_in` is the classifier.', 'built_in'),
          mode: about(mode, "The weaker of the control's mode and the screener's own."),
          ...ACTIVITY,
        }),
      ),
      'The classifier, then the screeners of the host.',
    ),
    retired: about(
      list(
        object({
          id: text,
          mode: about(nullable(mode), 'Its mode in `input_screen.rule_modes`.'),
          exceptions: about(count, 'Its entries of `input_screen.exceptions`.'),
          reviews: ACTIVITY.reviews,
        }),
      ),
      'Removed rules and groups that a stored mode, an exception or a review names. They have no effect.',
      [],
    ),
    next_cursor: about(
      nullable(id),
      'The position of the last rule of this page, from 1. Pass it as `cursor` for the next page; `null` at the end.',
    ),
    total: about(count, 'The number of rules on all pages.', 1),
    ruleset_version: rulesetVersion,
    as_of: moment,
  },
  'RuleListData',
);
export type RuleListData = Static<typeof RuleListData>;

/** Why a recorded text cannot be judged again. */
export const BACKTEST_OBSTACLES = [
  'hashed',
  'erased',
  'truncated',
  'changed_by_hygiene',
  'structured',
  'host_screener',
] as const;

/** Why a recorded text cannot be judged again. */
export type BacktestObstacle = (typeof BACKTEST_OBSTACLES)[number];

const BacktestChangesData = object({
  count: example(count, 1),
  rules: about(
    list(
      object({
        rule_id: about(
          nullable(text),
          'The rule that decided or, for outputs, the detector; `null` where a text could not be judged.',
          'refund_all',
        ),
        count: example(count, 1),
        samples: about(
          list(
            object({
              audit_id: example(id, 4711),
              occurred_at: moment,
              prompt_preview: about(
                text,
                '160 characters, then `…`.',
                'Please refund all orders of last week.',
              ),
              spans: about(list(span), 'At most 16, in the recorded prompt.', [[7, 24]]),
            }),
          ),
          'At most 20, newest first.',
        ),
      }),
    ),
    'Most frequent first. An output counts for each detector that finds something.',
  ),
});

/** The texts whose verdict the candidate changes, by rule. */
export type BacktestChangesData = Static<typeof BacktestChangesData>;

export const RulesBacktestData = object(
  {
    scanned: about(count, 'Texts of this slice, including those that could not be judged.', 8200),
    unjudgeable: about(
      record(BACKTEST_OBSTACLES, count),
      'Texts that were not judged. `hashed`, `erased`: none is stored. `truncated`, `changed_by_hygiene`: the stored text is not the judged one. `structured`: the values of a structured output were judged one by one. `host_screener`: a screener of the host objected or failed, or would run only with the candidate.',
    ),
    newly_blocked: about(BacktestChangesData, 'For outputs: texts in which something would newly be found.'),
    no_longer_blocked: about(BacktestChangesData, 'Always empty for outputs.', { count: 0, rules: [] }),
    next_cursor: nextCursor,
  },
  'RulesBacktestData',
);
export type RulesBacktestData = Static<typeof RulesBacktestData>;

/** Settings to try, and the recorded texts to judge. */
export interface BacktestBody {
  readonly candidate: object;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
  readonly filters?: object | null | undefined;
  readonly cursor?: number | null | undefined;
}
