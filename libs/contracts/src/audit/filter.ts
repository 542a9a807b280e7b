/** How entries are selected: the parameters of the routes, and the filter that stores apply. */
import { BACKTEST_CONTROLS, CONTROL_KEYS, type ControlKey } from '../common/control-mode.js';
import { OUTPUT_KINDS } from '../output/output.js';
import { byDefault, equalTo, filterText, flag, pageOf, RANGE } from '../common/query.js';
import { FACET_FIELDS } from './record.js';
import { REVIEW_FILTERS } from './review.store.js';
import {
  about,
  choice,
  id,
  object,
  optional,
  type Optional,
  type SchemaOf,
  type Static,
} from '../common/schema.js';
import { ATTRIBUTES } from './entry.js';

/** The filters "attribute = value". */
export const EQUAL = [
  'outcome',
  'application',
  'run_id',
  'request_id',
  'tool',
  'origin',
  'errored',
  'ruleset_version',
] as const;

type EqualMembers = {
  readonly [Name in (typeof EQUAL)[number]]: Optional<
    SchemaOf<NonNullable<Static<(typeof ATTRIBUTES)[Name]>>>
  >;
};

const equal = Object.fromEntries(
  EQUAL.map((name) => [name, optional(equalTo(ATTRIBUTES[name]))]),
) as unknown as EqualMembers;

/** The filters that the trend has, too. */
const TREND_FILTERS = {
  control: byDefault(
    'input_screen',
    about(choice([...CONTROL_KEYS, 'all']), 'The control that decided; `all` for every control.', 'all'),
  ),
  blocked: optional(flag),
  outcome: equal.outcome,
  application: equal.application,
  rule_id: optional(
    about(
      filterText,
      'The deciding rule. The id of a group stands for all its rules.',
      'instruction_override.ignore_previous',
    ),
  ),
  principal_id: optional(about(filterText, 'The principal for whom the model ran.', 'customer-42')),
  q: optional(
    about(
      filterText,
      'Literal text to find in the stored prompt; case-insensitive.',
      'previous instructions',
    ),
  ),
  ...RANGE,
};

/** The filters of the list, of facets and of exports. */
const LIST_FILTERS = {
  ...TREND_FILTERS,
  ...equal,
  review: optional(
    about(
      choice(REVIEW_FILTERS),
      'The latest review of the entry; `any` and `none` for entries with and without one.',
      'none',
    ),
  ),
  kind: optional(
    about(
      choice(OUTPUT_KINDS),
      'Outputs with a finding of this kind. Use it with `control=output_handler`.',
      'pii_redaction',
    ),
  ),
  detector: optional(
    about(
      filterText,
      'Outputs with a finding of this detector, and of `kind` where it is given. Use it with `control=output_handler`.',
      'email',
    ),
  ),
  matched: optional(
    about(
      filterText,
      'Prompts in which this rule, or a rule of this group, matched outside the exceptions, whether it decided or not.',
      'competitor_names',
    ),
  ),
};

const ListFilters = object(LIST_FILTERS);

const { from: _from, to: _to, ...ofBacktests } = LIST_FILTERS;

/** A backtest judges one control, and has its range beside the filters. */
export const BacktestFilters = object({
  ...ofBacktests,
  control: byDefault('input_screen', about(choice(BACKTEST_CONTROLS), 'The control that decided.')),
});
export type BacktestFilters = Static<typeof BacktestFilters>;

/** Selects entries; every member that is set must hold. */
export interface AuditFilter extends Omit<Static<typeof ListFilters>, 'control' | 'rule_id' | 'matched'> {
  /** Default: every control. */
  readonly control?: ControlKey;
  /** Decided by one of these rules. Never empty. */
  readonly rule_id?: readonly string[];
  /** Prompts in which one of these rules matched outside the exceptions, whether it decided or not. Never empty. */
  readonly matched?: readonly string[];
}

export const AUDIT_FILTERS = Object.keys(LIST_FILTERS) as readonly (keyof AuditFilter)[];

export const AuditQuery = object({ ...LIST_FILTERS, ...pageOf(200, 50) });
export type AuditQuery = Static<typeof AuditQuery>;

export const TREND_BUCKETS = ['day', 'hour'] as const;

/** The length of time that one point of a trend covers. */
export type TrendBucket = (typeof TREND_BUCKETS)[number];

export const TREND_GROUPS = ['control', 'rule_id', 'application'] as const;

/** The attribute whose values get one series each. */
export type TrendGroup = (typeof TREND_GROUPS)[number];

export const TrendQuery = object({
  ...TREND_FILTERS,
  bucket: byDefault('day', about(choice(TREND_BUCKETS), 'The unit of the points.', 'hour')),
  by: optional(
    about(
      choice(TREND_GROUPS),
      'Adds one series for each of the 20 values with the most decisions.',
      'rule_id',
    ),
  ),
});
export type TrendQuery = Static<typeof TrendQuery>;

export const FacetQuery = object({
  field: byDefault('rule_id', about(choice(FACET_FIELDS), 'The field whose values are counted.', 'rule_id')),
  ...LIST_FILTERS,
});
export type FacetQuery = Static<typeof FacetQuery>;

export const ExportQuery = object({
  format: byDefault(
    'ndjson',
    about(
      choice(['ndjson', 'csv']),
      '`ndjson`: a line of JSON for each entry. `csv`: for spreadsheets; a cell never starts a formula.',
      'csv',
    ),
  ),
  with_content: byDefault(
    false,
    about(flag, 'Adds the stored text, the policy record, and the salt of the commitments.', true),
  ),
  after: optional(about(id, 'Only entries with a higher id.', 4711)),
  limit: optional(about(id, 'The largest number of entries. Default: all.', 100_000)),
  ...LIST_FILTERS,
});
export type ExportQuery = Static<typeof ExportQuery>;
