import type { TableFacts } from '../../../../../libs/stores/typeorm/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, warning } = findingsOf('triggers');

export function checkTriggers(tables: readonly TableFacts[]): readonly Finding[] {
  const unguarded = tables.filter((table) => table.unguarded.length > 0);
  if (unguarded.length === 0) return [ok('Triggers refuse changes of what is only ever added to.')];
  return unguarded.map(({ name, unguarded: open }) =>
    warning(
      `No trigger refuses ${open.join(', ')} on ${name}.`,
      'Whoever has the right can change the record there: take these rights from the role of the application.',
    ),
  );
}
