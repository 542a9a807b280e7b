import { timeText } from '../parameters.js';

export interface Spelled {
  readonly text: string;
  readonly values: unknown[];
}

export function spelled(_databaseType: string, statement: string, values: readonly unknown[]): Spelled {
  return asPostgres(statement, values);
}

function asPostgres(text: string, values: readonly unknown[]): Spelled {
  return { text, values: values.map((value) => (value instanceof Date ? timeText(value) : value)) };
}
