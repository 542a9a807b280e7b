import type { NewRejection } from '#contracts/firewall/firewall.js';
import type { OutputCount } from '#contracts/output/output.js';
import { eventParts } from '../outbox/event-insert.js';
import { CONTENT_COLUMNS, EVIDENCE_COLUMNS, rowHashOf } from '../database/entry-columns.js';
import { principalDigest } from '../database/list-filters.js';
import { Columns, join, raw, sql, toJsonText, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import { within } from '../database/time-windows.js';
import { countsOf, type BatchCounts } from './audit-counts.js';
import { SUMS_OF_CONFLICT } from './count-folding.js';
import { keyOf } from '../runs/run.store.js';
import type { DecisionRow, Writer } from './decision-row.js';

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
  const rejected = rejectedIn(rows, principals);
  const outputs = outputsOf(rows);
  const ofRuns = runEntriesOf(rows);
  const events = rows.flatMap(({ outgoing }, index) =>
    outgoing.map((event) => ({ event, place: index + 1 })),
  );
  // The count of a row is one row, too.
  const isOne = rows.length === 1 && principals.size <= 1;
  const parts = [
    ...countParts(tables, counts, isOne),
    ...principalParts(tables, principals, isOne),
    evidencePart(tables, batch, principals, isOne),
    isOne ? ID : IDS,
    idRangesPart(tables, counts),
    contentPart(tables, rows, isOne),
    writerPart(tables, rows.length, end, endsWriter),
    ...rejectionParts(tables, rejected),
    ...outputCountParts(tables, outputs),
    ...runQueueParts(tables, ofRuns, isOne),
    ...eventParts(tables, events, EVIDENCE_ID),
  ];
  const statement = sql`with ${join(parts, ',\n')} select id from evidence ${isOne ? NOTHING : BY_SEQUENCE}`;
  const differences = [
    isOne,
    principals.size > 0,
    counts.ruleHits.length > 0,
    counts.outputSums.length > 0,
    rejected.length > 0,
    outputs.length > 0,
    ofRuns.length > 0,
    events.length > 0,
    events.some(({ event }) => event.sinks.length > 0),
  ];
  return withKnownText(statement, tables, differences);
}

/** The texts of statements by all that they depend on. */
const texts = new WeakMap<Tables, Map<number, string>>();

/** Composing the text and comparing it with prepared statements takes longer than all values of a row. */
function withKnownText(statement: Sql, tables: Tables, differences: readonly boolean[]): Sql {
  const shape = differences.reduce((bits, bit) => bits * 2 + Number(bit), 0);
  const known = texts.get(tables) ?? new Map<number, string>();
  texts.set(tables, known);
  const text = known.get(shape) ?? statement.text;
  known.set(shape, text);
  return statement.withText(text);
}

/** The id of the evidence for a part with a column `place`. */
const EVIDENCE_ID = raw('(select list from ids)[given.place]');
const PRINCIPAL_ID = raw('(select list from principal_ids)[given.principal]');

const IDS = sql`ids as (select array_agg(id order by sequence) as list from evidence)`;
const ID = sql`ids as (select array[id] as list from evidence)`;

const BY_SEQUENCE = raw('order by sequence');
const NOTHING = raw('');

function relationOf<Row>(columns: Columns<Row>, rows: readonly Row[], isOne: boolean) {
  const [first] = rows;
  return isOne && first !== undefined ? columns.oneRow(first) : columns.rows(rows);
}

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

const PRINCIPAL = Columns.of<{ digest: Buffer; name: string }>({ digest: 'bytea', name: 'text' });

/**
 * `principal_ids`: ids in the order of the digests. Only new principals are inserted. Another batch may have inserted the
 * same name meanwhile; then the insert returns its row.
 */
