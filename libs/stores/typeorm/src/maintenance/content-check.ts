import type { Commitments } from '#contracts/audit/record.js';
import { FREEZE_KEY } from '#contracts/freeze/freezes.api.js';
import type { LogSeal } from '#contracts/log/transparency-log.js';
import type { Findings, StoredEntry } from './findings.js';
import { commitmentsOf, toBase64url } from '../database/entry-columns.js';
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../database/connection-pool.js';
import { raw, sql } from '../database/sql.js';
import { isEntryRow } from '../settings/override-rows.js';
import { macOf, seals, type Tables } from '../database/tables.js';

/** Returns the fields that do not match their commitments; `null` if the salt is missing. */
export type CommitmentCheck = (
  commitments: Commitments,
  texts: Readonly<Record<'matchedText' | 'principal' | 'policy', string | null>> & {
    readonly prompt: string;
  },
  salt: string | null,
) => readonly string[] | null;

const FIELDS: Readonly<Record<string, string>> = {
  prompt: 'The text',
  matchedText: 'The matched text',
  principal: 'The principal',
  policy: 'The record of the policy',
  salt: 'The salt',
};

/** Compares texts and names with the commitments of the evidence. */
export class ContentCheck {
  erased = 0;
  /** Entries whose principal was erased. */
  forgotten = 0;

  constructor(
    private readonly brokenCommitments: CommitmentCheck,
    private readonly findings: Findings,
  ) {}

  check(entry: StoredEntry): void {
    const { id, storage, principal, principal_ref: principalRef } = entry;
    if (storage === null) {
      this.findings.add('text_missing', id, `The text of entry ${id} is missing. Retention keeps its row.`);
      return;
    }
    const hasErasedPrincipal = principalRef !== null && principal === null;
    if (hasErasedPrincipal) this.forgotten += 1;
    if (storage === 'erased') this.erased += 1;
    else if (hasErasedPrincipal)
      this.findings.add(
        'unrecorded_removal',
        id,
        `The principal of entry ${id} is missing, but its text is not. No retention run does this.`,
      );
    for (const field of this.brokenFields(entry))
      if (!(hasErasedPrincipal && field === 'principal'))
        this.findings.add(
          'text_altered',
          id,
          `${FIELDS[field] ?? field} of entry ${id} does not match its commitment.`,
        );
  }

  private brokenFields(entry: StoredEntry): readonly string[] {
    const { storage, principal, policy, matched_text: matchedText } = entry;
    const prompt = entry.prompt ?? '';
    const salt = toBase64url(entry.salt);
    if (storage === 'erased')
      return prompt === '' && matchedText === null && policy === null && salt === null ? [] : ['prompt'];
    const texts = { prompt, matchedText, principal, policy };
    return this.brokenCommitments(commitmentsOf(entry), texts, salt) ?? ['salt'];
  }
}

const MOST = 1_000;

/**
 * Everything about a rejection except its violations is in the evidence, which is hashed. Missing rejections must have
 * been deleted by retention.
 */
export async function checkRejections(
  transaction: Transaction,
  { rejections, evidence, retentionRuns }: Tables,
  findings: Findings,
): Promise<void> {
  const { rows: altered } = await transaction.query<{ id: number; hasNoEvidence: boolean }>(
    sql`select r.evidence_id as id, e.id is null as "hasNoEvidence"
      from ${rejections} r left join ${evidence} e on e.id = r.evidence_id
      where e.id is null
        or (r.tool, r.application, r.principal_ref, r.occurred_at, r.enforced)
          is distinct from (e.tool, e.application, e.principal_ref, e.occurred_at, e.outcome = 'blocked')
      order by 1 limit ${MOST}`,
  );
  for (const { id, hasNoEvidence } of altered)
    findings.add(
      'altered',
      id,
      `The rejection of entry ${id} ${hasNoEvidence ? 'has no evidence' : 'differs from its evidence'}.`,
    );
  const { rows: counts } = await transaction.query<{ missing: number; removed: number }>(
    sql`select
        (select count(*) from ${evidence} e where e.control = 'tool_firewall' and e.outcome <> 'allowed'
           and not exists (select 1 from ${rejections} r where r.evidence_id = e.id)) as missing,
        (select coalesce(sum((counts::jsonb ->> 'rejections')::bigint), 0) from ${retentionRuns}) as removed`,
  );
  const [{ missing, removed } = { missing: 0, removed: 0 }] = counts;
  if (missing > removed)
    findings.add(
      'unrecorded_removal',
      null,
      `${missing} rejections are missing, but retention runs deleted only ${removed}.`,
    );
}

