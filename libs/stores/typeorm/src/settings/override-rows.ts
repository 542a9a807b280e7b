import { isRecord, scrubText } from '#contracts/common/text.js';
import { toJsonText } from '../database/sql.js';

/** The rows of the settings table: key → parsed value. */
export type OverrideRows = ReadonlyMap<string, unknown>;

/**
 * An override with megabytes of entries has a row for each of them, so that a change writes only what it changes. The row
 * of the key lists the names of the entries in their order. In older tables it is the whole value.
 */
const SPLIT = 'input_screen.patterns';

const rowOf = (name: string) => `${SPLIT}.${name}`;

/** Whether a row stores an entry of an override. */
export const isEntryRow = (row: string): boolean => row.startsWith(rowOf(''));

/** The rows that store an override; none for `null`. `before` are those now. Shares no object with the value. */
export function rowsOf(key: string, value: unknown, before: OverrideRows): OverrideRows {
  if (value === null) return new Map();
  if (key !== SPLIT || !isRecord(value)) return new Map([[scrubText(key), stored(value)]]);
  const entries = Object.entries(value).map(([name, entry]) => {
    const row = rowOf(scrubText(name));
    // Most entries are long and did not change, so their stored form is used again.
    return [row, typeof entry === 'string' && before.get(row) === entry ? entry : stored(entry)] as const;
  });
  const names = entries.map(([row]) => row.slice(rowOf('').length));
  return new Map<string, unknown>([[SPLIT, names], ...entries]);
}

/** The keys of the rows that store an override now. */
export function entriesOf(key: string, rows: OverrideRows): readonly string[] {
  const own = rows.has(key) ? [key] : [];
  return key === SPLIT ? [...own, ...[...rows.keys()].filter(isEntryRow)] : own;
}

/** The overrides that rows store. Shares no object with them. */
export function overridesOf(rows: OverrideRows): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [key, value] of rows) {
    if (isEntryRow(key)) continue;
    values.set(key, key === SPLIT && Array.isArray(value) ? joined(value, rows) : copyOf(value));
  }
  return values;
}

/** A listed entry without a row has no valid value, so that the override is reported as invalid. */
function joined(names: readonly unknown[], rows: OverrideRows): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [String(name), copyOf(rows.get(rowOf(String(name))) ?? null)]),
  );
}

/** The value as it is read again. */
function stored(value: unknown): unknown {
  return typeof value === 'string' ? scrubText(value) : JSON.parse(toJsonText(value));
}

function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}
