import { inspect } from 'node:util';
import { parsedJson } from '#contracts/common/text.js';

const BEGINS_AS_STRUCTURE = /^\s*[[{]/;

/**
 * A result of a tool as a text for the screening. A structure is read field by field: a line with the JSON pointer of
 * each text, which contains its keys, and then the text, without the escapes of JSON. Fields that are not text
 * contribute only new keys, so that a table of numbers stays short. A text that is JSON is read in the same way.
 *
 * @throws if the result cannot be read, for example because a property throws
 */
export function resultText(result: unknown): string {
  if (typeof result === 'string')
    return (BEGINS_AS_STRUCTURE.test(result) && fieldsOf(parsedJson(result))) || result;
  if (result === undefined) return '';
  return [jsonText(result), ...contentsOutsideJson(result)].join('\n');
}

const NOT_IN_JSON = /circular|BigInt/;

function jsonText(value: unknown): string {
  try {
    // The model gets the result as JSON, so that is what is screened.
    const json: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
    return fieldsOf(json) ?? String(json);
  } catch (error) {
    // Any other error comes from the result itself.
    if (!(error instanceof TypeError && NOT_IN_JSON.test(error.message))) throw error;
    return inspect(value, { depth: 20, maxStringLength: null, maxArrayLength: null });
  }
}

const utf8 = new TextDecoder();

/** The contents that JSON leaves out or writes as numbers, because a caller can pass them on as text. */
function contentsOutsideJson(result: unknown): readonly string[] {
  const texts: string[] = [];
  const seen = new Set<object>();
  const open: unknown[] = [result];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (value instanceof Uint8Array) texts.push(utf8.decode(value));
    if (ArrayBuffer.isView(value)) continue;
    const contents = contentsOf(value);
    if (contents !== null) texts.push(jsonText(contents));
    for (const inner of Object.values(contents ?? value)) open.push(inner);
  }
  return texts;
}

/** The contents of a map, a set or an error; `null` for other objects, whose contents are in their JSON. */
function contentsOf(value: object): object | null {
  if (value instanceof Map) return [...(value as ReadonlyMap<unknown, unknown>)].flat();
  if (value instanceof Set) return [...(value as ReadonlySet<unknown>)];
  if (value instanceof Error) return { name: value.name, message: value.message, cause: value.cause };
  return null;
}

/** The lines of a structure; `null` for any other value. */
function fieldsOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const lines: string[] = [];
  const keys = new Set<string>();
  const open: [pointer: string, key: string, value: unknown][] = [['', '', value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [pointer, key, field] = next;
    const entries = typeof field === 'object' && field !== null ? Object.entries(field) : [];
    for (const [inner, its] of entries.toReversed())
      open.push([`${pointer}/${inner.replaceAll('~', '~0').replaceAll('/', '~1')}`, inner, its]);
    if (typeof field === 'string') lines.push(pointer, field);
    else if (!keys.has(key) && !/^\d*$/.test(key)) lines.push(pointer);
    keys.add(key);
  }
  return lines.join('\n');
}
