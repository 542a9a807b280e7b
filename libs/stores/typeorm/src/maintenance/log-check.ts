import type { LogHead } from '#contracts/events/checkpoints.js';
import type { MerkleTree } from '#contracts/log/merkle-tree.js';
import type { RetentionCounts } from '#contracts/retention/retention.js';
import type { LeafKind, LogSeal } from '#contracts/log/transparency-log.js';
import type { Transaction } from '../database/connection-pool.js';
import {
  appendLeaf,
  leavesOf,
  logTree,
  PAGE_COLUMNS,
  rootOf,
  sealOfTree,
  type PagedLeaf,
  type StoredPage,
} from '../log/leaf-pages.js';
import { RECORDED_STEPS, stepHash, type RecordedStep } from '../log/recorded-steps.js';
import { raw, sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import type { Findings, LogReport } from './findings.js';

const PAGE = 5_000;
const MOST = 1_000;

export interface CheckpointCheck {
  /** A checkpoint that was kept outside the database. */
  readonly held: LogHead;
  /** The head in a stored note. Throws if the note is not signed with the key. */
  readonly open: (note: string) => LogHead;
}

interface LogChecks {
  readonly checkpoint: CheckpointCheck | undefined;
  readonly sealOf: LogSeal | undefined;
}

interface CheckpointRow {
  readonly size: number;
  readonly root: Buffer;
  readonly note: string;
}

/** Kinds of records that retention deletes, and where its runs count them. */
const DELETABLE: Readonly<Partial<Record<LeafKind, keyof RetentionCounts>>> = {
  evidence: 'entries',
  approval: 'approvals',
  approval_decided: 'approvals',
  review: 'reviews',
  vote: 'votes',
};

/** Rebuilds the tree, and compares it with checkpoints and with the rows. `null`: there is no log. */
export async function checkLog(
  transaction: Transaction,
  tables: Tables,
  given: LogChecks,
  findings: Findings,
): Promise<LogReport | null> {
  const { rows: states } = await transaction.query<{ size: number; throughId: number; seal: string }>(
    sql`select size, through_id as "throughId", seal from ${tables.logState}`,
  );
  const [state] = states;
  const { rows: checkpoints } = await transaction.query<CheckpointRow>(
    sql`select size, root, note from ${tables.checkpoints} order by size`,
  );
  const tree = logTree();
  const seal = state?.seal ?? '';
  const sealed = Number.parseInt(seal, 10) || 0;
  const roots = new RootCheck(tree, checkpoints, { ...given, seal, sealed }, findings);
  const gone = new Map<LeafKind, number>();
  const report = (message: string) => findings.add('log', null, message);
  for (;;) {
    const pages = await nextPages(transaction, tables, tree.size);
    if (pages.length === 0) break;
    for (const page of pages) {
      if (page.index !== tree.size) {
        report(`Leaves ${tree.size} to ${page.index - 1} of the transparency log are missing.`);
        return { leaves: tree.size, checkpoints: checkpoints.length, sealed, gone: 0 };
      }
      const leaves = leavesOf(page);
      if (leaves === null) {
        report(`The transparency log cannot be read from leaf ${page.index} on: its row was changed.`);
        return { leaves: tree.size, checkpoints: checkpoints.length, sealed, gone: 0 };
      }
      for (const { kind, time, hash } of leaves) {
        appendLeaf(tree, kind, time, hash.toString('base64url'));
        roots.compare();
      }
    }
    await compareRows(
      transaction,
      tables,
      pages.flatMap((page) => leavesOf(page) ?? []),
      gone,
      findings,
    );
  }
  roots.close();
  if (state === undefined || state.size !== tree.size)
    report(`The transparency log has ${tree.size} leaves, but recorded ${state?.size ?? 0}.`);
  if (tree.size === 0) return null;
  await findUnloggedRows(transaction, tables, state?.throughId ?? 0, findings);
  await checkGone(transaction, tables, gone, findings);
  const total = [...gone.values()].reduce((sum, count) => sum + count, 0);
  return { leaves: tree.size, checkpoints: checkpoints.length, sealed, gone: total };
}

/** About `PAGE` leaves from this index on. */
async function nextPages(
  transaction: Transaction,
  { leaves }: Tables,
  from: number,
): Promise<readonly StoredPage[]> {
  const { rows } = await transaction.query<StoredPage>(
    sql`select ${PAGE_COLUMNS} from ${leaves}
      where index >= ${from} and index < ${PAGE} + (select min(index) from ${leaves} where index >= ${from})
      order by index`,
  );
  return rows;
}

/** Compares the root at the size of each checkpoint, while the tree grows. */
class RootCheck {
  private readonly expected = new Map<number, string[]>();
  private readonly held: LogHead | null;

  constructor(
    private readonly tree: MerkleTree,
    stored: readonly CheckpointRow[],
    private readonly given: LogChecks & { readonly seal: string; readonly sealed: number },
    private readonly findings: Findings,
  ) {
    const { checkpoint } = given;
    this.held = checkpoint?.held ?? null;
    for (const { size, root, note } of stored) {
      this.expect(size, root.toString('base64'));
      if (checkpoint === undefined) continue;
      try {
        const signed = checkpoint.open(note);
        if (signed.size !== size || signed.root !== root.toString('base64'))
          findings.add('log', null, `The stored checkpoint of ${size} leaves differs from its note.`);
      } catch (error) {
        findings.add('log', null, `The stored checkpoint of ${size} leaves: ${(error as Error).message}`);
      }
    }
  }

  compare(): void {
    const { size } = this.tree;
    const { seal, sealed, sealOf } = this.given;
    if (size === sealed && sealOf !== undefined && seal !== sealOfTree(this.tree, sealOf))
      this.findings.add(
        'log',
        null,
        `log_state: the first ${size} leaves of the log do not match their keyed digest: they were changed, or sealed with another secret than the given one.`,
      );
    const expected = this.expected.get(size) ?? [];
    const isHeld = this.held?.size === size;
    if (expected.length === 0 && !isHeld) return;
    const root = rootOf(this.tree).toString('base64');
    if (expected.some((other) => other !== root))
      this.findings.add('log', null, `The log differs from its stored checkpoint of ${size} leaves.`);
    if (isHeld && this.held?.root !== root)
      this.findings.add(
        'log',
        null,
        `The log was rebuilt: its first ${size} leaves are not those that the given checkpoint covered.`,
      );
    this.expected.delete(size);
  }

  close(): void {
    const { sealed } = this.given;
    if (sealed > this.tree.size)
      this.findings.add(
        'log',
        null,
        `The end of the log was removed: it has ${this.tree.size} leaves, and its keyed digest covers ${sealed}.`,
      );
    if (this.held !== null && this.held.size > this.tree.size)
      this.findings.add(
        'log',
        null,
        `The end of the log was removed: it has ${this.tree.size} leaves, and the given checkpoint covered ${this.held.size}.`,
      );
    for (const size of this.expected.keys())
      this.findings.add('log', null, `The log is shorter than its stored checkpoint of ${size} leaves.`);
  }

  private expect(size: number, root: string) {
    this.expected.set(size, [...(this.expected.get(size) ?? []), root]);
  }
}

async function compareRows(
  transaction: Transaction,
  tables: Tables,
  leaves: readonly PagedLeaf[],
  gone: Map<LeafKind, number>,
  findings: Findings,
) {
  for (const kind of new Set(leaves.map((leaf) => leaf.kind))) {
    const group = leaves.filter((leaf) => leaf.kind === kind);
    const found = await rowsOf(transaction, tables, kind, group);
    for (const { ref, time, hash: recorded } of group) {
      const row = found.get(ref);
      const id = kind === 'evidence' ? ref : null;
      if (row === undefined) {
        if (kind in DELETABLE) gone.set(kind, (gone.get(kind) ?? 0) + 1);
        else findings.add('log', id, `The log has a leaf of ${kind} ${ref}, whose row is missing.`);
      } else if (!row.hash.equals(recorded) || row.time?.getTime() !== time.getTime())
        findings.add('log', id, `The row of ${kind} ${ref} differs from its leaf in the log.`);
    }
  }
}

interface HashedRow {
  readonly time: Date | null;
  readonly hash: Buffer;
}

async function rowsOf(
  transaction: Transaction,
  tables: Tables,
  kind: LeafKind,
  leaves: readonly PagedLeaf[],
): Promise<ReadonlyMap<number, HashedRow>> {
  const ids = leaves.map(({ ref }) => ref);
  const step: RecordedStep | undefined = RECORDED_STEPS.find((each) => each.kind === kind);
  if (step === undefined) {
    const { rows } = await transaction.query<HashedRow & { readonly id: number }>(
      sql`select id, occurred_at as time, row_hash as hash from ${tables.evidence} where id = any(${ids}::bigint[])`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
  const columns = step.columns.map((column) => `r."${column}"`).join(', ');
  const { rows } = await transaction.query<Record<string, unknown> & { readonly id: number }>(
    sql`select ${raw(columns)} from ${tables[step.table]} r where r.id = any(${ids}::bigint[])`,
  );
  return new Map(
    rows.map((row) => [row.id, { time: row[step.time] as Date | null, hash: stepHash(step, row) }]),
  );
}

/** Rows that the log has passed, except those of writers whose last rows wait to be logged. */
async function findUnloggedRows(
  transaction: Transaction,
  { evidence, leaves, writers, logWriters }: Tables,
  throughId: number,
  findings: Findings,
) {
  const { rows } = await transaction.query<{ id: number }>(
    sql`select e.id from ${evidence} e
      left join ${logWriters} l on l.writer = e.writer
      left join (select unnest(refs) as id from ${leaves} where kind = 'evidence') leaf on leaf.id = e.id
      where e.id <= ${throughId} and leaf.id is null
        and not (e.sequence > coalesce(l.sequence, 0)
          and exists (select 1 from ${writers} w where w.writer = e.writer and w.sequence >= e.sequence))
      order by e.id limit ${MOST}`,
  );
  for (const { id } of rows)
    findings.add('log', id, `Entry ${id} has no leaf in the log, although later entries have one.`);
}

async function checkGone(
  transaction: Transaction,
  { retentionRuns }: Tables,
  gone: ReadonlyMap<LeafKind, number>,
  findings: Findings,
) {
  const { rows: runs } = await transaction.query<{ counts: string }>(
    sql`select counts from ${retentionRuns} where strategy = 'purge'`,
  );
  const counts = runs.map((run) => JSON.parse(run.counts) as Partial<RetentionCounts>);
  for (const [kind, count] of gone) {
    const counted = DELETABLE[kind];
    if (counted === undefined) continue;
    const removed = counts.reduce((sum, each) => sum + (each[counted] ?? 0), 0);
    if (count > removed)
      findings.add(
        'unrecorded_removal',
        null,
        `${count} rows of ${kind} in the log are missing, but retention runs deleted ${removed} ${counted}.`,
      );
  }
}