function principalParts(tables: Tables, principals: Principals, isOne: boolean): readonly Sql[] {
  const named = [...principals].map(([name, { digest }]) => ({ digest, name }));
  const [only] = named;
  if (only === undefined) return [sql`principal_ids as (select null::bigint[] as list)`];
  const given = relationOf(PRINCIPAL, named, isOne);
  if (isOne)
    return [
      sql`added as (
      insert into ${tables.principals} (digest, name)
      select digest, name from ${given}
      where not exists (select from ${tables.principals} known where known.digest = given.digest)
      on conflict (digest) do update set name = excluded.name
      returning id)`,
      sql`principal_ids as (
      select array[coalesce(
        (select id from ${tables.principals} where digest = ${only.digest}), (select id from added))] as list)`,
    ];
  return [
    sql`given_principals as (select * from ${given})`,
    sql`known as (select known.digest, known.id from given_principals join ${tables.principals} known using (digest))`,
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

interface GivenEvidence {
  readonly row: DecisionRow;
  readonly principal: number | null;
  readonly sequence: number;
  readonly rowHash: Buffer | undefined;
}

const EVIDENCE = new Columns<GivenEvidence>([
  ['principal', 'integer', ({ principal }) => principal],
  ['sequence', 'bigint', ({ sequence }) => sequence],
  ['row_hash', 'bytea', ({ rowHash }) => rowHash],
  ['day', 'text', ({ row }) => within(row.minute, 'day')],
  ...EVIDENCE_COLUMNS.map(
    ([name, type], index) => [name, type, ({ row }: GivenEvidence) => row.values[index]] as const,
  ),
]);
const EVIDENCE_NAMES = ['sequence', 'row_hash', 'day', ...EVIDENCE_COLUMNS.map(([name]) => name)];
const INSERTED = raw(EVIDENCE_NAMES.join(', '));
const INSERTED_VALUES = raw(EVIDENCE_NAMES.map((name) => `given.${name}`).join(', '));

/** Locks the table `append_lock`, which has no rows, so that retention can wait for appends. */
function evidencePart(
  tables: Tables,
  { rows, sequences, hashes, end }: Batch,
  principals: Principals,
  isOne: boolean,
): Sql {
  const given = rows.map((row, index) => ({
    row,
    principal: placeOf(principals, row.evidence.principalId),
    sequence: sequences[index] ?? Number.NaN,
    rowHash: hashes[index],
  }));
  return sql`evidence as (
      insert into ${tables.evidence} (writer, principal_ref, ${INSERTED})
      select ${end.writer}::uuid, ${PRINCIPAL_ID}, ${INSERTED_VALUES}
      from ${relationOf(EVIDENCE, given, isOne)} where not exists (select from ${tables.appendLock} for key share)
      ${isOne ? NOTHING : BY_SEQUENCE}
      returning id, sequence)`;
}

interface GivenContent {
  readonly place: number;
  readonly content: DecisionRow['content'];
}

const CONTENT = new Columns<GivenContent>([
  ['place', 'integer', ({ place }) => place],
  ...CONTENT_COLUMNS.map(
    ([name, type, valueOf]) => [name, type, ({ content }: GivenContent) => valueOf(content)] as const,
  ),
]);
const CONTENT_NAMES = raw(CONTENT_COLUMNS.map(([name]) => name).join(', '));

function contentPart(tables: Tables, rows: readonly DecisionRow[], isOne: boolean) {
  const given = rows.map(({ content }, index) => ({ content, place: index + 1 }));
  return sql`content as (
      insert into ${tables.content} (evidence_id, ${CONTENT_NAMES})
      select ${EVIDENCE_ID}, ${CONTENT_NAMES} from ${relationOf(CONTENT, given, isOne)})`;
}

const UNIT_TIME = { unit: 'text', time: 'text' } as const;
const ID_RANGE = Columns.of<BatchCounts['idRanges'][number]>({
  ...UNIT_TIME,
  first: 'integer',
  last: 'integer',
});

function idRangesPart({ idRanges }: Tables, counts: BatchCounts): Sql {
  const given = ID_RANGE.rows(counts.idRanges);
  return sql`id_ranges as (
      insert into ${idRanges} as existing (unit, time, min_id, max_id)
      select unit, time, (select list from ids)[first], (select list from ids)[last] from ${given}
      on conflict (unit, time) do update set
        min_id = least(existing.min_id, excluded.min_id), max_id = greatest(existing.max_id, excluded.max_id)
      where excluded.min_id < existing.min_id or excluded.max_id > existing.max_id)`;
}

/** `sequence` becomes null, and the statement fails, if the writer has ended. */
function writerPart({ writers }: Tables, size: number, { writer, sequence }: Writer, isEnded: boolean) {
  return sql`writer as (
      insert into ${writers} as existing (writer, sequence, last_id, ended)
      values (${writer}::uuid, ${sequence}::bigint, (select list from ids)[${size}::integer], ${isEnded}::boolean)
      on conflict (writer) do update set
        sequence = case when existing.ended then null else excluded.sequence end, last_id = excluded.last_id)`;
}

type GivenRejection = Omit<NewRejection, 'principalId' | 'violations'> & {
  readonly place: number;
  readonly principal: number | null;
  readonly violations: string;
};

const REJECTION = Columns.of<GivenRejection>({
  place: 'integer',
  principal: 'integer',
  tool: 'text',
  application: 'text',
  violations: 'text',
  violationCount: 'integer',
  enforced: 'boolean',
  occurredAt: 'timestamptz',
});

function rejectedIn(rows: readonly DecisionRow[], principals: Principals): readonly GivenRejection[] {
  return rows.flatMap(({ rejection }, index) => {
    if (rejection === null) return [];
    const { principalId, violations, ...others } = rejection;
    const principal = placeOf(principals, principalId);
    return [{ ...others, principal, violations: toJsonText(violations), place: index + 1 }];
  });
}

function rejectionParts({ rejections }: Tables, rejected: readonly GivenRejection[]): readonly Sql[] {
  if (rejected.length === 0) return [];
  return [
    sql`rejections as (
      insert into ${rejections}
        (evidence_id, principal_ref, tool, application, violations, violation_count, enforced, occurred_at)
      select ${EVIDENCE_ID}, ${PRINCIPAL_ID}, tool, application, violations, violation_count, enforced, occurred_at
      from ${REJECTION.rows(rejected)})`,
  ];
}

type GivenOutputCount = OutputCount & { readonly place: number; readonly occurredAt: Date };

const OUTPUT_COUNT = Columns.of<GivenOutputCount>({
  place: 'integer',
  occurredAt: 'timestamptz',
  kind: 'text',
  detector: 'text',
  enforced: 'boolean',
  count: 'bigint',
});

function outputsOf(rows: readonly DecisionRow[]): readonly GivenOutputCount[] {
  return rows.flatMap(({ evidence: { occurredAt }, outputCounts }, index) =>
    outputCounts.map((count) => ({ ...count, occurredAt, place: index + 1 })),
  );
}

function outputCountParts(tables: Tables, outputs: readonly GivenOutputCount[]): readonly Sql[] {
  if (outputs.length === 0) return [];
  return [
    sql`output_counts as (
      insert into ${tables.outputCounts} (evidence_id, occurred_at, kind, detector, enforced, count)
      select ${EVIDENCE_ID}, occurred_at, kind, detector, enforced, count from ${OUTPUT_COUNT.rows(outputs)})`,
  ];
}

interface RunEntry {
  readonly place: number;
  readonly key: string;
}

const RUN_ENTRY = Columns.of<RunEntry>({ place: 'integer', key: 'text' });

function runEntriesOf(rows: readonly DecisionRow[]): readonly RunEntry[] {
  return rows.flatMap(({ evidence }, index) =>
    evidence.runId === null ? [] : [{ key: keyOf({ ...evidence, runId: evidence.runId }), place: index + 1 }],
  );
}

/** A row of the run would be locked by each of its appends, so it is changed later: see `run-index.ts`. */
function runQueueParts({ runQueue }: Tables, ofRuns: readonly RunEntry[], isOne: boolean): readonly Sql[] {
  if (ofRuns.length === 0) return [];
  return [
    sql`run_queue as (
      insert into ${runQueue} (evidence_id, key)
      select ${EVIDENCE_ID}, key from ${relationOf(RUN_ENTRY, ofRuns, isOne)})`,
  ];
}

const DECISION_COUNT = Columns.of<BatchCounts['decisions'][number]>({
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
});
const RULE_HIT = Columns.of<BatchCounts['ruleHits'][number]>({
  ...UNIT_TIME,
  ruleId: 'text',
  hits: 'bigint',
  silenced: 'bigint',
});
const OUTPUT_SUM = Columns.of<BatchCounts['outputSums'][number]>({
  ...UNIT_TIME,
  kind: 'text',
  detector: 'text',
  enforced: 'boolean',
  count: 'bigint',
});

function countParts(tables: Tables, counts: BatchCounts, isOne: boolean): readonly Sql[] {
  const parts: Sql[] = [
    sql`counts as (
      insert into ${tables.newCounts} as existing
        (time, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at)
      select * from ${relationOf(DECISION_COUNT, counts.decisions, isOne)}
      on conflict (time, group_hash, ruleset_version) do update set ${SUMS_OF_CONFLICT})`,
  ];
  if (counts.ruleHits.length > 0)
    parts.push(sql`rule_hits as (
      insert into ${tables.ruleHits} as existing (unit, time, rule_id, hits, silenced)
      select * from ${RULE_HIT.rows(counts.ruleHits)}
      on conflict (unit, time, rule_id) do update set
        hits = existing.hits + excluded.hits, silenced = existing.silenced + excluded.silenced)`);
  if (counts.outputSums.length > 0)
    parts.push(sql`output_sums as (
      insert into ${tables.outputSums} as existing (unit, time, kind, detector, enforced, count)
      select * from ${OUTPUT_SUM.rows(counts.outputSums)}
      on conflict (unit, time, kind, detector, enforced) do update set count = existing.count + excluded.count)`);
  return parts;
}
