import { MoreThan } from 'typeorm';
import type { Approval } from '#contracts/approvals/approvals.js';
import { allWithVotes, approvalRows } from '../approvals/approval-rows.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { raw, sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import type { Findings } from './findings.js';

/** Returns what does not match the digests of a stored approval. */
export type SealCheck = (approval: Approval) => readonly string[];

const PAGE = 200;
const MOST = 1_000;

/** Compares approvals and votes with their digests and with the evidence of their steps. Returns how many there are. */
export async function checkApprovals(
  transaction: Transaction,
  database: Database,
  brokenSeals: SealCheck,
  findings: Findings,
): Promise<number> {
  const checked = await checkSeals(transaction, database, brokenSeals, findings);
  await checkSteps(transaction, database.tables, findings);
  await checkRemovedApprovals(transaction, database.tables, findings);
  return checked;
}

async function checkSeals(
  { manager }: Transaction,
  database: Database,
  brokenSeals: SealCheck,
  findings: Findings,
): Promise<number> {
  let checked = 0;
  for (let after = 0, isFull = true; isFull;) {
    const rows = await approvalRows(database, { manager }).find({
      where: { id: MoreThan(after) },
      order: { id: 'ASC' },
      take: PAGE,
    });
    for (const approval of await allWithVotes(database, manager, rows))
      for (const broken of brokenSeals(approval)) findings.addApproval('altered', approval.id, `${broken}.`);
    checked += rows.length;
    after = rows.at(-1)?.id ?? after;
    isFull = rows.length === PAGE;
  }
  return checked;
}

interface Differing {
  readonly id: number;
  readonly status: string;
  /** The status of the last step on record. */
  readonly latest: string | null;
  /** The record of the request exists. */
  readonly isRequested: boolean;
  readonly isStatusOther: boolean;
  readonly voteCount: number;
  readonly votes: number;
  /** Votes on record; the last one is recorded as the approval. */
  readonly recorded: number;
}

/** Every step but the start of a run commits with its evidence, which is hashed. */
async function checkSteps(transaction: Transaction, tables: Tables, findings: Findings) {
  const { approvals, approvalVotes, evidence } = tables;
  const { rows } = await transaction.query<Differing>(
    sql`with steps as (
        select approval_id, count(*) filter (where approval_step = 'voted') as voted,
          bool_or(approval_step in ('parked', 'proposed')) as requested,
          (array_agg(approval_step::text order by id desc)
            filter (where approval_step not in ('voted', 'reminded', 'escalated')))[1] as latest
        from ${evidence} where approval_id is not null group by approval_id),
      compared as (
        select a.id, a.status, latest, coalesce(requested, false) as "isRequested", vote_count as "voteCount",
          coalesce(case a.status
            when 'pending' then latest not in ('parked', 'proposed')
            when 'executing' then latest <> 'approved'
            else latest <> a.status end, true) as "isStatusOther",
          (select count(*) from ${approvalVotes} v where v.approval_id = a.id) as votes,
          coalesce(voted, 0) + case when vote_count > 0 and latest not in ('parked', 'proposed', 'rejected', 'expired')
            and decision = 'approved' then 1 else 0 end as recorded
        from ${approvals} a left join steps on steps.approval_id = a.id)
      select * from compared
      where "isStatusOther" or not "isRequested" or votes <> "voteCount" or votes <> recorded
      order by id limit ${MOST}`,
  );
  const purged = await purgedEntries(transaction, tables);
  const unrequested = rows.filter(({ isRequested }) => !isRequested);
  if (unrequested.length > purged.all)
    for (const { id } of unrequested)
      findings.addApproval(
        'missing',
        id,
        'the audit has no record of its request, and no retention run deleted it.',
      );
  const others = rows.filter(({ isRequested }) => isRequested);
  if (others.length > purged.single) for (const row of others) addDifferences(row, findings);
}

function addDifferences(
  { id, status, latest, isStatusOther, voteCount, votes, recorded }: Differing,
  findings: Findings,
) {
  if (isStatusOther)
    findings.addApproval(
      'altered',
      id,
      `its status is ${status}, but its last step on record is ${latest ?? 'none'}.`,
    );
  if (votes !== voteCount || votes !== recorded)
    findings.addApproval(
      'altered',
      id,
      `it has ${votes} votes, but counted ${voteCount}, and ${recorded} are on record.`,
    );
}

/** Entries that retention deleted: in all runs, and in runs for one entry, after which other steps remain. */
async function purgedEntries(
  transaction: Transaction,
  { retentionRuns }: Tables,
): Promise<{ readonly all: number; readonly single: number }> {
  const entries = raw(`coalesce(sum((counts::jsonb ->> 'entries')::bigint)`);
  const { rows } = await transaction.query<{ all: number; single: number }>(
    sql`select ${entries}, 0) as "all",
        ${entries} filter (where scope::jsonb ->> 'kind' = 'entry'), 0) as single
      from ${retentionRuns} where strategy = 'purge'`,
  );
  return rows[0] ?? { all: 0, single: 0 };
}

/** What the audit names must exist, with its arguments, unless retention erased or deleted it. */
async function checkRemovedApprovals(
  transaction: Transaction,
  { approvals, approvalVotes, evidence, retentionRuns }: Tables,
  findings: Findings,
) {
  const { rows: gone } = await transaction.query<{ id: number; isErased: boolean }>(
    sql`select e.approval_id as id, false as "isErased" from ${evidence} e
        where e.approval_id is not null and not exists (select 1 from ${approvals} a where a.id = e.approval_id)
        group by 1
      union all
      select id, true from ${approvals} where arguments is null
      order by 1`,
  );
  const { rows: runs } = await transaction.query<{ handled: number }>(
    sql`select coalesce(sum((counts::jsonb ->> 'approvals')::bigint), 0) as handled from ${retentionRuns}`,
  );
  const handled = runs[0]?.handled ?? 0;
  if (gone.length > handled)
    for (const { id, isErased } of gone.slice(0, MOST))
      findings.addApproval(
        'unrecorded_removal',
        id,
        `it is ${isErased ? 'erased' : 'deleted'}. Retention runs handled ${handled} of ${gone.length} such approvals.`,
      );
  const { rows: stray } = await transaction.query<{ id: number; approvalId: number }>(
    sql`select id, approval_id as "approvalId" from ${approvalVotes} v
      where not exists (select 1 from ${approvals} a where a.id = v.approval_id) order by id limit ${MOST}`,
  );
  for (const { id, approvalId } of stray)
    findings.addApproval('altered', approvalId, `vote ${id} names it, but it does not exist.`);
}
