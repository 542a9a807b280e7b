import { inspect } from 'node:util';

/**
 * A result of a tool as a text for the screening. A structure is read field by field: a line with the JSON pointer of
 * the field, which contains its keys, and then its text, without the escapes of JSON. A text that is JSON is read in
 * the same way.
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
  const open: [pointer: string, value: unknown][] = [['', value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [pointer, field] = next;
    if (typeof field === 'object' && field !== null) {
      const entries = Object.entries(field).map(([key, inner]): [string, unknown] => [
        `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        inner,
      ]);
      if (entries.length === 0) lines.push(pointer);
      for (const entry of entries.toReversed()) open.push(entry);
    } else {
      lines.push(pointer, String(field));
    }
  }
  return lines.join('\n');
}
