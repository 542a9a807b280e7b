import type { TableFacts } from '../../../../../libs/stores/typeorm/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, error } = findingsOf('triggers');

export function checkTriggers(tables: readonly TableFacts[]): readonly Finding[] {
  const unguarded = tables.filter((table) => table.unguarded.length > 0);
  if (unguarded.length === 0)
    return [
      ok(
        'Triggers refuse changes of evidence, rejections, changes of settings, decisions and retention runs.',
      ),
    ];
  return unguarded.map(({ name, unguarded: open }) =>
    error(
      `No trigger in force looks at ${open.join(', ')} on ${name}.`,
      `Somebody disabled or dropped it: alter table ${name} enable trigger user; or restore it as the migration made it. Then run nest-guardrails verify.`,
    ),
  );
}
