import type { AuditFilter } from '#contracts/audit/filter.js';
import type { Content, ExportedEntry, RowPlace } from '#contracts/audit/record.js';
import type { ExportRange } from '#contracts/audit/store.js';
import { sql, raw, where, type Sql } from '../database/sql.js';
import { hasTimes } from '../database/list-filters.js';
import type { Tables } from '../database/tables.js';
import { auditConditions, auditJoins } from './audit-list.js';

type StoredEvidence = Omit<
  ExportedEntry,
  'content' | 'commitments' | 'matchedRules' | 'erroredRuleIds' | 'findings' | 'place'
> &
  RowPlace;

/** A row of the driver: JSON as text, bytes as buffers. */
interface ExportRow extends StoredEvidence {
  readonly matchedRules: string;
  readonly erroredRuleIds: string;
  readonly findings: string | null;
  readonly promptCommitment: Buffer;
  readonly matchedTextCommitment: Buffer | null;
  readonly principalCommitment: Buffer | null;
  readonly policyCommitment: Buffer | null;
}

interface ContentColumns extends Omit<Content, 'matchedSpan' | 'salt'> {
  readonly matchedSpanStart: number | null;
  readonly matchedSpanEnd: number | null;
  readonly salt: Buffer | null;
}

export type ExportedRow = ExportRow & Partial<ContentColumns>;

const EVIDENCE = raw(`e.id, e.occurred_at as "occurredAt", e.control, e.outcome, e.mode, e.origin, e.errored,
  e.prompt_length as "promptLength", e.duration_us as "durationUs", e.rule_id as "ruleId",
  e.matched_rules as "matchedRules", e.errored_rule_ids as "erroredRuleIds", e.findings,
  e.finding_count as "findingCount", e.application,
  e.request_id as "requestId", e.run_id as "runId", e.tool, e.ruleset_version as "rulesetVersion", e.rendering,
  e.approval_id as "approvalId", e.approval_step as "approvalStep", e.prompt_commitment as "promptCommitment",
  e.matched_text_commitment as "matchedTextCommitment", e.principal_commitment as "principalCommitment",
  e.policy_commitment as "policyCommitment", e.writer, e.sequence`);

const CONTENT = raw(`, c.storage, c.prompt, c.matched_span_start as "matchedSpanStart",
  c.matched_span_end as "matchedSpanEnd", c.matched_text as "matchedText", c.alteration, c.policy, c.salt`);

/** The oldest entries of a range of ids. Times are compared row by row, because an export must not trust an index of ids. */
export function exportQuery(
  tables: Tables,
  { from, to, ...filter }: AuditFilter,
  { after, through }: ExportRange,
  { limit, withContent }: { readonly limit: number; readonly withContent: boolean },
  usesTrigrams: boolean,
): Sql {
  const { evidence, principals } = tables;
  const conditions = [
    ...auditConditions(tables, filter, usesTrigrams),
    ...hasTimes('e.occurred_at', { from, to }),
    sql`e.id > ${after}`,
    sql`e.id <= ${through}`,
  ];
  return sql`select ${EVIDENCE},
      (select p.name from ${principals} p where p.id = e.principal_ref) as "principalId"
      ${withContent ? CONTENT : raw('')}
    from ${evidence} e ${auditJoins(tables, filter, withContent)} ${where(conditions)} order by e.id limit ${limit}`;
}

/**
 * Where an export continues after ids up to `scanned`, none of which it found: there, or before the next entry within its
 * times, which a BRIN index finds. The index of ids would be read upwards to the first one; `id + 0` prevents it.
 */
export function nextExported(
  { evidence }: Tables,
  filter: AuditFilter,
  { after, through }: ExportRange,
  scanned: number,
): Sql {
  const within = (from: number, last: number): Sql =>
    where([sql`id > ${from}`, sql`id <= ${last}`, ...hasTimes('occurred_at', filter)]);
  return sql`select case when exists (select from ${evidence} ${within(after, scanned)}) then ${scanned}::bigint
    else (select min(id + 0) - 1 from ${evidence} ${within(scanned, through)}) end as next`;
}

/** Names every member, because a copy of the rest of a row is slow. */
export function exportedEntry(row: ExportedRow): ExportedEntry {
  return {
    id: row.id,
    place: { writer: row.writer, sequence: row.sequence },
    occurredAt: row.occurredAt,
    control: row.control,
    outcome: row.outcome,
    mode: row.mode,
    origin: row.origin,
    ruleId: row.ruleId,
    matchedRules: JSON.parse(row.matchedRules) as ExportedEntry['matchedRules'],
    erroredRuleIds: JSON.parse(row.erroredRuleIds) as ExportedEntry['erroredRuleIds'],
    findings: row.findings === null ? [] : (JSON.parse(row.findings) as ExportedEntry['findings']),
    findingCount: row.findingCount,
    errored: row.errored,
    principalId: row.principalId,
    application: row.application,
    requestId: row.requestId,
    runId: row.runId,
    tool: row.tool,
    rulesetVersion: row.rulesetVersion,
    rendering: row.rendering,
    promptLength: row.promptLength,
    durationUs: row.durationUs,
    approvalId: row.approvalId,
    approvalStep: row.approvalStep,
    commitments: {
      prompt: row.promptCommitment.toString('base64url'),
      matchedText: base64url(row.matchedTextCommitment),
      principal: base64url(row.principalCommitment),
      policy: base64url(row.policyCommitment),
    },
    content: contentOf(row),
  };
}

function contentOf(row: ExportedRow): Content | null {
  const { storage, prompt } = row;
  if (storage === undefined || prompt === undefined) return null;
  return {
    storage,
    prompt,
    matchedSpan: spanOf(row.matchedSpanStart, row.matchedSpanEnd),
    matchedText: row.matchedText ?? null,
    alteration: row.alteration ?? null,
    policy: row.policy ?? null,
    salt: base64url(row.salt ?? null),
  };
}

function base64url(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('base64url');
}

function spanOf(start: number | null | undefined, end: number | null | undefined): Content['matchedSpan'] {
  return typeof start === 'number' && typeof end === 'number' ? [start, end] : null;
}
