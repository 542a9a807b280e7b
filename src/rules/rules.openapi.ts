import type { RuleListData } from '#contracts/api/responses.js';
import { RULE_SOURCES, SEVERITIES } from '#contracts/screening.js';
import {
  about,
  choice,
  count,
  list,
  mode,
  nullable,
  moment,
  object,
  pattern,
  rulesetVersion,
  text,
} from '../openapi/json-schema.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

const schema = object<RuleListData>({
  rules: about(
    list(
      object<RuleListData['rules'][number]>({
        id: pattern('^[a-z][a-z0-9_.-]{0,99}$'),
        pattern: about(text, '`/pattern/flags`, run by the linear engine on the normalized text.'),
        description: text,
        severity: choice(SEVERITIES),
        tags: list(text),
        source: about(
          choice(RULE_SOURCES),
          "`settings` also if an operator's pattern replaces a built-in rule of the same id.",
        ),
        mode: about(mode, "The weaker of the control's mode and the rule's own."),
        hits_24h: about(
          count,
          'Screenings of the trailing 24 hours in which it matched, deciding or not; each counts once.',
        ),
        reviews: about(
          object<RuleListData['rules'][number]['reviews']>({
            true_positive: count,
            false_positive: count,
            unsure: count,
            precision: about(
              nullable({ type: 'number', minimum: 0, maximum: 1 }),
              '`true_positive` divided by `true_positive` plus `false_positive`; `null` if both are 0.',
            ),
          }),
          'Entries that this rule decided and that were reviewed in the last 90 days, by their latest verdict.',
        ),
      }),
    ),
    'In the order in which they run, including rules that are switched off.',
  ),
  ruleset_version: rulesetVersion,
  as_of: moment,
});

export const RULES = {
  'rules.index': {
    summary: 'The screening rules in force, and how often each matched in the last 24 hours',
    answer: answer<RuleListData>('RuleListData', schema, {
      rules: [
        {
          id: 'competitor_names',
          pattern: '/\\b(?:acme|globex)\\b/i',
          description: 'A rule of the operator.',
          severity: 'high',
          tags: [],
          source: 'settings',
          mode: 'monitor',
          hits_24h: 3,
          reviews: { true_positive: 9, false_positive: 3, unsure: 1, precision: 0.75 },
        },
      ],
      ruleset_version: 'builtin-3f9a1c07be52',
      as_of: '2026-03-31T09:15:00.000Z',
    }),
  },
} as const satisfies Record<string, RouteDescription>;
