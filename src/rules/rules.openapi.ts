import {
  BACKTEST_CONTROLS,
  BACKTEST_OBSTACLES,
  type BacktestChangesData,
  type RuleActivity,
  type RuleListData,
  type RulesBacktestData,
} from '#contracts/api/rules.responses.js';
import { OWASP_RISKS, type OwaspRisk } from '#contracts/owasp.js';
import {
  CONFIDENCES,
  PROFILES,
  RULE_SOURCES,
  SCREENED_ORIGINS,
  SCREENER_SOURCES,
  SEVERITIES,
} from '#contracts/screening.js';
import {
  about,
  choice,
  count,
  id,
  list,
  mode,
  moment,
  nextCursor,
  nullable,
  object,
  Optional,
  pattern,
  record,
  rulesetVersion,
  span,
  text,
  type JsonSchema,
} from '../openapi/json-schema.js';
import { BacktestFilters } from '#contracts/audit/filter.js';
import * as parameters from '../openapi/parameters.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

const activity = {
  hits_24h: about(
    count,
    'Screenings of the trailing 24 hours in which the rule matched, whether it decided or not; each counts once.',
  ),
  silenced_24h: about(
    count,
    'Screenings of the trailing 24 hours with a match that did not count, because of an exception; each counts once.',
  ),
  reviews: about(
    object<RuleActivity['reviews']>({
      true_positive: count,
      false_positive: count,
      unsure: count,
      precision: about(
        nullable({ type: 'number', minimum: 0, maximum: 1 }),
        '`true_positive` divided by `true_positive` plus `false_positive`; `null` if both are 0.',
      ),
    }),
    'Entries that it decided and that were reviewed in the last 90 days, by their latest verdict.',
  ),
};

const schema = object<RuleListData>({
  rules: about(
    list(
      object<RuleListData['rules'][number]>({
        id: pattern('^[a-z][a-z0-9_.-]{0,99}$'),
        group: about(
          text,
          'A mode, a replacement or an exception of the group applies to all its rules; those of a rule take precedence.',
        ),
        pattern: new Optional(
          about(
            text,
            '`/pattern/flags`, run by the linear engine on the normalized text. Absent with `fields=summary`.',
          ),
        ),
        description: text,
        rationale: about(text, 'Why such a text is suspicious. Empty for patterns of operators.'),
        examples: new Optional(about(list(text), 'Texts that it finds. Absent with `fields=summary`.')),
        near_misses: new Optional(
          about(list(text), 'Similar harmless texts that it does not find. Absent with `fields=summary`.'),
        ),
        severity: choice(SEVERITIES),
        tags: list(text),
        owasp: about(
          list(choice(Object.keys(OWASP_RISKS) as OwaspRisk[])),
          'The risks of the OWASP lists for LLM applications (2025) and agentic applications (2026) that it is about.',
        ),
        references: about(
          list(text),
          'Techniques of MITRE ATLAS (`AML.T…`) and weaknesses (`CWE-…`). Empty for patterns of operators.',
        ),
        origins: about(list(choice(SCREENED_ORIGINS)), 'The texts to which it applies.'),
        confidence: about(
          choice(CONFIDENCES),
          '`low` rules also match harmless texts. `input_screen.profile` decides which may block.',
        ),
        profile: about(choice(PROFILES), 'The most lenient profile under which it may block.'),
        source: about(
          choice(RULE_SOURCES),
          "`settings` also if an operator's pattern replaces a built-in rule of the same id.",
        ),
        mode: about(
          mode,
          "The weaker of the control's mode and the rule's own, which the profile may weaken.",
        ),
        ...activity,
      }),
    ),
    'The rules of this page in the order in which they run, including rules that are switched off.',
  ),
  groups: about(
    list(
      object<RuleListData['groups'][number]>({
        id: pattern('^[a-z][a-z0-9_.-]{0,99}$'),
        description: text,
        rules: about(list(text), 'The ids of its rules. A rule without a group forms one alone.'),
        ...activity,
      }),
    ),
    'The groups whose first rule is on this page, with all their rules, so that the pages together have each group once. The figures are sums over the rules, and include what earlier versions recorded under the id of the group.',
  ),
  screeners: about(
    list(
      object<RuleListData['screeners'][number]>({
        id: text,
        source: about(choice(SCREENER_SOURCES), '`built_in` is the classifier.'),
        mode: about(mode, "The weaker of the control's mode and the screener's own."),
        ...activity,
      }),
    ),
    'The classifier, then the screeners of the host.',
  ),
  retired: about(
    list(
      object<RuleListData['retired'][number]>({
        id: text,
        mode: about(nullable(mode), 'Its mode in `input_screen.rule_modes`.'),
        exceptions: about(count, 'Its entries of `input_screen.exceptions`.'),
        reviews: activity.reviews,
      }),
    ),
    'Removed rules and groups that a stored mode, an exception or a review names. They have no effect.',
  ),
  next_cursor: about(
    nullable(id),
    'The position of the last rule of this page, from 1. Pass it as `cursor` for the next page; `null` at the end.',
  ),
  total: about(count, 'The number of rules on all pages.'),
  ruleset_version: rulesetVersion,
  as_of: moment,
});

type ChangedRule = BacktestChangesData['rules'][number];

