import { inspect } from 'node:util';

/**
 * A result of a tool as a text for the screening. A structure is read field by field: a line with the JSON pointer of
 * each text, which contains its keys, and then the text, without the escapes of JSON. Of fields that are no text only
 * new keys are read, so that a table of numbers stays short. A text that is JSON is read in the same way.
 */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return fieldsOf(parsed(result)) ?? result;
  if (result === undefined) return '';
  try {
    // Through JSON, as the model gets it.
    const json: unknown = JSON.parse(JSON.stringify(result) ?? 'null');
    return fieldsOf(json) ?? String(json);
  } catch {
    return inspect(result, { depth: 20, maxStringLength: null, maxArrayLength: null });
  }
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `null`: not a structure. */
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
