import { scrubJson } from '../../../contracts/src/text.js';

/** A JSON value as the tables keep it: as text, because that keeps the order of keys. */
export function jsonText(value: unknown): string {
  return JSON.stringify(scrubJson(value)) ?? 'null';
}

export function jsonOf(text: string): unknown {
  return JSON.parse(text);
}