/** An override must equal the latest recorded change of its key. Rules have changes of their own. */
export async function checkSettings(
  transaction: Transaction,
  { settings, settingChanges }: Tables,
  findings: Findings,
): Promise<void> {
  const { rows } = await transaction.query<{
    key: string;
    value: string;
    latest: string | null;
    hasParts: boolean;
  }>(
    sql`select s.key, s.value, latest.new_value as latest,
        exists (select 1 from ${settingChanges} part where starts_with(part.key, s.key || '.')) as "hasParts"
      from ${settings} s left join lateral (
        select c.new_value from ${settingChanges} c where c.key = s.key order by c.id desc limit 1) latest on true
      order by s.key`,
  );
  // A freeze is never removed, so that a missing one was lifted without a record.
  const { rows: missing } = await transaction.query<{ key: string }>(
    sql`select distinct key from ${settingChanges} c where starts_with(key, ${FREEZE_KEY})
      and not exists (select 1 from ${settings} s where s.key = c.key) order by key`,
  );
  for (const { key } of missing)
    findings.add('altered', null, `${key} is recorded, but it was removed from the settings.`);
  for (const { key, value, latest, hasParts } of rows) {
    // An entry that equals the configured one has no change.
    if (latest === null && (hasParts || isEntryRow(key))) continue;
    if (latest !== null && isDeepStrictEqual(JSON.parse(value), JSON.parse(latest))) continue;
    findings.add(
      'altered',
      null,
      latest === null
        ? `The setting ${key} is overridden, but no change of it is recorded.`
        : `The setting ${key} differs from its latest recorded change.`,
    );
  }
}

/**
 * Compares rows with their MACs, whose fields have the order of the statements that write the rows. Returns how many have none.
 * These must be older than an hour after the first one: instances of the version before may have run beside it.
 */
export async function checkMacs(
  transaction: Transaction,
  tables: Tables,
  sealOf: LogSeal,
  findings: Findings,
): Promise<number> {
  const { outbox, reservations, settings, settingsRevision, settingChanges, retentionLock } = tables;
  const sealed = {
    event: sql`select event_id, name, subject, severity, payload, sinks, mac,
        occurred_at >= (select min(occurred_at) + interval '1 hour' from ${outbox} where mac is not null) as "needsMac"
      from ${outbox}`,
    reservation: sql`select reference, budget, amount::text,
        to_char(reserved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time, mac, reserved_at >=
          (select min(reserved_at) + interval '1 hour' from ${reservations} where mac is not null) as "needsMac"
      from ${reservations}`,
    settings: sql`select change.id, array(select entry from (
          select "key" || ' ' || value collate "C" as entry from ${settings}) entries order by entry), mac,
        occurred_at >= (select min(occurred_at) + interval '1 hour' from ${outbox} where mac is not null) as "needsMac"
      from ${settingsRevision} left join (
        select id, occurred_at from ${settingChanges} order by id desc limit 1) change on true
      where mac is not null or change.id is not null`,
    minimum_days: sql`select minimum_days, mac, "needsMac" from ${retentionLock} cross join (
        select exists (select 1 from ${outbox} where mac is not null)
          or exists (select 1 from ${settingsRevision} where mac is not null) as "needsMac") others
      where minimum_days > 0 or mac is not null or "needsMac"`,
  };
  seals.set(tables, sealOf);
  let unsealed = 0;
  for (const [kind, select] of Object.entries(sealed)) {
    await transaction.query(sql`declare ${raw(kind)} cursor for ${select}`);
    for (let hasMore = true; hasMore;) {
      const { rows } = await transaction.query<Record<string, unknown>>(raw(`fetch 2000 from ${kind}`));
      for (const { mac, needsMac, ...row } of rows) {
        const fields = Object.values(row);
        if (mac === null && needsMac !== true) unsealed += 1;
        else if (mac !== macOf(tables, kind, ...fields))
          findings.add(
            'altered',
            null,
            `${kind} ${String(fields[0])}: does not match its keyed digest, or has none although older rows have. It was changed, or an instance without the given secret wrote it.`,
          );
      }
      hasMore = rows.length > 0;
    }
  }
  return unsealed;
}
