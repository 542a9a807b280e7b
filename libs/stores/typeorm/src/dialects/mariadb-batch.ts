import type { EntityManager } from 'typeorm';
import { CONTENT_COLUMNS, EVIDENCE_COLUMNS, type EvidenceColumn } from '../audit/evidence-columns.js';
import type { Batch, SealedRow } from '../audit/batch.js';
import { rowsOf } from '../rows.js';
import type { Tables } from '../tables.js';
import { writeFolds } from './mariadb-folds.js';
import { writeOutgoing } from './mariadb-events.js';
import { insertRows, type Cell } from './mariadb-rows.js';
import { mariadbTime } from './spelling.js';

/**
 * A batch within the transaction of `manager`; answers the ids in the order of the rows. The rows that every batch
 * changes come last, and are held the shortest.
 */
export async function writeBatch(
  manager: EntityManager,
  tables: Tables,
  batch: Batch,
): Promise<readonly number[]> {
  // Shared among all appends; who has to wait for them takes it for himself.
  await rowsOf(manager, `select id from ${tables.retentionState} lock in share mode`);
  const principals = await principalsOf(manager, tables, batch);
  const refOf = (name: string | null): number | null =>
    name === null ? null : (principals.get(name) ?? null);
  const ids = await writeEvidence(manager, tables, batch, refOf);
  await writeContent(manager, tables, batch.rows, ids);
  await writeRejections(manager, tables, batch.rows, ids, refOf);
  await writeOutputCounts(manager, tables, batch.rows, ids);
  await writeOutgoing(
    manager,
    tables,
    batch.rows.flatMap(({ outgoing }, place) =>
      outgoing.map((event) => ({ event, auditId: ids[place] ?? null })),
    ),
  );
  await writeFolds(manager, tables, batch, ids);
  return ids;
}

type RefOf = (name: string | null) => number | null;

/** Name → id of everyone the batch names. Only who is new is written; another batch may be writing the same name. */
async function principalsOf(
  manager: EntityManager,
  tables: Tables,
  { principals }: Batch,
): Promise<ReadonlyMap<string, number>> {
  if (principals.size === 0) return new Map();
  const known = await knownPrincipals(manager, tables, principals);
  const fresh = [...principals].filter(([name]) => !known.has(name));
  if (fresh.length === 0) return known;
  await insertRows(
    manager,
    { into: tables.principals, columns: ['digest', 'name'], onDuplicate: 'name = values(name)' },
    fresh.map(([name, digest]) => [digest, name]),
  );
  return knownPrincipals(manager, tables, principals);
}

async function knownPrincipals(
  manager: EntityManager,
  tables: Tables,
  principals: Batch['principals'],
): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf<{ id: string; name: string }>(
    manager,
    `select id, name from ${tables.principals} where digest = any($1)`,
    [[...principals.values()]],
  );
  return new Map(rows.map(({ id, name }) => [name, Number(id)]));
}

function cellsOf(columns: readonly EvidenceColumn[], row: SealedRow): Cell[] {
  return columns.map(([, type, of]) => {
    const value = of(row) as Cell;
    return type === 'timestamptz' ? mariadbTime(value as string) : value;
  });
}

function writeEvidence(
  manager: EntityManager,
  tables: Tables,
  { writer, rows }: Batch,
  refOf: RefOf,
): Promise<readonly number[]> {
  const columns = ['writer', 'principal_ref', ...EVIDENCE_COLUMNS.map(([name]) => name)];
  return insertRows(
    manager,
    { into: tables.evidence, columns },
    rows.map((row) => [writer, refOf(row.principal), ...cellsOf(EVIDENCE_COLUMNS, row)]),
  );
}

async function writeContent(
  manager: EntityManager,
  tables: Tables,
  rows: readonly SealedRow[],
  ids: readonly number[],
): Promise<void> {
  const columns = ['evidence_id', ...CONTENT_COLUMNS.map(([name]) => name)];
  await insertRows(
    manager,
    { into: tables.content, columns },
    rows.map((row, place) => [ids[place] ?? null, ...cellsOf(CONTENT_COLUMNS, row)]),
  );
}

async function writeRejections(
  manager: EntityManager,
  tables: Tables,
  rows: readonly SealedRow[],
  ids: readonly number[],
  refOf: RefOf,
): Promise<void> {
  const columns = ['evidence_id', 'principal_ref', 'tool', 'application'].concat([
    'violations',
    'violation_count',
    'enforced',
    'occurred_at',
  ]);
  const refused = rows.flatMap(({ rejection }, place) =>
    rejection === null
      ? []
      : [
          [
            ids[place] ?? null,
            refOf(rejection.principal),
            rejection.tool,
            rejection.application,
            rejection.violations,
            rejection.violationCount,
            rejection.enforced,
            mariadbTime(rejection.occurredAt),
          ],
        ],
  );
  await insertRows(manager, { into: tables.rejections, columns }, refused);
}

async function writeOutputCounts(
  manager: EntityManager,
  tables: Tables,
  rows: readonly SealedRow[],
  ids: readonly number[],
): Promise<void> {
  const columns = ['evidence_id', 'occurred_at', 'kind', 'detector', 'enforced', 'count'];
  const counted = rows.flatMap(({ outputCounts, evidence: { occurredAt } }, place) =>
    outputCounts.map(({ kind, detector, enforced, count }): Cell[] => [
      ids[place] ?? null,
      mariadbTime(occurredAt),
      kind,
      detector,
      enforced,
      count,
    ]),
  );
  await insertRows(manager, { into: tables.outputCounts, columns }, counted);
}
