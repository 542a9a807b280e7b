import type { Hold, HoldRelease, HoldScope, NewHold } from '#contracts/retention/holds.js';
import { HoldStore } from '#contracts/stores/holds.store.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import type { Database } from '../database/database.js';
import { pageOf, withinPage } from '../database/list-filters.js';
import { insertEvents } from '../outbox/event-insert.js';
import { NOW, raw, sql, where } from '../database/sql.js';

interface ScopeColumns {
  readonly principalId: string | null;
  readonly runId: string | null;
  readonly application: string | null;
  readonly firstId: number | null;
  readonly lastId: number | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

interface HoldRow extends Omit<Hold, 'scope'>, ScopeColumns {
  readonly kind: HoldScope['kind'];
}

const HOLD =
  raw(`id, kind, principal_id as "principalId", run_id as "runId", application, first_id as "firstId",
  last_id as "lastId", from_time as "from", to_time as "to", reason, set_by as "setBy", set_at as "setAt",
  released_by as "releasedBy", released_at as "releasedAt"`);

export class TypeormHoldStore extends HoldStore {
  constructor(private readonly database: Database) {
    super();
  }

  override set(
    { scope, reason, setBy }: NewHold,
    outgoing: (hold: Hold) => readonly OutgoingEvent[],
  ): Promise<Hold> {
    const { tables } = this.database;
    const { principalId, runId, application, firstId, lastId, from, to } = columnsOf(scope);
    return this.database.transaction(async (transaction) => {
      const { rows } = await transaction.query<HoldRow>(
        sql`insert into ${tables.holds} (kind, principal_id, run_id, application, first_id, last_id, from_time, to_time,
            reason, set_by, set_at)
          values (${scope.kind}, ${principalId}, ${runId}, ${application}, ${firstId}, ${lastId}, ${from}, ${to},
            ${reason}, ${setBy}, ${NOW})
          returning ${HOLD}`,
      );
      const hold = holdOf(rows[0] as HoldRow);
      await insertEvents(transaction, tables, outgoing(hold));
      return hold;
    });
  }

  override release(
    id: number,
    releasedBy: string,
    outgoing: (hold: Hold) => readonly OutgoingEvent[],
  ): Promise<HoldRelease | null> {
    const { tables } = this.database;
    return this.database.transaction(async (transaction) => {
      const { rows: released } = await transaction.query<HoldRow>(
        sql`update ${tables.holds} set released_by = ${releasedBy}, released_at = ${NOW}
          where id = ${id} and released_at is null returning ${HOLD}`,
      );
      if (released[0] !== undefined) {
        const hold = holdOf(released[0]);
        await insertEvents(transaction, tables, outgoing(hold));
        return { kind: 'released', hold };
      }
      const { rows } = await transaction.query<HoldRow>(
        sql`select ${HOLD} from ${tables.holds} where id = ${id}`,
      );
      return rows[0] === undefined ? null : { kind: 'already_released', hold: holdOf(rows[0]) };
    });
  }

  override async list({ active }: { readonly active?: boolean }, page: PageRequest): Promise<Page<Hold>> {
    const conditions = [
      ...(active === undefined ? [] : [raw(`released_at is ${active ? '' : 'not '}null`)]),
      ...withinPage('id', page),
    ];
    const rows = await this.database.query<HoldRow>(
      sql`select ${HOLD} from ${this.database.tables.holds} ${where(conditions)}
        order by id desc limit ${page.limit + 1}`,
    );
    return pageOf(rows.map(holdOf), page);
  }
}

const NO_SCOPE: ScopeColumns = {
  principalId: null,
  runId: null,
  application: null,
  firstId: null,
  lastId: null,
  from: null,
  to: null,
};

function columnsOf({ kind: _kind, ...scope }: HoldScope): ScopeColumns {
  return { ...NO_SCOPE, ...scope };
}

function holdOf({ id, reason, setBy, setAt, releasedBy, releasedAt, ...scope }: HoldRow): Hold {
  return { id, scope: scopeOf(scope), reason, setBy, setAt, releasedBy, releasedAt };
}

function scopeOf(row: ScopeColumns & Pick<HoldRow, 'kind'>): Hold['scope'] {
  switch (row.kind) {
    case 'principal':
      return { kind: 'principal', principalId: row.principalId };
    case 'run':
      return { kind: 'run', runId: row.runId as string };
    case 'application':
      return { kind: 'application', application: row.application as string };
    case 'entries':
      return { kind: 'entries', firstId: row.firstId as number, lastId: row.lastId as number };
    case 'period':
      return { kind: 'period', from: row.from as Date, to: row.to as Date };
  }
  return row.kind satisfies never;
}