const backtestChanges = object<BacktestChangesData>({
  count,
  rules: about(
    list(
      object<ChangedRule>({
        rule_id: about(
          nullable(text),
          'The rule that decided or, for outputs, the detector; `null` where a text could not be judged.',
        ),
        count,
        samples: about(
          list(
            object<ChangedRule['samples'][number]>({
              audit_id: id,
              occurred_at: moment,
              prompt_preview: about(text, '160 characters, then `…`.'),
              spans: about(list(span), 'At most 16, in the recorded prompt.'),
            }),
          ),
          'At most 20, newest first.',
        ),
      }),
    ),
    'Most frequent first. An output counts for each detector that finds something.',
  ),
});

const backtest = object<RulesBacktestData>({
  scanned: about(count, 'Texts of this slice, including those that could not be judged.'),
  unjudgeable: about(
    record(BACKTEST_OBSTACLES, count),
    'Texts that were not judged. `hashed`, `erased`: none is stored. `truncated`, `changed_by_hygiene`: the stored text is not the judged one. `structured`: the values of a structured output were judged one by one. `host_screener`: a screener of the host objected or failed, or would run only with the candidate.',
  ),
  newly_blocked: about(backtestChanges, 'For outputs: texts in which something would newly be found.'),
  no_longer_blocked: about(backtestChanges, 'Always empty for outputs.'),
  next_cursor: nextCursor,
});

/** Filters of GET /audit. A backtest judges one control. */
const filters: JsonSchema = {
  ...BacktestFilters,
  additionalProperties: false,
  properties: {
    ...(BacktestFilters['properties'] as JsonSchema),
    control: { ...choice(BACKTEST_CONTROLS), default: 'input_screen' },
  },
};

export const RULES = {
  'rules.index': {
    summary: 'The screening rules in force, and how often each matched in the last 24 hours',
    query: [parameters.fields, parameters.cursor, parameters.limit(200, 50)],
    answer: answer<RuleListData>('RuleListData', schema, {
      rules: [
        {
          id: 'competitor_names',
          group: 'competitor_names',
          pattern: '/\\b(?:acme|globex)\\b/i',
          description: 'A rule of the operator.',
          rationale: '',
          examples: [],
          near_misses: [],
          severity: 'high',
          tags: [],
          owasp: ['LLM01:2025', 'ASI01'],
          references: [],
          origins: ['prompt', 'document', 'tool_result'],
          confidence: 'high',
          profile: 'lenient',
          source: 'settings',
          mode: 'monitor',
          hits_24h: 3,
          silenced_24h: 0,
          reviews: { true_positive: 9, false_positive: 3, unsure: 1, precision: 0.75 },
        },
      ],
      groups: [
        {
          id: 'competitor_names',
          description: 'A rule of the operator.',
          rules: ['competitor_names'],
          hits_24h: 3,
          silenced_24h: 0,
          reviews: { true_positive: 9, false_positive: 3, unsure: 1, precision: 0.75 },
        },
      ],
      screeners: [
        {
          id: 'classifier',
          source: 'built_in',
          mode: 'monitor',
          hits_24h: 3,
          silenced_24h: 0,
          reviews: { true_positive: 0, false_positive: 0, unsure: 0, precision: null },
        },
      ],
      retired: [],
      next_cursor: null,
      total: 1,
      ruleset_version: 'builtin-3f9a1c07be52',
      as_of: '2026-03-31T09:15:00.000Z',
    }),
  },
  'rules.backtest': {
    summary: 'Judge recorded texts with candidate rules',
    description:
      'Judges recorded prompts, or outputs, with the settings in force and the given overrides, and compares the result with the recorded decision. Nothing is stored. A request takes at most about a second, newest texts first; repeat it with `next_cursor` as `cursor` and add the figures. Only texts that are stored exactly as they were judged can be judged again. Screeners of the host are not run.',
    body: {
      schema: {
        type: 'object',
        properties: {
          candidate: {
            type: 'object',
            description:
              'Overrides, dotted or nested and validated as in `PUT /settings`. For prompts: `modes.input_screen`, `input_screen.*`, `normalization.*` and `pattern_safety.*`. For outputs: `modes.output_handler` and `output_handler.*`.',
          },
          from: about(text, 'Inclusive. Without an offset it is UTC.'),
          to: about(text, 'Inclusive. A bare date includes that day.'),
          filters,
          cursor: count,
        },
        required: ['candidate'],
      },
      example: {
        candidate: { 'input_screen.patterns': { refund_all: '/refund (?:all|every) orders?/i' } },
        from: '2026-03-01',
        filters: { application: 'support-chat' },
      },
    },
    errors: ['invalid_settings', 'not_overridable'],
    answer: answer<RulesBacktestData>('RulesBacktestData', backtest, {
      scanned: 8200,
      unjudgeable: {
        hashed: 0,
        erased: 12,
        truncated: 0,
        changed_by_hygiene: 340,
        structured: 0,
        host_screener: 0,
      },
      newly_blocked: {
        count: 1,
        rules: [
          {
            rule_id: 'refund_all',
            count: 1,
            samples: [
              {
                audit_id: 4711,
                occurred_at: '2026-03-10T12:00:00.000Z',
                prompt_preview: 'Please refund all orders of last week.',
                spans: [[7, 24]],
              },
            ],
          },
        ],
      },
      no_longer_blocked: { count: 0, rules: [] },
      next_cursor: 3920,
    }),
  },
} as const satisfies Record<string, RouteDescription>;
