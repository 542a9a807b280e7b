import { TREND_BUCKETS, TREND_GROUPS } from '#contracts/audit/filter.js';
import { FACET_FIELDS } from '#contracts/audit/record.js';
import { CONTROL_KEYS, OUTCOMES } from '#contracts/common/control-mode.js';
import { OUTPUT_KINDS } from '#contracts/output/output.js';
import { REVIEW_FILTERS } from '#contracts/audit/review.store.js';
import { ORIGINS } from '#contracts/screening/screening.js';

/** Encoded values; a space is not allowed in a URL. */
export function wireValues(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const LONG = 'x'.repeat(8000);

/** Values that only text parameters accept. */
const NONSENSE = wireValues(String.raw`
  %25 _ %5C %27 %22 1%27;-- %24%24 * null undefined [] {} %3Cb%3E __proto__ constructor
  %00 1%00 %ED%A0%80 %FF %zz % %E0%A4%A %F0%9F%98%80 %C2%A0 %20 + %0D%0A
`);

/** For lists of choices, which share a parser. */
const SOME_NONSENSE = NONSENSE.filter((_, index) => index % 5 === 0);

/** A kind of parameter with valid and invalid values. */
export interface ParameterKind {
  readonly taken: readonly string[];
  readonly refused: readonly string[];
}

const notIntegers = [
  ...wireValues(
    '0 -1 00 01 1e3 1.0 1,0 0x1 %2B1 +1 %201 1%20 1%0A abc NaN Infinity %EF%BC%91 %D9%A1 1_000 1n',
  ),
  ...NONSENSE,
  LONG,
];

export const CURSOR: ParameterKind = {
  taken: ['1', '7', '%37', '9007199254740991'],
  refused: [
    ...notIntegers,
    ...wireValues('9007199254740992 9007199254740993 9999999999999999 10000000000000000'),
    '9'.repeat(400),
  ],
};

/** A larger number counts as the largest. */
export const LIMIT: ParameterKind = {
  taken: ['1', '200', '201', '9007199254740993', '9'.repeat(400)],
  refused: notIntegers,
};

export const FLAG: ParameterKind = {
  taken: ['true', 'false', '1', '0', '%74rue'],
  refused: [...wireValues('maybe TRUE True yes on 2 -1 01 00 true%20 %20true t'), ...NONSENSE, LONG],
};

export const OUTCOME: ParameterKind = {
  taken: OUTCOMES,
  refused: [...wireValues('Blocked blocked%20 block all 1'), ...NONSENSE, LONG],
};

export const CONTROL: ParameterKind = {
  taken: [...CONTROL_KEYS, 'all'],
  refused: [...wireValues('ALL HITL hitl%20 A input-screen 0'), ...SOME_NONSENSE, LONG],
};

export const ONE_CONTROL: ParameterKind = {
  taken: CONTROL_KEYS,
  refused: [...CONTROL.refused, 'all'],
};

export const ORIGIN: ParameterKind = {
  taken: ORIGINS,
  refused: [...wireValues('Prompt prompt%20 tool 1'), ...SOME_NONSENSE, LONG],
};

export const BUCKET: ParameterKind = {
  taken: TREND_BUCKETS,
  refused: [...wireValues('Day week minute day%20 1'), ...SOME_NONSENSE, LONG],
};

export const TREND_GROUP: ParameterKind = {
  taken: TREND_GROUPS,
  refused: [...wireValues('Control ruleId tool control%20 1'), ...SOME_NONSENSE, LONG],
};

export const FACET_FIELD: ParameterKind = {
  taken: FACET_FIELDS,
  refused: [...wireValues('Control ruleId run_id control%20 1'), ...SOME_NONSENSE, LONG],
};

export const REVIEW: ParameterKind = {
  taken: REVIEW_FILTERS,
  refused: [...wireValues('None positive any%20 1'), ...SOME_NONSENSE, LONG],
};

const OUTPUT_KIND: ParameterKind = {
  taken: OUTPUT_KINDS,
  refused: [...wireValues('PII_redaction html pii%20redaction 1'), ...SOME_NONSENSE, LONG],
};

const DAY_BUCKET: ParameterKind = {
  taken: ['day', '%64ay'],
  refused: [...wireValues('Day hour day%20 1'), ...SOME_NONSENSE, LONG],
};

const FIELDS: ParameterKind = {
  taken: ['summary', '%73ummary'],
  refused: [...wireValues('Summary all id pattern summary%20 1'), ...SOME_NONSENSE, LONG],
};

const HISTORY_STATUS: ParameterKind = {
  taken: ['approved', 'executed', 'outcome_unknown', '%65xpired'],
  refused: [...wireValues('pending Approved all approved%20 1'), ...SOME_NONSENSE, LONG],
};

export const INSTANT: ParameterKind = {
  taken: wireValues(`
    2024-02-29 2000-02-29 0001-01-01 9999-12-31 2026%2D05%2D02 2026-05-02T00:00 2026-05-02T23:59:59.999Z
    2026-12-31T23:59:59-23:59 2026-05-02T10:30:00%2B14:00 2026-05-02T10:30:00.000-00:00
    0001-01-01T00:00%2B23:59 9999-12-31T23:59-23:59
  `),
  refused: [
    ...wireValues(`
      tomorrow now infinity 1714608000000 20260502 2026-122 2026-W18-6 2026-05 2026
      2026-5-2 02.05.2026 2026/05/02 12026-05-02 %2B12026-05-02 -0001-05-02 2026-05-02Z
      2026-02-30 2026-04-31 2026-13-01 2026-00-10 2026-01-00 2026-01-32 0000-01-01
      2025-02-29 1900-02-29 2100-02-29 2026-02-29T10:00Z 0000-02-29
      2026-05-02T24:00 2026-05-02T24:00:00Z 2026-05-02T23:60 2026-05-02T23:59:60 2026-06-30T23:59:60Z
      2026-05-02T 2026-05-02T10 2026-05-02T10Z 2026-05-02T1:30 2026-05-02T10:30:0
      2026-05-02T10:30:00.1 2026-05-02T10:30:00.1234 2026-05-02T10:30:00,500Z 2026-05-02T10:30.5Z
      2026-05-02T10:30%2B2:00 2026-05-02T10:30%2B0200 2026-05-02T10:30%2B24:00 2026-05-02T10:30%2B02:60
      2026-05-02T10:30+02:00 2026-05-02+10:30 2026-05-02t10:30z 2026-05-02T10:30ZZ
      %202026-05-02 2026-05-02%20 2026-05-02%0A 2026-05-02%00 2026-05-02%27;--
      %D9%A2026-05-02 %EF%BC%92026-05-02 2026%E2%88%9205%E2%88%9202
    `),
    ...NONSENSE,
    LONG,
  ],
};

/** Any text of up to 500 characters, compared literally. */
export const TEXT: ParameterKind = {
  taken: [
    ...NONSENSE,
    ...wireValues(String.raw`
      0 -1 1e3 01 9007199254740993 %27%20or%201=1-- %27);drop%20table%20x;-- %5C%25 \ ' " {{7*7}} $1 :x ?
    `),
    'x'.repeat(500),
    '%F0%9F%98%80'.repeat(500),
  ],
  refused: ['x'.repeat(501), '%F0%9F%98%80'.repeat(501), '%00'.repeat(501), '%FF'.repeat(501), LONG],
};

export interface ReadRoute {
  readonly path: string;
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, ParameterKind>>;
}

const PAGE = { cursor: CURSOR, after: CURSOR, limit: LIMIT };
const RANGE = { from: INSTANT, to: INSTANT };
const AUDIT = {
  blocked: FLAG,
  outcome: OUTCOME,
  control: CONTROL,
  rule_id: TEXT,
  principal_id: TEXT,
  application: TEXT,
  q: TEXT,
  ...RANGE,
};

const AUDIT_LIST = {
  run_id: TEXT,
  request_id: TEXT,
  tool: TEXT,
  origin: ORIGIN,
  errored: FLAG,
  ruleset_version: TEXT,
  review: REVIEW,
  kind: OUTPUT_KIND,
  detector: TEXT,
  matched: TEXT,
};

/** Every route with a query, and all its parameters. */
export const READ_ROUTES: readonly ReadRoute[] = [
  { path: '/audit', endpoint: 'audit-list', parameters: { ...AUDIT, ...AUDIT_LIST, ...PAGE } },
  {
    path: '/audit/trend',
    endpoint: 'audit-trend',
    parameters: { ...AUDIT, bucket: BUCKET, by: TREND_GROUP },
  },
  {
    path: '/audit/facets',
    endpoint: 'audit-facets',
    parameters: { ...AUDIT, ...AUDIT_LIST, field: FACET_FIELD },
  },
  {
    path: '/runs',
    endpoint: 'run-list',
    parameters: {
      outcome: OUTCOME,
      control: ONE_CONTROL,
      application: TEXT,
      principal_id: TEXT,
      run_id: TEXT,
      ...RANGE,
      ...PAGE,
    },
  },
  {
    path: '/firewall',
    endpoint: 'firewall',
    parameters: {
      principal_id: TEXT,
      application: TEXT,
      tool: TEXT,
      q: TEXT,
      reason: TEXT,
      ...RANGE,
      ...PAGE,
    },
  },
  {
    path: '/firewall/reasons',
    endpoint: 'firewall-reasons',
    parameters: { principal_id: TEXT, application: TEXT, tool: TEXT, q: TEXT, reason: TEXT, ...RANGE },
  },
  {
    path: '/output/stats',
    endpoint: 'output-stats',
    parameters: { ...RANGE, application: TEXT, bucket: DAY_BUCKET },
  },
  { path: '/rules', endpoint: 'rule-list', parameters: { fields: FIELDS, cursor: CURSOR, limit: LIMIT } },
  { path: '/approvals', endpoint: 'approval-list', parameters: PAGE },
  {
    path: '/approvals/history',
    endpoint: 'approval-history',
    parameters: { ...PAGE, status: HISTORY_STATUS },
  },
  { path: '/holds', endpoint: 'hold-list', parameters: { ...PAGE, active: FLAG } },
  {
    path: '/events/sinks/siem/dead',
    endpoint: 'event-dead-letters',
    parameters: { cursor: CURSOR, limit: LIMIT },
  },
  {
    path: '/settings/changes',
    endpoint: 'settings-changes',
    parameters: { key: TEXT, actor: TEXT, ...RANGE, ...PAGE },
  },
];

/** Parameters of one kind share a parser, so only the first of them is called with every value. */
const SAMPLED = 10;

interface ParameterRow extends Omit<ReadRoute, 'parameters'> {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly sample: <Value>(values: readonly Value[]) => readonly Value[];
}

/** One row for each route and parameter. */
export const EVERY_PARAMETER = READ_ROUTES.flatMap(({ path, endpoint, parameters }) =>
  Object.entries(parameters).map(([name, kind]) => ({ path, endpoint, name, kind })),
).map((row, index, rows): ParameterRow => ({
  ...row,
  sample: (values) =>
    rows.findIndex(({ kind }) => kind === row.kind) === index
      ? values
      : values.filter((_, position) => position % SAMPLED === index % SAMPLED),
}));
