import type { AuditFilter, AuditListEntry } from '#contracts/audit.js';
import type { Outcome } from '#contracts/control-mode.js';
import { previewOf, PREVIEW_LENGTH } from '#contracts/text.js';
import { contains, isIn, principalEquals, textEquals, textIn, withinTimes } from '../list-filters.js';
import { join, raw, sql, toJsonText, where, type Sql } from '../sql.js';
import type { Tables } from '../tables.js';
import { hasNoReview, reviewJoin } from '../reviews/reviews.store.js';
import { findingPart } from './decision-row.js';
import { containsByTrigram } from './text-search.js';

/** Filters that rows and counts can both answer. */
export type GroupFilter = Pick<AuditFilter, 'control' | 'blocked' | 'outcome' | 'ruleIds' | 'application'>;

export function groupConditions(
  { control, blocked, outcome, ruleIds, application }: GroupFilter,
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
    ...(control === undefined ? [] : [sql`${raw(`${alias}control`)} = ${control}`]),
    ...(blocked === undefined ? [] : [blocked ? outcomeIs.blocked : raw(`${alias}outcome <> 'blocked'`)]),
    ...(outcome === undefined ? [] : [outcomeIs[outcome]]),
    ...(ruleIds === undefined ? [] : [isOneOf(`${alias}rule_id`, ruleIds)]),
    ...(application === undefined ? [] : [isOneOf(`${alias}application`, [application])]),
  ];
}

/** Filters without an index: their rows are found by reading windows of ids. */
export function readsWindows({
  origin,
  errored,
  rulesetVersion,
  findingKind,
  detector,
  matchedRules,
}: AuditFilter): boolean {
  return [origin, errored, rulesetVersion, findingKind, detector, matchedRules].some(
    (value) => value !== undefined,
  );
}

/** Conditions on evidence `e` and, with `q`, on content `c`. A review other than `none` is a condition of `auditJoins`. */
export function auditConditions(
  tables: Tables,
  { q, principalId, review, ...filter }: AuditFilter,
  usesTrigrams: boolean,
): readonly Sql[] {
  return [
    ...(q === undefined ? [] : [usesTrigrams ? containsByTrigram(q) : contains('c.prompt', q)]),
    ...groupConditions(filter, 'e.', textIn),
    ...(principalId === undefined ? [] : [principalEquals('e.principal_ref', principalId, tables)]),
    ...recordConditions(filter),
    ...(review === 'none' ? [hasNoReview('e.id', tables)] : []),
    ...withinTimes(filter, { id: 'e.id', time: 'e.occurred_at' }, tables),
  ];
}

function recordConditions({
  runId,
  requestId,
  tool,
  origin,
  errored,
  rulesetVersion,
  findingKind,
  detector,
  matchedRules,
}: AuditFilter): readonly Sql[] {
  const finding = findingPart(findingKind, detector);
  return [
    ...(runId === undefined ? [] : [textEquals('e.run_id', runId)]),
    ...(requestId === undefined ? [] : [textEquals('e.request_id', requestId)]),
    ...(tool === undefined ? [] : [textEquals('e.tool', tool)]),
    ...(origin === undefined ? [] : [sql`e.origin = ${origin}`]),
    ...(errored === undefined ? [] : [raw(errored ? 'e.errored' : 'not e.errored')]),
    ...(rulesetVersion === undefined ? [] : [sql`e.ruleset_version = ${rulesetVersion}`]),
    ...(finding === '' ? [] : [sql`position(${finding}::text in e.findings) > 0`]),
    ...(matchedRules === undefined ? [] : [hasMatch(matchedRules)]),
  ];
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

export interface AuditListRow extends Omit<AuditListEntry, 'promptPreview'> {
  /** The beginning of the text; `null` where no text is stored. */
  promptPreview: string | null;
}

/**
 * The newest entries in a range of ids. Names and texts are looked up for the rows of the page only, which needs less
 * planning than joins. One character more than a preview shows whether the text is longer.
 */
export function auditListQuery(
  tables: Tables,
  filter: AuditFilter,
  ids: IdRange,
  limit: number,
  usesTrigrams: boolean,
): Sql {
  const { principals, content } = tables;
  return sql`select e.id, e.control, e.outcome, e.mode, e.origin, e.rule_id as "ruleId", e.tool, e.application,
      e.ruleset_version as "rulesetVersion", e.prompt_length as "promptLength", e.errored,
      e.occurred_at as "occurredAt", e.approval_step as "approvalStep",
      (select p.name from ${principals} p where p.id = e.principal_ref) as "principalId",
      (select case when held.storage not in ('hash', 'erased') then left(held.prompt, ${raw(String(PREVIEW_LENGTH + 1))}) end
       from ${content} held where held.evidence_id = e.id) as "promptPreview"
    from ${filteredRows(tables, filter, ids, usesTrigrams)}
    order by e.id desc limit ${raw(String(limit))}`;
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
export function auditListEntry(row: AuditListRow): AuditListEntry {
  if (row.promptPreview !== null) row.promptPreview = previewOf(row.promptPreview);
  return row;
}
