import type { Tool } from '#contracts/firewall/firewall.js';
import { isRecord, parsedJson } from '#contracts/common/text.js';
import { stepsOf } from '../json/plain-json.js';

/** The texts and numbers of a result that its tool trusts. A result may be JSON text, as MCP and models get it. */
export function trustedTexts({ returns }: Pick<Tool, 'returns'>, result: unknown): readonly string[] {
  if (returns === undefined) return [];
  const value = typeof result === 'string' ? parsedJson(result) : result;
  return returns.trusted.flatMap((pointer) =>
    valuesAt([value], stepsOf(pointer)).flatMap((found) =>
      typeof found === 'string' || typeof found === 'number' ? String(found) : [],
    ),
  );
}

/** `*` stands for every entry of a list, and every member of an object. */
function valuesAt(values: readonly unknown[], steps: readonly string[]) {
  return steps.reduce<readonly unknown[]>(
    (found, step) =>
      found.flatMap((value): readonly unknown[] => {
        if (typeof value !== 'object' || value === null) return [];
        if (step === '*') return Object.values(value);
        const parent = value as Readonly<Record<string, unknown>>;
        return (Array.isArray(value) || isRecord(value)) && Object.hasOwn(parent, step) ? [parent[step]] : [];
      }),
    values,
  );
}
