import { IsNull } from 'typeorm';
import type { Hold, HoldRelease, NewHold } from '#contracts/retention/holds.js';
import { HoldStore } from '#contracts/stores/retention.store.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import type { PageRequest } from '#contracts/common/page.js';
import type { Database } from '../database/database.js';
import type { HoldRow } from '../database/entities.js';
import { pageFrom } from '../database/list-filters.js';
import { insertEvents } from '../outbox/event-insert.js';
import { NOW } from '../database/sql.js';

/** The clock of the database, as the value of a column. */
const now = () => NOW.text;

export class TypeormHoldStore extends HoldStore {
  constructor(private readonly database: Database) {
    super();
  }

  override set({ scope, reason, setBy }: NewHold, outgoing: (hold: Hold) => readonly OutgoingEvent[]) {
    const { tables, entities } = this.database;
    return this.database.transaction(async (transaction) => {
      const holds = transaction.manager.getRepository(entities.hold);
      const { identifiers } = await holds.insert({ ...scope, reason, setBy, setAt: now });
      const hold = holdOf(await holds.findOneByOrFail(identifiers[0] as Pick<Hold, 'id'>));
      await insertEvents(transaction, tables, outgoing(hold));
      return hold;
    });
  }

  override release(
    id: number,
    releasedBy: string,
    outgoing: (hold: Hold) => readonly OutgoingEvent[],
  ): Promise<HoldRelease | null> {
    const { tables, entities } = this.database;
    return this.database.transaction(async (transaction) => {
      const holds = transaction.manager.getRepository(entities.hold);
      const { affected } = await holds.update({ id, releasedAt: IsNull() }, { releasedBy, releasedAt: now });
      const row = await holds.findOneBy({ id });
      if (row === null) return null;
      const hold = holdOf(row);
      if (affected === 0) return { kind: 'already_released', hold };
      await insertEvents(transaction, tables, outgoing(hold));
      return { kind: 'released', hold };
    });
  }

  override async list({ active }: { readonly active?: boolean }, page: PageRequest) {
    const { entries, next_cursor } = await this.database.repository(this.database.entities.hold, (holds) =>
      pageFrom(holds, page, (query) => {
        if (active !== undefined) query.andWhere(`row.releasedAt is ${active ? '' : 'not '}null`);
      }),
    );
    return { entries: entries.map(holdOf), next_cursor };
  }
}

function holdOf({ id, reason, setBy, setAt, releasedBy, releasedAt, ...scope }: HoldRow): Hold {
  return { id, scope: scopeOf(scope), reason, setBy, setAt, releasedBy, releasedAt };
}

/** The columns of a kind are written with it. */
function scopeOf({
  kind,
  principalId,
  runId,
  application,
  firstId,
  lastId,
  from,
  to,
}: ScopeRow): Hold['scope'] {
  switch (kind) {
    case 'principal':
      return { kind, principalId };
    case 'run':
      return { kind, runId: runId as string };
    case 'application':
      return { kind, application: application as string };
    case 'entries':
      return { kind, firstId: firstId as number, lastId: lastId as number };
    case 'period':
      return { kind, from: from as Date, to: to as Date };
  }
  return kind satisfies never;
}

type ScopeRow = Omit<HoldRow, keyof Hold>;
