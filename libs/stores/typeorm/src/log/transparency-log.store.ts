import type { Checkpoint, LogHead } from '#contracts/events/checkpoints.js';
import { TransparencyLog, type LogSeal, type SignedHead } from '#contracts/log/transparency-log.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { insertEvents } from '../outbox/event-insert.js';
import { fromNow, NOW, sql } from '../database/sql.js';
import { seals, type Tables } from '../database/tables.js';
import { leavesOf, logTree, PAGE_COLUMNS, rootOf, sealOfTree, type StoredPage } from './leaf-pages.js';
import { LogExtension } from './log-extension.js';
import { hashedFields, RECORDED_STEPS, type StepRow } from './recorded-steps.js';

const EXTENDED_AT_ONCE = 5_000;

interface StateRow {
  readonly size: number;
  readonly throughId: number;
  readonly frontier: Buffer;
  /** The size and the keyed digest; '' before the first. */
  readonly seal: string;
}

type StoredCheckpoint = Omit<Checkpoint, 'root'> & { readonly root: Buffer };

export class TypeormTransparencyLog extends TransparencyLog {
  constructor(private readonly database: Database) {
    super();
  }

  /** One transaction holds the state, the leaves and how far each writer is logged. No request waits for it. */
  override extend(limit: number) {
    return this.database.transaction(
      async (transaction) => {
        const state = await lockedState(transaction, this.database.tables);
        if (state === null) return false;
        const tree = logTree(state.size, state.frontier);
        const extension = new LogExtension(transaction, this.database.tables, tree, limit);
        return extension.run(state.throughId);
      },
      { isSlow: true },
    );
  }

  override sealRows(sealOf: LogSeal) {
    seals.set(this.database.tables, sealOf);
  }

  /** A log whose state was changed is not sealed again, because that would hide the change. */
  override seal(sealOf: LogSeal) {
    const { tables } = this.database;
    return this.database.transaction(
      async (transaction) => {
        const state = await lockedState(transaction, tables);
        if (state === null) return true;
        const tree = logTree(state.size, state.frontier);
        if (state.seal !== '' && state.seal !== sealOfTree(tree, sealOf)) return false;
        const extension = new LogExtension(transaction, tables, tree, EXTENDED_AT_ONCE);
        await extension.addOperations(state.throughId);
        const seal = sealOfTree(tree, sealOf);
        if (tree.size > 0 && seal !== state.seal)
          await transaction.query(sql`update ${tables.logState} set seal = ${seal}`);
        return true;
      },
      { isSlow: true },
    );
  }

  /** Before rows are purged. Does nothing without a log of entries, or while another instance extends it. */
  async catchUp(): Promise<void> {
    const { logState } = this.database.tables;
    const begun = await this.database.query(sql`select 1 from ${logState} where through_id > 0`);
    if (begun.length === 0) return;
    while (await this.extend(EXTENDED_AT_ONCE));
  }

  override async leaves(from: number, limit: number) {
    const { leaves } = this.database.tables;
    const pages = await this.database.query<StoredPage>(
      sql`select ${PAGE_COLUMNS} from ${leaves}
        where index >= (select coalesce(max(index), 0) from ${leaves} where index <= ${from})
          and index < ${from + limit} order by index`,
    );
    const asked = pages
      .flatMap((page) => leavesOf(page) ?? [])
      .filter(({ index }) => index >= from && index < from + limit);
    const runs = asked.flatMap(({ kind, ref }) => (kind === 'retention_run' ? [ref] : []));
    const records = await this.runRecords(runs);
    return asked.map((leaf) => ({
      ...leaf,
      hash: leaf.hash.toString('base64url'),
      record: leaf.kind === 'retention_run' ? (records.get(leaf.ref) ?? null) : null,
    }));
  }

  override async checkpoints(after: number, limit: number) {
    const rows = await this.database.query<StoredCheckpoint>(
      sql`select size, root, time, note from ${this.database.tables.checkpoints}
        where size > ${after} order by size limit ${limit}`,
    );
    return rows.map(checkpointOf);
  }

  override checkpoint(everyMs: number, sign: (head: LogHead) => SignedHead) {
    const { tables } = this.database;
    return this.database.transaction(async (transaction) => {
      const state = await lockedState(transaction, tables);
      if (state === null || state.size === 0) return null;
      const { rows } = await transaction.query<{ time: Date; isEarly: boolean }>(
        sql`select ${NOW} as time, exists (select 1 from ${tables.checkpoints}
          where size >= ${state.size} or time > ${fromNow(-everyMs)}) as "isEarly"`,
      );
      const [{ time, isEarly } = { time: new Date(0), isEarly: true }] = rows;
      if (isEarly) return null;
      const root = rootOf(logTree(state.size, state.frontier));
      const head = { size: state.size, root: root.toString('base64'), time };
      const { note, outgoing } = sign(head);
      await transaction.query(
        sql`insert into ${tables.checkpoints} (size, root, time, note)
          values (${state.size}, ${root}, ${time}, ${note})`,
      );
      await insertEvents(transaction, tables, outgoing);
      return { ...head, note };
    });
  }

  override async newest() {
    const [row] = await this.database.query<StoredCheckpoint>(
      sql`select size, root, time, note from ${this.database.tables.checkpoints} order by size desc limit 1`,
    );
    return row === undefined ? null : checkpointOf(row);
  }

  /** By id, in the order of the hash. */
  private async runRecords(ids: readonly number[]): Promise<ReadonlyMap<number, readonly unknown[]>> {
    const step = RECORDED_STEPS.find(({ kind }) => kind === 'retention_run');
    if (ids.length === 0 || step === undefined) return new Map();
    const rows = await this.database.query<StepRow>(
      sql`select * from ${this.database.tables[step.table]} where id = any(${ids}::bigint[])`,
    );
    return new Map(rows.map((row) => [row.id, hashedFields(step, row)]));
  }
}

function checkpointOf({ root, ...checkpoint }: StoredCheckpoint): Checkpoint {
  return { ...checkpoint, root: root.toString('base64') };
}

/** `null` if another instance extends the log or signs a checkpoint. */
async function lockedState(transaction: Transaction, { logState }: Tables): Promise<StateRow | null> {
  const { rows } = await transaction.query<StateRow>(
    sql`select size, through_id as "throughId", frontier, seal from ${logState} for update skip locked`,
  );
  return rows[0] ?? null;
}
