import type { LogSeal } from '#contracts/log/transparency-log.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import { checkApprovals, type SealCheck } from './approval-check.js';
import { ContentCheck, type CommitmentCheck } from './content-check.js';
import { checkDerivedTables } from './derived-check.js';
import {
  Findings,
  type StoredEntry,
  type VerificationListener,
  type VerificationReport,
} from './findings.js';
import { checkLog, type CheckpointCheck } from './log-check.js';
import { checkMacs, checkRejections, checkSettings } from './content-check.js';
import { WriterCheck, type FindRemovedRanges, type RemovedRange, type ShortWriter } from './writer-check.js';

const PAGE = 2_000;

/** What only the engine can compare. */
export interface VerificationChecks {
  readonly brokenCommitments: CommitmentCheck;
  readonly brokenSeals: SealCheck;
  /** Default: the keyed digest of the log is not compared. */
  readonly sealOf?: LogSeal | undefined;
  /** Default: the log is compared with the rows and the stored checkpoints only. */
  readonly checkpoint?: CheckpointCheck | undefined;
}

/** Reads every row once, by id. The transaction must read one snapshot of the database. */
export async function verifyAudit(
  transaction: Transaction,
  database: Database,
  { brokenCommitments, brokenSeals, sealOf, checkpoint }: VerificationChecks,
  listener: VerificationListener,
): Promise<VerificationReport> {
  const { tables } = database;
  const findings = new Findings();
  const numbers = new WriterCheck(removedRangesIn(transaction, tables), findings);
  const contents = new ContentCheck(brokenCommitments, findings);
  const all = await numberOf(
    transaction,
    sql`select sum(allowed + observed + blocked) as number from ${tables.daily} where kind = 'total'`,
  );
  let entries = 0;
  for await (const page of pages(transaction, tables)) {
    for (const entry of page) {
      await numbers.check(entry);
      contents.check(entry);
    }
    entries += page.length;
    listener(entries, Math.max(all, entries));
  }
  await numbers.close(await shortWriters(transaction, tables));
  await checkRejections(transaction, tables, findings);
  await checkSettings(transaction, tables, findings);
  const approvals = await checkApprovals(transaction, database, brokenSeals, findings);
  const removed = await checkRemovals(transaction, tables, contents.erased, findings);
  const log = await checkLog(transaction, tables, { checkpoint, sealOf }, findings);
  const unsealed = sealOf && (await checkMacs(transaction, tables, sealOf, findings));
  await checkDerivedTables(transaction, tables, findings);
  const { erased, forgotten } = contents;
  const { writers, unfollowed } = numbers;
  return {
    entries,
    writers,
    erased,
    forgotten,
    removed,
    unfollowed,
    approvals,
    log,
    unsealed,
    ...findings.report(),
  };
}

interface PageOfEntries {
  readonly rows: readonly StoredEntry[];
  /** The last id; `null` after the last page. */
  readonly last: number | null;
}

/** The database reads the next page while this one is checked. */
async function* pages(transaction: Transaction, tables: Tables): AsyncGenerator<readonly StoredEntry[]> {
  for (let next: Promise<PageOfEntries> | null = pageAfter(transaction, tables, 0); next !== null;) {
    const { rows, last }: PageOfEntries = await next;
    next = last === null ? null : pageAfter(transaction, tables, last);
    // If a check fails, nothing awaits the next page, and its error must not end the process.
    next?.catch(() => undefined);
    yield rows;
  }
}

/** The range of ids is repeated for the content, because the planner does not derive it. */
async function pageAfter(transaction: Transaction, tables: Tables, after: number): Promise<PageOfEntries> {
  const { evidence, content, principals } = tables;
  const { rows: found } = await transaction.query<{ last: number | null }>(
    sql`select max(id) as last from (select id from ${evidence} where id > ${after} order by id limit ${PAGE}) page`,
  );
  const last = found[0]?.last ?? null;
  if (last === null) return { rows: [], last };
  const { rows } = await transaction.query<StoredEntry>(
    sql`select e.*, c.storage, c.prompt, c.matched_text, c.policy, c.salt, p.name as principal
      from ${evidence} e
      left join ${content} c on c.evidence_id = e.id and c.evidence_id > ${after} and c.evidence_id <= ${last}
      left join ${principals} p on p.id = e.principal_ref
      where e.id > ${after} and e.id <= ${last}
      order by e.id`,
  );
  return { rows, last };
}

function removedRangesIn(transaction: Transaction, { removedRanges }: Tables): FindRemovedRanges {
  return async (writer, after, before) => {
    const { rows } = await transaction.query<RemovedRange>(
      sql`select first_sequence as first, last_sequence as last
        from ${removedRanges}
        where writer = ${writer} and first_sequence > ${after} and last_sequence < ${before}
        order by first_sequence`,
    );
    return rows;
  };
}

/** Reads the numbers of all rows once, because no index serves single writers. */
async function shortWriters(
  transaction: Transaction,
  { writers, evidence }: Tables,
): Promise<readonly ShortWriter[]> {
  const { rows } = await transaction.query<ShortWriter>(
    sql`select w.writer, w.sequence, coalesce(e.reached, 0) as reached
      from ${writers} w
      left join (select writer, max(sequence) as reached from ${evidence} group by writer) e using (writer)
      where w.sequence > coalesce(e.reached, 0) order by w.last_id`,
  );
  return rows;
}

/** Compares erased and deleted rows with the records of retention. Returns how many rows were deleted. */
async function checkRemovals(
  transaction: Transaction,
  { retentionRuns, removedRanges, removedHours }: Tables,
  erased: number,
  findings: Findings,
): Promise<number> {
  const entriesOf = (strategy: string) =>
    numberOf(
      transaction,
      sql`select sum((counts::jsonb ->> 'entries')::bigint) as number from ${retentionRuns} where strategy = ${strategy}`,
    );
  const [anonymized, purged] = [await entriesOf('anonymize'), await entriesOf('purge')];
  const listed = await numberOf(
    transaction,
    sql`select sum(last_sequence - first_sequence + 1) as number from ${removedRanges}`,
  );
  if (erased > anonymized)
    findings.add(
      'unrecorded_removal',
      null,
      `${erased} texts are erased, but retention runs erased only ${anonymized}.`,
    );
  const hours = await numberOf(transaction, sql`select sum(removed) as number from ${removedHours}`);
  for (const number of new Set([listed, hours]))
    if (number !== purged)
      findings.add(
        'unrecorded_removal',
        null,
        `${number} rows are listed as deleted, but retention runs deleted ${purged}.`,
      );
  return purged;
}

async function numberOf(transaction: Transaction, statement: Sql) {
  const { rows } = await transaction.query<{ number: number | null }>(statement);
  return rows[0]?.number ?? 0;
}
