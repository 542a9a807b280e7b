import { TABLE_WORDS, tablesOf, type TableWord } from '../tables.js';
import { tableNaming, type TablePlace } from '../typeorm-stores.options.js';
import { CHANGED_COLUMNS, MAINTENANCE_RIGHTS, TABLE_RIGHTS, type Privilege } from './table-rights.js';

export interface RoleNames {
  /** Writes and reads while an application runs. */
  readonly application: string;
  /** Erases, deletes and verifies. */
  readonly maintenance: string;
}

/** Gives two roles what they need of our tables, and takes from them and everybody whatever else they had. */
export function grantStatements(
  { application, maintenance }: RoleNames,
  place: TablePlace = {},
): readonly string[] {
  const naming = tableNaming(place);
  const tables = tablesOf(naming);
  const [app, keeper] = [quoted(application), quoted(maintenance)];
  const given = (
    rights: Readonly<Partial<Record<TableWord, readonly Privilege[]>>>,
    role: string,
    columns: typeof CHANGED_COLUMNS = {},
  ): string[] =>
    TABLE_WORDS.flatMap((word) => {
      const held = rights[word] ?? [];
      return held.length === 0
        ? []
        : [
            `grant ${held.map((right) => narrowed(right, columns[word])).join(', ')} on ${tables[word]} to ${role};`,
          ];
    });
  return [
    `revoke all on ${TABLE_WORDS.map((word) => tables[word]).join(', ')} from public, ${app}, ${keeper};`,
    ...(naming.schema === undefined
      ? []
      : [`grant usage on schema "${naming.schema}" to ${app}, ${keeper};`]),
    ...given(TABLE_RIGHTS, app, CHANGED_COLUMNS),
    ...given(MAINTENANCE_RIGHTS, keeper),
  ];
}

function narrowed(right: Privilege, columns: readonly string[] | undefined): string {
  const word = right.toLowerCase();
  return right === 'UPDATE' && columns !== undefined ? `${word} (${columns.join(', ')})` : word;
}

function quoted(role: string): string {
  return `"${role.replaceAll('"', '""')}"`;
}
