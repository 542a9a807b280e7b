import type { EntityManager } from 'typeorm';
import { rowsOf } from '../../rows.js';
import type { Tables } from '../../tables.js';
import { ChainCheck, type FindGaps, type WriterEnd } from './chain-check.js';
import { CountCheck, type Counted } from './count-check.js';
import { checkRejections } from './rejection-check.js';
import { checkSettings } from './setting-check.js';
import { storedEntry, type StoredColumns } from './stored-entry.js';
import { TextCheck } from './text-check.js';
import {
  Findings,
  type CommitmentCheck,
  type VerificationListener,
  type VerificationReport,
} from './verification.js';

const PAGE = 2_000;

/**
 * Reads every row once, by id, and keeps of it only where each writer stands. Must run in a transaction that sees one
 * state of the database throughout.
 */
export async function verifyAudit(
  manager: EntityManager,
  tables: Tables,
  broken: CommitmentCheck,
  tell: VerificationListener,
): Promise<VerificationReport> {
  const findings = new Findings();
  const chains = new ChainCheck(gapsIn(manager, tables), findings);
  const texts = new TextCheck(broken, findings);
  const counts = new CountCheck(findings);
  const all = await numberOf(manager, `select coalesce(sum(decisions), 0) as count from ${tables.daily}`);
  let entries = 0;
  for await (const rows of pages(manager, tables)) {
    for (const row of rows) {
      const entry = storedEntry(row);
      await chains.check(entry);
      texts.check(entry);
      const { occurredAt, control, outcome } = entry.sealed;
      counts.add(occurredAt, control, outcome);
    }
    entries += rows.length;
    tell(entries, Math.max(all, entries));
  }
  await chains.close(notedEnds(manager, tables));
  await closeCounts(manager, tables, counts);
  await checkRejections(manager, tables, findings);
  await checkSettings(manager, tables, findings);
  const removed = await accountFor(manager, tables, texts.erased, findings);
  const { erased, forgotten } = texts;
  const { writers, unfollowed } = chains;
  return { entries, writers, erased, forgotten, removed, unfollowed, ...findings.report() };
}

/** The database reads the next page while this one is looked at. */
async function* pages(manager: EntityManager, tables: Tables): AsyncGenerator<readonly StoredColumns[]> {
  for (let next: Promise<Page> | null = pageAfter(manager, tables, '0'); next !== null;) {
    const { rows, last }: Page = await next;
    next = last === null ? null : pageAfter(manager, tables, last);
    // If nobody comes to wait for it, because something else failed, it fails unheard.
    next?.catch(() => undefined);
    yield rows;
  }
}

interface Page {
  readonly rows: readonly StoredColumns[];
  /** `null`: there is nothing behind it. */
  readonly last: string | null;
}

/** Both ends are known before it is read, and said of both tables: no planner concludes from one to the other. */
async function pageAfter(manager: EntityManager, tables: Tables, after: string): Promise<Page> {
  const [page] = await rowsOf<{ last: string | null }>(
    manager,
    `select max(id) as last from (select id from ${tables.evidence} where id > $1 order by id limit ${PAGE}) page`,
    [after],
  );
  const last = page?.last ?? null;
  if (last === null) return { rows: [], last };
  const rows = await rowsOf<StoredColumns>(
    manager,
    `select e.*, c.storage, c.prompt, c.matched_text, c.salt, p.name as principal
     from ${tables.evidence} e
     left join ${tables.content} c on c.evidence_id = e.id and c.evidence_id > $1 and c.evidence_id <= $2
     left join ${tables.principals} p on p.id = e.principal_ref
     where e.id > $1 and e.id <= $2
     order by e.id`,
    [after, last],
  );
  return { rows, last };
}

function gapsIn(manager: EntityManager, { retentionGaps }: Tables): FindGaps {
  return async (writer, after, before) => {
    const rows = await rowsOf<{ first: string; last: string; seal: Buffer }>(
      manager,
      `select first_sequence as first, last_sequence as last, last_seal as seal from ${retentionGaps}
       where writer = $1 and first_sequence > $2 and last_sequence < $3 order by first_sequence`,
      [writer, after, before],
    );
    return rows.map(({ first, last, seal }) => ({
      first: Number(first),
      last: Number(last),
      lastSeal: seal,
    }));
  };
}

/** Where each writer says it came to, some at a time. */
async function* notedEnds(manager: EntityManager, { writers }: Tables): AsyncGenerator<WriterEnd> {
  for (let after: string | null = null, full = true; full;) {
    const rows: { writer: string; sequence: string }[] = await rowsOf(
      manager,
      `select writer, sequence from ${writers} where writer > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
       order by writer limit ${PAGE}`,
      [after],
    );
    for (const { writer, sequence } of rows) yield { writer, sequence: Number(sequence) };
    after = rows.at(-1)?.writer ?? null;
    full = rows.length === PAGE;
  }
}

async function closeCounts(manager: EntityManager, tables: Tables, counts: CountCheck): Promise<void> {
  const counted = async (table: string, time: string): Promise<readonly Counted[]> => {
    const rows = await rowsOf<Omit<Counted, 'decisions'> & { readonly decisions: string }>(
      manager,
      `select ${time} as time, control, outcome, sum(decisions) as decisions from ${table} group by 1, 2, 3`,
    );
    return rows.map((row) => ({ ...row, decisions: Number(row.decisions) }));
  };
  const removed = await rowsOf<{ hour: string; decisions: string }>(
    manager,
    `select hour, removed as decisions from ${tables.retentionHours} where removed > 0`,
  );
  counts.close(
    await counted(tables.hourly, 'hour'),
    await counted(tables.daily, 'day'),
    removed.map(({ hour, decisions }) => ({ hour, decisions: Number(decisions) })),
  );
}

/** What is gone must be what the runs of retention say they took. Answers how many rows they removed. */
async function accountFor(
  manager: EntityManager,
  tables: Tables,
  erased: number,
  findings: Findings,
): Promise<number> {
  const entriesOf = (strategy: string): Promise<number> =>
    numberOf(
      manager,
      `select coalesce(sum((counts::jsonb ->> 'entries')::bigint), 0) as count from ${tables.retentionRuns} where strategy = '${strategy}'`,
    );
  const [anonymized, purged] = [await entriesOf('anonymize'), await entriesOf('purge')];
  const gaps = await numberOf(
    manager,
    `select coalesce(sum(last_sequence - first_sequence + 1), 0) as count from ${tables.retentionGaps}`,
  );
  if (erased > anonymized)
    findings.add(
      'unrecorded_removal',
      null,
      `${erased} texts are erased, and runs of retention account for ${anonymized}.`,
    );
  if (gaps !== purged)
    findings.add(
      'unrecorded_removal',
      null,
      `${gaps} rows are listed as removed, and runs of retention account for ${purged}.`,
    );
  return purged;
}

async function numberOf(manager: EntityManager, statement: string): Promise<number> {
  const [row] = await rowsOf<{ count: string }>(manager, statement);
  return Number(row?.count ?? 0);
}
