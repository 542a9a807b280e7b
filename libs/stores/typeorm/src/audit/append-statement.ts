import { eventParts } from '../outbox/event-insert.js';
import { principalDigest } from '../list-filters.js';
import {
  columnsOf,
  join,
  raw,
  relation,
  rows as relationOf,
  singleRow,
  sql,
  toJsonText,
  type Column,
  type Sql,
} from '../sql.js';
import type { Tables } from '../tables.js';
import { within } from '../time-windows.js';
import { countsOf, type BatchCounts } from './audit-counts.js';
import { SUMS_OF_CONFLICT } from './count-folding.js';
import { EVIDENCE_COLUMNS, rowHashOf, type DecisionRow, type Writer } from './decision-row.js';

/** Rows that one statement writes, and how far the writer has come once it is committed. */
export interface Batch {
  readonly rows: readonly DecisionRow[];
  /** The numbers of the rows among those of their writer. */
  readonly sequences: readonly number[];
  readonly hashes: readonly Buffer[];
  readonly end: Writer;
}

export function batchOf({ writer, sequence: before }: Writer, rows: readonly DecisionRow[]): Batch {
  return {
    rows,
    sequences: rows.map((_, index) => before + index + 1),
    hashes: rows.map(({ values }, index) => rowHashOf(writer, before + index + 1, values)),
    end: { writer, sequence: before + rows.length },
  };
}

/**
 * Writes a batch to all tables in one statement and returns the ids in the order of the rows. PostgreSQL runs parts that
 * nothing reads from in reverse order, so the counts and the ranges of ids come first: their rows, which every batch
 * changes, are locked last.
 *
 * Parts refer to each other by places in lists instead of joins, because a prepared plan cannot estimate how many rows
 * it will join.
 *
 * @param endsWriter no batch of the writer follows; the statement fails if the writer has ended before
 */
export function appendStatement(
  tables: Tables,
  batch: Batch,
  { endsWriter }: { readonly endsWriter: boolean },
): Sql {
  const { rows, end } = batch;
  const principals = principalsOf(rows);
  const counts = countsOf(rows);
  // The count of a row is one row, too.
  const given = rows.length === 1 && principals.size <= 1 ? singleRow : relation;
  const parts = [
    ...countParts(tables, counts, given),
    ...principalParts(tables, principals, given),
    evidencePart(tables, batch, principals, given),
    sql`ids as (select array_agg(id order by sequence) as list from evidence)`,
    idRangesPart(tables, counts),
    contentPart(tables, rows, given),
    writerPart(tables, rows.length, end, endsWriter),
    ...rejectionParts(tables, rows, principals),
    ...outputCountParts(tables, rows),
    ...eventParts(
      tables,
      rows.flatMap(({ outgoing }, index) => outgoing.map((event) => ({ event, place: index + 1 }))),
      EVIDENCE_ID,
    ),
  ];
  return sql`with ${join(parts, ',\n')} select id from evidence order by sequence`;
}

/** The id of the evidence for a part with a column `place`. */
const EVIDENCE_ID = raw('(select list from ids)[given.place]');
const PRINCIPAL_ID = raw('(select list from principal_ids)[given.principal]');

/** Makes a relation `given` of columns. */
type Given = (columns: readonly Column[]) => Sql;

type Principals = ReadonlyMap<string, { readonly digest: Buffer; readonly place: number }>;

/** Every name of the batch once, ordered by digest. */
function principalsOf(rows: readonly DecisionRow[]): Principals {
  const names = new Set<string | null>();
  for (const { evidence, rejection } of rows) {
    names.add(evidence.principalId);
    if (rejection !== null) names.add(rejection.principalId);
  }
  names.delete(null);
  const digests = [...(names as Set<string>)].map((name) => [name, principalDigest(name)] as const);
  const ordered = digests.toSorted(([, one], [, other]) => one.compare(other));
  return new Map(ordered.map(([name, digest], index) => [name, { digest, place: index + 1 }]));
}

