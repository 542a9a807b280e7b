import { AuditListItem } from '#contracts/audit/entry.js';
import { EQUAL, type AuditFilter } from '#contracts/audit/filter.js';
import type { Outcome } from '#contracts/common/control-mode.js';
import { previewOf, PREVIEW_LENGTH } from '#contracts/common/text.js';
import {
  contains,
  isIn,
  principalEquals,
  textEquals,
  textIn,
  withinTimes,
} from '../database/list-filters.js';
import { join, raw, sql, toJsonText, where, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import { hasNoReview, reviewJoin } from '../reviews/reviews.store.js';
import { findingPart } from './decision-row.js';
import { containsByTrigram } from './text-search.js';

/** Filters that rows and counts can both answer. */
export const GROUP_FILTERS = ['control', 'blocked', 'outcome', 'rule_id', 'application'] as const;
export type GroupFilter = Pick<AuditFilter, (typeof GROUP_FILTERS)[number]>;

export function groupConditions(
  { control, blocked, outcome, rule_id: ruleIds, application }: GroupFilter,
  alias = '',
  isOneOf: (column: string, texts: readonly string[]) => Sql = isIn,
): readonly Sql[] {
  // A literal, because the partial indexes of blocked and observed rows need one.
  const outcomeIs: Readonly<Record<Outcome, Sql>> = {
    allowed: raw(`${alias}outcome = 'allowed'`),
    observed: raw(`${alias}outcome = 'observed'`),
    blocked: raw(`${alias}outcome = 'blocked'`),
  };
  return [
    ...when(control, (key) => sql`${raw(`${alias}control`)} = ${key}`),
    ...when(blocked, (is) => (is ? outcomeIs.blocked : raw(`${alias}outcome <> 'blocked'`))),
    ...when(outcome, (one) => outcomeIs[one]),
    ...when(ruleIds, (ids) => isOneOf(`${alias}rule_id`, ids)),
    ...when(application, (name) => isOneOf(`${alias}application`, [name])),
  ];
}

/** The condition of a filter, if it is set. */
function when<T>(value: T | undefined, condition: (value: T) => Sql): readonly Sql[] {
  return value === undefined ? [] : [condition(value)];
}

/** The indexes hold short texts only; `textEquals` adds that condition. */
const INDEXED: readonly (keyof AuditFilter)[] = ['run_id', 'request_id', 'tool'];
const GROUPED: readonly (keyof AuditFilter)[] = ['outcome', 'application'];
const OTHER_EQUAL = EQUAL.filter((name) => !GROUPED.includes(name));
const WITHOUT_INDEX: readonly (keyof AuditFilter)[] = [
  ...OTHER_EQUAL.filter((name) => !INDEXED.includes(name)),
  'kind',
  'detector',
  'matched',
];

/** Filters without an index: their rows are found by reading windows of ids. */
export function readsWindows(filter: AuditFilter): boolean {
  return WITHOUT_INDEX.some((name) => filter[name] !== undefined);
}

/** Conditions on evidence `e` and, with `q`, on content `c`. A review other than `none` is a condition of `auditJoins`. */
export function auditConditions(tables: Tables, filter: AuditFilter, usesTrigrams: boolean): readonly Sql[] {
  const { q, principal_id: principal, review, kind, detector, matched } = filter;
  const finding = findingPart(kind, detector);
  return [
    ...when(q, (part) => (usesTrigrams ? containsByTrigram(part) : contains('c.prompt', part))),
    ...groupConditions(filter, 'e.', textIn),
    ...when(principal, (name) => principalEquals('e.principal_ref', name, tables)),
    ...OTHER_EQUAL.flatMap((name) => when(filter[name], (value) => equals(name, value))),
    ...(finding === '' ? [] : [sql`position(${finding}::text in e.findings) > 0`]),
    ...when(matched, hasMatch),
    ...(review === 'none' ? [hasNoReview('e.id', tables)] : []),
    ...withinTimes(filter, { id: 'e.id', time: 'e.occurred_at' }, tables),
  ];
}

function equals(name: (typeof EQUAL)[number], value: string | boolean) {
  if (typeof value === 'boolean') return raw(value ? `e.${name}` : `not e.${name}`);
  return INDEXED.includes(name) ? textEquals(`e.${name}`, value) : sql`${raw(`e.${name}`)} = ${value}`;
}

/** A match that counted. The text is searched first, because most rows do not contain the ids at all. */
function hasMatch(ruleIds: readonly string[]): Sql {
  const isNamed = ruleIds.map((id) => sql`position(${toJsonText(id)}::text in e.matched_rules) > 0`);
  return sql`e.control = 'input_screen' and case when ${join(isNamed, ' or ')}
    then exists (select from jsonb_array_elements(e.matched_rules::jsonb) matched
      where ${isIn("matched ->> 'ruleId'", ruleIds)} and matched ->> 'exception' is distinct from 'true'
        and matched ->> 'notJudged' is distinct from 'true')
    else false end`;
}

/** What `auditConditions` need beside evidence `e`. With `readsContent`, content `c` is joined in any case. */
export function auditJoins(tables: Tables, { q, review }: AuditFilter, readsContent = false): Sql {
  const content =
    readsContent || q !== undefined ? sql`join ${tables.content} c on c.evidence_id = e.id` : raw('');
  return sql`${content} ${reviewJoin(review, tables)}`;
}

export interface IdRange {
  readonly from?: number;
  readonly below?: number | undefined;
  readonly above?: number | undefined;
}

/** An item as a driver returns it. Its preview has one character more, which shows whether the text is longer. */
export type AuditListRow = Omit<AuditListItem, 'occurred_at'> & { readonly occurred_at: Date };

const LISTED = Object.keys(AuditListItem['properties'] as object);

/**
 * The newest entries in a range of ids. Names and texts are looked up for the rows of the page only, which needs less
 * planning than joins.
 */
export function auditListQuery(
  tables: Tables,
  filter: AuditFilter,
  ids: IdRange,
  limit: number,
  usesTrigrams: boolean,
): Sql {
  return sql`select ${listColumns(tables)}
    from ${filteredRows(tables, filter, ids, usesTrigrams)}
    order by e.id desc limit ${raw(String(limit))}`;
}

/** The columns of an item, of evidence `e`. */
export function listColumns({ principals, content }: Tables): Sql {
  const computed: Readonly<Record<string, string>> = {
    blocked: `(e.outcome = 'blocked')`,
    principal_id: `(select p.name from ${principals.text} p where p.id = e.principal_ref)`,
    prompt_preview: `(select ${previewColumn('held')}
       from ${content.text} held where held.evidence_id = e.id)`,
  };
  return raw(
    LISTED.map((name) => (name in computed ? `${computed[name]} as ${name}` : `e.${name}`)).join(', '),
  );
}

/** One character more than `previewOf` shows. */
export function previewColumn(content: string): string {
  return `case when ${content}.storage not in ('hash', 'erased') then left(${content}.prompt, ${PREVIEW_LENGTH + 1}) end`;
}

/** From, joins and conditions of the rows in a range of ids that a filter finds, with their evidence as `e`. */
export function filteredRows(
  tables: Tables,
  { q, ...filter }: AuditFilter,
  ids: IdRange,
  usesTrigrams: boolean,
): Sql {
  const { evidence, content } = tables;
  if (q === undefined)
    return sql`${evidence} e ${auditJoins(tables, filter)} ${where([...auditConditions(tables, filter, false), ...inRange('e.id', ids)])}`;
  // The planner does not derive the range of one table from that of the other.
  if (usesTrigrams)
    return sql`${evidence} e ${auditJoins(tables, { ...filter, q })} ${where([
      ...auditConditions(tables, { ...filter, q }, true),
      ...inRange('e.id', ids),
      ...inRange('c.evidence_id', ids),
    ])}`;
  // Materialized, because the planner may otherwise read the texts backwards, which takes twice as long from a disk.
  return sql`${evidence} e join (
      with found as materialized (
        select evidence_id from ${content} ${where([contains('prompt', q), ...inRange('evidence_id', ids)])})
      select evidence_id from found) found on found.evidence_id = e.id ${auditJoins(tables, filter)}
    ${where([...auditConditions(tables, filter, false), ...inRange('e.id', ids)])}`;
}

function inRange(id: string, { from, below, above }: IdRange): readonly Sql[] {
  return [
    ...(from === undefined ? [] : [sql`${raw(id)} >= ${from}`]),
    ...(below === undefined ? [] : [sql`${raw(id)} < ${below}`]),
    ...(above === undefined ? [] : [sql`${raw(id)} > ${above}`]),
  ];
}

/** Changes the row in place, because copies are slow. */
export function auditListItem(row: AuditListRow): AuditListItem {
  const { occurred_at: time, prompt_preview: preview } = row;
  return Object.assign(row, {
    occurred_at: time.toISOString(),
    prompt_preview: preview === null ? null : previewOf(preview),
  });
}
