import type { Parameters } from '../../parameters.js';
import { ask, changed, countOf, type RunPart, type RunWork } from '../run-work.js';

/** Events that are kept, delivered or not, and dead letters: deleted by either strategy, for every sink. */
export const eventsPart: RunPart = {
  count(work) {
    return countOf(
      work,
      (parameters) =>
        `select count(*) as count from ${work.tables.outbox} where ${inScope(work, parameters)}`,
    );
  },

  async step(work, cursor, limit) {
    const { outbox, deliveries } = work.tables;
    const rows = await ask<{ position: string }>(
      work,
      (parameters) => `select position from ${outbox}
        where ${inScope(work, parameters)} and position > ${parameters.add(Number(cursor ?? 0))}
        order by position limit ${parameters.add(limit)}`,
    );
    const positions = rows.map(({ position }) => position);
    for (const table of [deliveries, outbox]) {
      await changed(
        work,
        (parameters) => `delete from ${table} where position = any(${parameters.add(positions)}::bigint[])`,
      );
    }
    return { touched: rows.length, cursor: rows.length < limit ? null : Number(positions.at(-1)) };
  },
};

function inScope({ scope, dialect }: RunWork, parameters: Parameters): string {
  switch (scope.kind) {
    case 'entry':
      return `audit_id = ${parameters.add(scope.id)}`;
    case 'principal':
      return `${dialect.fieldOf('payload', 'principal_id')} = ${parameters.text(scope.principalId)}`;
    case 'before':
      return `occurred_at < ${parameters.time(scope.before)}`;
  }
  return scope satisfies never;
}