/** `principal_ids`: ids in the order of the digests. Only new principals are inserted. */
function principalParts(tables: Tables, principals: Principals, relationOfGiven: Given): readonly Sql[] {
  if (principals.size === 0) return [sql`principal_ids as (select null::bigint[] as list)`];
  const named = [...principals].map(([name, { digest }]) => ({ digest, name }));
  const given = relationOfGiven(columnsOf(named, { digest: 'bytea', name: 'text' }));
  return [
    sql`given_principals as (select * from ${given})`,
    sql`known as (select known.digest, known.id from given_principals join ${tables.principals} known using (digest))`,
    // Another batch may have inserted the same name meanwhile; then this returns its row.
    sql`added as (
      insert into ${tables.principals} (digest, name)
      select digest, name from given_principals where digest not in (select digest from known) order by digest
      on conflict (digest) do update set name = excluded.name
      returning digest, id)`,
    sql`principal_ids as (
      select array_agg(id order by digest) as list
      from (select digest, id from known union all select digest, id from added) principal)`,
  ];
}

const placeOf = (principals: Principals, name: string | null): number | null =>
  name === null ? null : (principals.get(name)?.place ?? null);

const EVIDENCE_NAMES = EVIDENCE_COLUMNS.map(([name]) => name);

/** Locks the table `append_lock`, which has no rows, so that retention can wait for appends. */
function evidencePart(
  tables: Tables,
  { rows, sequences, hashes, end }: Batch,
  principals: Principals,
  given: Given,
): Sql {
  const inserted = ['sequence', 'row_hash', 'day', ...EVIDENCE_NAMES];
  const columns: Column[] = [
    {
      name: 'principal',
      type: 'integer',
      values: rows.map(({ evidence }) => placeOf(principals, evidence.principalId)),
    },
    { name: 'sequence', type: 'bigint', values: sequences },
    { name: 'row_hash', type: 'bytea', values: hashes },
    { name: 'day', type: 'text', values: rows.map(({ second }) => within(second, 'day')) },
    ...EVIDENCE_COLUMNS.map(([name, type], index) => ({
      name,
      type,
      values: rows.map(({ values }) => values[index]),
    })),
  ];
  return sql`evidence as (
      insert into ${tables.evidence} (writer, principal_ref, ${raw(inserted.join(', '))})
      select ${end.writer}::uuid, ${PRINCIPAL_ID}, ${raw(inserted.map((name) => `given.${name}`).join(', '))}
      from ${given(columns)} where not exists (select from ${tables.appendLock} for key share)
      order by given.sequence
      returning id, sequence)`;
}

function contentPart({ content }: Tables, rows: readonly DecisionRow[], relationOfGiven: Given): Sql {
  const contents = rows.map(({ content: given }, index) => ({
    place: index + 1,
    storage: given.storage,
    prompt: given.prompt,
    spanStart: given.matchedSpan?.[0] ?? null,
    spanEnd: given.matchedSpan?.[1] ?? null,
    matchedText: given.matchedText,
    alteration: given.alteration,
    policy: given.policy,
    salt: given.salt === null ? null : Buffer.from(given.salt, 'base64url'),
  }));
  const types = {
    place: 'integer',
    storage: 'text',
    prompt: 'text',
    spanStart: 'bigint',
    spanEnd: 'bigint',
    matchedText: 'text',
    alteration: 'text',
    policy: 'text',
    salt: 'bytea',
  };
  const given = relationOfGiven(columnsOf(contents, types));
  return sql`content as (
      insert into ${content}
        (evidence_id, storage, prompt, matched_span_start, matched_span_end, matched_text, alteration, policy,
         salt)
      select ${EVIDENCE_ID}, storage, prompt, span_start, span_end, matched_text, alteration, policy, salt from ${given})`;
}

const UNIT_TIME = { unit: 'text', time: 'text' } as const;

function idRangesPart({ idRanges }: Tables, counts: BatchCounts): Sql {
  const given = relationOf(counts.idRanges, { ...UNIT_TIME, first: 'integer', last: 'integer' });
  return sql`id_ranges as (
      insert into ${idRanges} as existing (unit, time, min_id, max_id)
      select unit, time, (select list from ids)[first], (select list from ids)[last] from ${given}
      on conflict (unit, time) do update set
        min_id = least(existing.min_id, excluded.min_id), max_id = greatest(existing.max_id, excluded.max_id)
      where excluded.min_id < existing.min_id or excluded.max_id > existing.max_id)`;
}

