import { readSettingsInput } from '../../../../../libs/contracts/src/index.js';
import type { StoredOverrides } from '../../../../../libs/contracts/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, warning } = findingsOf('overrides');

export function checkOverrides({ values }: StoredOverrides): readonly Finding[] {
  const { unknown, invalid } = readSettingsInput(Object.fromEntries(values), false);
  const ignored = Object.entries({ ...unknown, ...invalid });
  if (ignored.length === 0) return [ok(`${values.size} stored overrides of settings can be used.`)];
  return ignored.map(([key, reasons]) =>
    warning(
      `The stored override of ${key} is ignored: it ${reasons.join('; ')}.`,
      `PUT /settings with a value that fits, or with null to return to the file's.`,
    ),
  );
}
