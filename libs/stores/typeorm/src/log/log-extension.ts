import type { MerkleTree } from '#contracts/log/merkle-tree.js';
import type { LeafKind } from '#contracts/log/transparency-log.js';
import type { Transaction } from '../database/connection-pool.js';
import { raw, rows as relationOf, sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import { appendLeaf, appendLeaves, frontierOf, millisecondsOf, PAGE_COLUMNS } from './leaf-pages.js';
import { LATE_IDS, RECORDED_STEPS, stepHash, unloggedSteps } from './recorded-steps.js';

/** Few enough that the others of an extension are hashed while the next ones are written. */
const PAGE_LEAVES = 1_000;

interface EvidenceRow {
  readonly id: number;
  readonly writer: string;
  readonly sequence: number;
  readonly rowHash: Buffer;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Entries that were read, whether or not they were logged before. */
interface ReadEntries {
  readonly count: number;
  readonly lastId: number | null;
}

/** Entries that were logged together. */
interface WrittenPage {
  readonly count: number;
  readonly lastId: number;
  readonly times: string;
  readonly hashes: Buffer;
}

/** The numbers of a writer from `after`, exclusively, to `through`. */
interface MissingNumbers {
  readonly writer: string;
  readonly after: number;
  readonly through: number;
}

interface NewStep {
  readonly kind: LeafKind;
  readonly ref: number;
  readonly time: Date;
  readonly hash: Buffer;
}

/**
 * Appends the leaves of committed rows within one transaction, which has locked the state of the log. Ids cannot show
 * that all rows before one are committed. The numbers of a writer can: it commits one batch after the other, and numbers
 * without gaps.
 */
export class LogExtension {
  /** The last logged sequence of the writers that were read. */
  private readonly logged = new Map<string, number>();

  constructor(
    private readonly transaction: Transaction,
    private readonly tables: Tables,
    private readonly tree: MerkleTree,
    private readonly limit: number,
  ) {}

  /** Returns whether there may be more. */
  async run(throughId: number): Promise<boolean> {
    const { count, lastId } = await this.addEntries(throughId);
    let hasMore = count === this.limit;
    if (!hasMore) {
      hasMore = await this.addLateRows();
      hasMore = (await this.addSteps()) || hasMore;
    }
    await this.keepState(lastId);
    return hasMore;
  }

  /** Only of what operators did. Of the rest, the log has nothing yet. */
  async addOperations(throughId: number): Promise<void> {
    await this.addSteps(
      RECORDED_STEPS.filter(({ table }) => table !== 'approvals' && table !== 'approvalVotes'),
    );
    await this.keepState(throughId);
  }

  /** PostgreSQL writes a page while Node hashes the one before. */
  private async addEntries(throughId: number): Promise<{ count: number; lastId: number }> {
    let [count, lastId, size] = [0, throughId, this.tree.size];
    let writing: Promise<WrittenPage | null> | null = this.writePage(size, lastId, this.limit);
    while (writing !== null) {
      const page: WrittenPage | null = await writing;
      if (page === null) {
        const others = await this.addRows(await this.nextRows(lastId, this.limit - count));
        return { count: count + others.count, lastId: others.lastId ?? lastId };
      }
      const isFull: boolean = page.count === Math.min(PAGE_LEAVES, this.limit - count);
      count += page.count;
      size += page.count;
      lastId = page.lastId;
      writing = isFull && count < this.limit ? this.writePage(size, lastId, this.limit - count) : null;
      const times = page.times.split(',').map(Number);
      appendLeaves(this.tree, { kind: 'evidence', times, hashes: page.hashes });
    }
    return { count, lastId };
  }

  /**
   * Logs the next entries in one statement if none of them is late or logged, which is the usual case. `null`: there is no
   * entry, or one is late or logged, and nothing was changed.
   */
  private async writePage(index: number, throughId: number, limit: number): Promise<WrittenPage | null> {
    const { evidence, leaves, logWriters } = this.tables;
    const { rows } = await this.transaction.query<WrittenPage>(
      sql`with batch as materialized (
          select id, writer, sequence, occurred_at, row_hash from ${evidence}
          where id > ${throughId} order by id limit ${Math.min(PAGE_LEAVES, limit)}),
        batch_writers as materialized (
          select writer, count(*) as entries, min(sequence) as first, max(sequence) as last from batch group by writer),
        is_next as materialized (
          select bool_and(b.first = coalesce(l.sequence, 0) + 1 and b.last - b.first + 1 = b.entries) as all_are
          from batch_writers b left join ${logWriters} l on l.writer = b.writer),
        logged as (
          insert into ${logWriters} (writer, sequence)
          select writer, last from batch_writers where (select all_are from is_next)
          on conflict (writer) do update set sequence = excluded.sequence)
        insert into ${leaves} (${PAGE_COLUMNS})
        select ${index}::bigint, 'evidence', array_agg(id order by id),
          array_agg(${raw(millisecondsOf('occurred_at'))} order by id), string_agg(row_hash, '' order by id)
        from batch where (select all_are from is_next) having count(*) > 0
        returning cardinality(refs) as count, refs[cardinality(refs)] as "lastId",
          array_to_string(times, ',') as times, hashes`,
      { isPrepared: true },
    );
    return rows[0] ?? null;
  }

  private async nextRows(throughId: number, limit: number): Promise<readonly EvidenceRow[]> {
    const { evidence, logWriters } = this.tables;
    const { rows } = await this.transaction.query<EvidenceRow & { readonly logged: number }>(
      sql`select ${ROW}, coalesce(l.sequence, 0) as logged
        from ${evidence} e left join ${logWriters} l on l.writer = e.writer
        where e.id > ${throughId} order by e.id limit ${limit}`,
    );
    for (const { writer, logged } of rows) this.logged.set(writer, logged);
    return rows;
  }

  /** Logs entries one by one: late rows before the row that shows that they are missing. */
  private async addRows(rows: readonly EvidenceRow[]): Promise<ReadEntries> {
    const added: EvidenceRow[] = [];
    for (const row of rows) {
      const logged = this.logged.get(row.writer) ?? 0;
      if (row.sequence <= logged) continue;
      if (row.sequence > logged + 1) {
        const missing = { writer: row.writer, after: logged, through: row.sequence - 1 };
        added.push(...(await this.lateRows([missing], row.id - 1)));
      }
      added.push(row);
      this.logged.set(row.writer, row.sequence);
    }
    await this.insertEntries(added);
    await this.keepLogged();
    return { count: rows.length, lastId: rows.at(-1)?.id ?? null };
  }

  /**
   * The rows of writers that have recorded more than is logged. Each writer is looked at once: a row that is not found
   * was removed before the log began, and is reported by verification if no retention run removed it.
   */
  private async addLateRows(): Promise<boolean> {
    const { writers, logWriters } = this.tables;
    const { rows: pending } = await this.transaction.query<{
      writer: string;
      sequence: number;
      lastId: number;
      logged: number;
    }>(
      sql`select w.writer, w.sequence, w.last_id as "lastId", coalesce(l.sequence, 0) as logged
        from ${writers} w left join ${logWriters} l on l.writer = w.writer
        where w.sequence > coalesce(l.sequence, 0) order by w.last_id limit ${this.limit}`,
    );
    const [first] = pending;
    if (first === undefined) return false;
    const late = await this.lateRows(
      pending.map(({ writer, sequence, logged }) => ({ writer, after: logged, through: sequence })),
      pending.at(-1)?.lastId ?? first.lastId,
    );
    await this.insertEntries(late);
    for (const { writer, sequence } of pending) this.logged.set(writer, sequence);
    await this.keepLogged();
    return pending.length === this.limit;
  }

  /**
   * The rows with these numbers, by id. They are looked for in ranges of ids, downwards until all are found: the first range
   * has nearly all late rows, and a row whose transaction stayed open while others wrote more is further down. Removed
   * rows are not looked for.
   */
  private async lateRows(
    missing: readonly MissingNumbers[],
    highest: number,
  ): Promise<readonly EvidenceRow[]> {
    const { evidence, removedRanges } = this.tables;
    const given = relationOf(missing, { writer: 'uuid', after: 'bigint', through: 'bigint' }, 'missing');
    const { rows: bounds } = await this.transaction.query<{ lowest: number | null; removed: number }>(
      sql`select (select min(id) from ${evidence}) as lowest,
        (select coalesce(sum(least(r.last_sequence, missing.through) - greatest(r.first_sequence - 1, missing.after)), 0)
          from ${removedRanges} r join ${given} on missing.writer = r.writer
          where r.last_sequence > missing.after and r.first_sequence <= missing.through)::bigint as removed`,
    );
    const [{ lowest, removed } = { lowest: null, removed: 0 }] = bounds;
    const expected = missing.reduce((sum, { after, through }) => sum + through - after, 0) - removed;
    const found: EvidenceRow[] = [];
    for (let to = highest; to >= (lowest ?? Infinity) && found.length < expected; to -= LATE_IDS)
      found.push(
        ...(await this.query(
          sql`select ${ROW} from ${evidence} e join ${given} on missing.writer = e.writer
            where e.id > ${to - LATE_IDS} and e.id <= ${to}
              and e.sequence > missing.after and e.sequence <= missing.through`,
        )),
      );
    return found.toSorted((row, other) => row.id - other.id);
  }

  private async addSteps(recorded = RECORDED_STEPS): Promise<boolean> {
    let hasMore = false;
    for (const step of recorded) {
      const { rows } = await this.transaction.query<Record<string, unknown> & { id: number }>(
        unloggedSteps(this.tables, step, this.limit),
      );
      await this.insertSteps(
        rows.map((row) => ({
          kind: step.kind,
          ref: row.id,
          time: row[step.time] as Date,
          hash: stepHash(step, row),
        })),
      );
      hasMore ||= rows.length === this.limit;
    }
    return hasMore;
  }

  private async query(statement: Sql): Promise<readonly EvidenceRow[]> {
    return (await this.transaction.query<EvidenceRow>(statement)).rows;
  }

  private async keepLogged() {
    const writers = [...this.logged].map(([writer, sequence]) => ({ writer, sequence }));
    if (writers.length === 0) return;
    await this.transaction.query(
      sql`insert into ${this.tables.logWriters} as existing (writer, sequence)
        select writer, sequence from ${relationOf(writers, { writer: 'uuid', sequence: 'bigint' })}
        on conflict (writer) do update set sequence = excluded.sequence where existing.sequence < excluded.sequence`,
    );
  }

  private async insertEntries(rows: readonly EvidenceRow[]) {
    if (rows.length === 0) return;
    const times = rows.map(({ time }) => time);
    const hashes = Buffer.concat(rows.map(({ rowHash }) => rowHash));
    await this.transaction.query(
      sql`insert into ${this.tables.leaves} (${PAGE_COLUMNS}) values
        (${this.tree.size}, 'evidence', ${rows.map(({ id }) => id)}::bigint[], ${times}::bigint[], ${hashes})`,
    );
    appendLeaves(this.tree, { kind: 'evidence', times, hashes });
  }

  /** A row for each, because steps are looked up by record. */
  private async insertSteps(steps: readonly NewStep[]) {
    if (steps.length === 0) return;
    const leaves = steps.map(({ time, ...step }, place) => ({
      ...step,
      index: this.tree.size + place,
      time: time.getTime(),
    }));
    const types = { index: 'bigint', kind: 'text', ref: 'bigint', time: 'bigint', hash: 'bytea' };
    await this.transaction.query(
      sql`insert into ${this.tables.leaves} (${PAGE_COLUMNS})
        select index, kind, array[ref], array[time], hash from ${relationOf(leaves, types)}`,
    );
    for (const { kind, time, hash } of steps) appendLeaf(this.tree, kind, time, hash.toString('base64url'));
  }

  private async keepState(throughId: number) {
    await this.transaction.query(
      sql`update ${this.tables.logState}
        set size = ${this.tree.size}, through_id = ${throughId}, frontier = ${frontierOf(this.tree)}`,
    );
  }
}

const ROW = raw(
  `e.id, e.writer, e.sequence, e.row_hash as "rowHash", ${millisecondsOf('e.occurred_at')} as time`,
);
