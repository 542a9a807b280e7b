import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { jsonOf } from '../../json-text.js';
import { rowsOf } from '../../rows.js';
import type { Tables } from '../../tables.js';
import type { Findings } from './verification.js';

/** What is in force must be what the latest change on record came to. Of rules, each has changes of its own. */
export async function checkSettings(
  manager: EntityManager,
  { settings, settingChanges }: Tables,
  findings: Findings,
): Promise<void> {
  const rows = await rowsOf<{ key: string; value: string; told: string | null; parts: boolean }>(
    manager,
    `select s.key, s.value, latest.new_value as told,
       exists (select 1 from ${settingChanges} part where starts_with(part.key, s.key || '.')) as parts
     from ${settings} s left join lateral (
       select c.new_value from ${settingChanges} c where c.key = s.key order by c.id desc limit 1) latest on true
     order by s.key`,
  );
  for (const { key, value, told, parts } of rows) {
    if (told === null && parts) continue;
    if (told !== null && isDeepStrictEqual(jsonOf(value), jsonOf(told))) continue;
    findings.add(
      'altered',
      null,
      told === null
        ? `The setting ${key} is overridden, and no change of it is on record.`
        : `The setting ${key} is not what the latest change on record came to.`,
    );
  }
}
