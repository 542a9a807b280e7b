import { timeText } from '../parameters.js';

export interface Spelled {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Statements are written as PostgreSQL spells them. MariaDB understands the same ones once three things are spelled its
 * way: names stand in backticks, parameters are question marks in the order of their use, and nothing says its type.
 */
const SPELLED_OTHERWISE =
  /'(?:[^']|'')*'|"([^"]+)"|= any\(\$(\d+)(?:::\w+\[\])?\)|\$(\d+)(?:::\w+(?:\[\])?)?|::\w+(?:\[\])?/g;

export function spelled(databaseType: string, statement: string, values: readonly unknown[]): Spelled {
  return databaseType === 'postgres' ? asPostgres(statement, values) : asMariadb(statement, values);
}

function asPostgres(text: string, values: readonly unknown[]): Spelled {
  return { text, values: values.map((value) => (value instanceof Date ? timeText(value) : value)) };
}

function asMariadb(statement: string, given: readonly unknown[]): Spelled {
  const values: unknown[] = [];
  const use = (place: string): void => {
    const value = given[Number(place) - 1];
    values.push(value instanceof Date ? mariadbTime(value) : value);
  };
  const text = statement.replace(
    SPELLED_OTHERWISE,
    (word: string, name?: string, list?: string, parameter?: string): string => {
      if (name !== undefined) return `\`${name}\``;
      if (list !== undefined) {
        const wanted = given[Number(list) - 1] as readonly unknown[];
        // A list of nothing is no list to MariaDB; null is equal to nothing.
        values.push(wanted.length === 0 ? [null] : wanted);
        return 'in (?)';
      }
      if (parameter === undefined) return word.startsWith("'") ? word : '';
      use(parameter);
      return '?';
    },
  );
  return { text, values };
}

/** Columns hold times in UTC and without a zone. */
export function mariadbTime(time: Date | string): string {
  return timeText(new Date(time)).replace('T', ' ').replace('Z', '');
}
