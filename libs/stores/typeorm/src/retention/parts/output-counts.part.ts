import { changed, countOf, unlessFull, type RunPart, type RunWork } from '../run-work.js';

/** Counts of nobody and nothing that could be read: only age takes them. The folded ones stay. */
export const outputCountsPart: RunPart = {
  count(work) {
    const before = endOf(work);
    if (before === null) return Promise.resolve(0);
    return countOf(
      work,
      (parameters) =>
        `select count(*) as count from ${work.tables.outputCounts} where occurred_at < ${parameters.time(before)}`,
    );
  },

  async step(work, _cursor, limit) {
    const before = endOf(work);
    if (before === null) return { touched: 0, cursor: null };
    const { outputCounts } = work.tables;
    const touched = await changed(
      work,
      (parameters) => `delete from ${outputCounts} where id in (select id from (
        select id from ${outputCounts} where occurred_at < ${parameters.time(before)} limit ${parameters.add(limit)}) chunk)`,
    );
    return unlessFull(touched, limit);
  },
};

const endOf = ({ scope, strategy }: RunWork): Date | null =>
  strategy === 'purge' && scope.kind === 'before' ? scope.before : null;
