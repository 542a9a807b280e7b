import { isDeepStrictEqual } from 'node:util';
import { definitionOf, type Weakening } from '#contracts/settings/settings.schema.js';
import { isRecord } from '#contracts/text.js';
import type { KeyedChange } from './setting-changes.js';

/** A sentence for each way in which a change protects less, by the `weakens` of its setting. */
export function weakeningsOf({ setting, key, before, after }: KeyedChange): readonly string[] {
  const { weakens = {} } = definitionOf(setting);
  if (key !== setting) return entryWeakenings(weakens, key, before, after);
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      entryWeakenings(weakens, `${key}.${name}`, before[name], after[name]),
    );
  if (Array.isArray(before) && Array.isArray(after)) return listWeakenings(weakens, key, before, after);
  return isWeaker(weakens, before, after) ? [`${key} protects less as ${shown(after)}.`] : [];
}

function entryWeakenings(
  weakens: Weakening,
  name: string,
  before: unknown,
  after: unknown,
): readonly string[] {
  const [existed, exists] = [isThere(before), isThere(after)];
  if (weakens.entries === 'removed' && existed && !exists) return [`${name} no longer protects.`];
  if (weakens.entries === 'added' && exists && !existed) return [`${name} is added, which protects less.`];
  return isWeaker(weakens, before, after) ? [`${name} protects less as ${shown(after)}.`] : [];
}

function listWeakenings(
  { entries }: Weakening,
  key: string,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly string[] {
  if (entries === undefined) return [];
  const [from, to] = entries === 'added' ? [after, before] : [before, after];
  const count = from.filter((entry) => !to.some((other) => isDeepStrictEqual(entry, other))).length;
  if (count === 0) return [];
  return [`${key} protects less: ${count} ${count === 1 ? 'entry is' : 'entries are'} ${entries}.`];
}

/** Values that are not listed protect most. */
function isWeaker({ values = [] }: Weakening, before: unknown, after: unknown): boolean {
  const rank = (value: unknown): number => values.findIndex((weak) => isDeepStrictEqual(weak, value));
  return rank(after) > rank(before);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
