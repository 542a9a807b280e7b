import { createHash } from 'node:crypto';
import {
  MAX_HASHES,
  MAX_PARENTS,
  RUN_LABELS,
  RunStore,
  type Run,
  type RunName,
  type RunReading,
} from '#contracts/runs/run.store.js';
import { scrubText } from '#contracts/common/text.js';
import type { Database } from '../database/database.js';
import { principalDigest } from '../database/list-filters.js';
import { fromNow, NOW, raw, sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';

/** The statuses in which a call still needs what its run has read. */
const WAITING = raw(`'pending', 'approved', 'executing'`);

const HASH_LENGTH = 16;

export class TypeormRunStore extends RunStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async read(
    run: RunName,
    { parentRunId, label, entryId, salt, hours }: RunReading,
  ): Promise<string> {
    const { runs } = this.database.tables;
    const parent = parentRunId === null ? null : keyOf({ ...run, runId: parentRunId });
    const rank = RUN_LABELS.indexOf(label);
    const [untrustedBy, suspectBy] = [rank >= 1 ? entryId : null, rank >= 2 ? entryId : null];
    const [row] = await this.database.query<{ salt: string }>(
      sql`insert into ${runs} as run
          (key, parent, run_id, principal_digest, salt, label, untrusted_by, suspect_by, expires_at)
        values (${keyOf(run)}, ${parent}, ${scrubText(run.runId)}, ${digestOf(run.principalId)},
          coalesce((select salt from ${runs} where key = ${parent}), ${salt}),
          ${rank}, ${untrustedBy}, ${suspectBy}, ${fromNow(hours * 3_600_000)})
        on conflict (key) do update set
          label = greatest(run.label, excluded.label),
          untrusted_by = coalesce(run.untrusted_by, excluded.untrusted_by),
          suspect_by = coalesce(run.suspect_by, excluded.suspect_by),
          expires_at = greatest(run.expires_at, excluded.expires_at)
        returning salt`,
      { isPrepared: true },
    );
    return (row as { salt: string }).salt;
  }

  override async vouch(run: RunName, salt: string, hashes: string) {
    const { runs } = this.database.tables;
    const fits = sql`length(hashes) + ${hashes.length} <= ${MAX_HASHES * HASH_LENGTH}`;
    await this.database.query(
      sql`update ${runs} set
          hashes = case when ${fits} then hashes || ${hashes} else hashes end,
          is_full = is_full or not (${fits})
        where key = ${keyOf(run)} and salt = ${salt}`,
      { isPrepared: true },
    );
  }

  override async find(run: RunName) {
    const { runs } = this.database.tables;
    const [found] = await this.database.query<Omit<Run, 'label'> & { label: number }>(
      sql`with recursive line as (
          select run.*, 0 as depth from ${runs} run where key = ${keyOf(run)}
          union all
          select run.*, depth + 1 from line join ${runs} run on run.key = line.parent
          where depth < ${MAX_PARENTS}),
        own as (select salt from line where depth = 0)
        select max(label) as label, min(untrusted_by) as "untrustedBy", min(suspect_by) as "suspectBy",
          own.salt, string_agg(hashes, '') filter (where line.salt = own.salt) as hashes, bool_or(is_full) as "isFull"
        from line, own group by own.salt`,
      { isPrepared: true },
    );
    return found === undefined ? null : { ...found, label: RUN_LABELS[found.label] ?? 'suspect' };
  }

  override async end(run: RunName) {
    await this.database.query(sql`delete from ${this.database.tables.runs} where key = ${keyOf(run)}`);
  }

  override async deleteOld(limit: number) {
    const { runs, approvals } = this.database.tables;
    return this.database.execute(
      sql`delete from ${runs} where key in (
          select key from ${runs} run where expires_at < ${NOW}
            and not exists (select 1 from ${approvals} a where a.run_id = run.run_id and a.status in (${WAITING}))
          order by expires_at limit ${limit} for update skip locked)`,
    );
  }
}

/** Deletes what the runs of a principal read. */
export function runsOfPrincipal({ runs }: Tables, principalId: string): Sql {
  return sql`delete from ${runs} where principal_digest = ${digestOf(principalId)}`;
}

/** Names may be longer than an index takes. */
export function keyOf({ application, principalId, runId }: RunName): string {
  const names = [application, principalId, runId].map((name) => (name === null ? null : scrubText(name)));
  return createHash('sha256').update(JSON.stringify(names)).digest('hex');
}

const digestOf = (principalId: string | null): Buffer | null =>
  principalId === null ? null : principalDigest(scrubText(principalId));