/** `sequence` becomes null, and the statement fails, if the writer has ended. */
function writerPart({ writers }: Tables, size: number, { writer, sequence }: Writer, isEnded: boolean): Sql {
  return sql`writer as (
      insert into ${writers} as existing (writer, sequence, last_id, ended)
      values (${writer}::uuid, ${sequence}::bigint, (select list from ids)[${size}::integer], ${isEnded}::boolean)
      on conflict (writer) do update set
        sequence = case when existing.ended then null else excluded.sequence end, last_id = excluded.last_id)`;
}

function rejectionParts(
  { rejections }: Tables,
  rows: readonly DecisionRow[],
  principals: Principals,
): readonly Sql[] {
  const rejected = rows.flatMap(({ rejection }, index) => {
    if (rejection === null) return [];
    const { principalId, violations, ...others } = rejection;
    const principal = placeOf(principals, principalId);
    return [{ ...others, principal, violations: toJsonText(violations), place: index + 1 }];
  });
  if (rejected.length === 0) return [];
  const given = relationOf(rejected, {
    place: 'integer',
    principal: 'integer',
    tool: 'text',
    application: 'text',
    violations: 'text',
    violationCount: 'integer',
    enforced: 'boolean',
    occurredAt: 'timestamptz',
  });
  return [
    sql`rejections as (
      insert into ${rejections}
        (evidence_id, principal_ref, tool, application, violations, violation_count, enforced, occurred_at)
      select ${EVIDENCE_ID}, ${PRINCIPAL_ID}, tool, application, violations, violation_count, enforced, occurred_at
      from ${given})`,
  ];
}

function outputCountParts(tables: Tables, rows: readonly DecisionRow[]): readonly Sql[] {
  const counts = rows.flatMap(({ evidence: { occurredAt }, outputCounts }, index) =>
    outputCounts.map((count) => ({ ...count, occurredAt, place: index + 1 })),
  );
  if (counts.length === 0) return [];
  const given = relationOf(counts, {
    place: 'integer',
    occurredAt: 'timestamptz',
    kind: 'text',
    detector: 'text',
    enforced: 'boolean',
    count: 'bigint',
  });
  return [
    sql`output_counts as (
      insert into ${tables.outputCounts} (evidence_id, occurred_at, kind, detector, enforced, count)
      select ${EVIDENCE_ID}, occurred_at, kind, detector, enforced, count from ${given})`,
  ];
}

function countParts(tables: Tables, counts: BatchCounts, relationOfGiven: Given): readonly Sql[] {
  const types = {
    time: 'text',
    groupHash: 'bytea',
    control: 'text',
    ruleId: 'text',
    application: 'text',
    rulesetVersion: 'text',
    allowed: 'bigint',
    observed: 'bigint',
    blocked: 'bigint',
    lastSeenAt: 'timestamptz',
  };
  const given = relationOfGiven(columnsOf(counts.decisions, types));
  const parts: Sql[] = [
    sql`counts as (
      insert into ${tables.newCounts} as existing
        (time, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at)
      select * from ${given}
      on conflict (time, group_hash, ruleset_version) do update set ${SUMS_OF_CONFLICT})`,
  ];
  if (counts.ruleHits.length > 0)
    parts.push(sql`rule_hits as (
      insert into ${tables.ruleHits} as existing (unit, time, rule_id, hits, silenced)
      select * from ${relationOf(counts.ruleHits, { ...UNIT_TIME, ruleId: 'text', hits: 'bigint', silenced: 'bigint' })}
      on conflict (unit, time, rule_id) do update set
        hits = existing.hits + excluded.hits, silenced = existing.silenced + excluded.silenced)`);
  if (counts.outputSums.length > 0) {
    const sums = { ...UNIT_TIME, kind: 'text', detector: 'text', enforced: 'boolean', count: 'bigint' };
    parts.push(sql`output_sums as (
      insert into ${tables.outputSums} as existing (unit, time, kind, detector, enforced, count)
      select * from ${relationOf(counts.outputSums, sums)}
      on conflict (unit, time, kind, detector, enforced) do update set count = existing.count + excluded.count)`);
  }
  return parts;
}
