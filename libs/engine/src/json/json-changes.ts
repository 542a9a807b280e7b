import type { ArgumentChange } from '#contracts/api/approvals.responses.js';
import { canonicalJson, isPlainObject, pointerTo } from './plain-json.js';

/** The places where two JSON values differ, in the order of the first, then of the second. */
export function changesBetween(
  before: unknown,
  after: unknown,
  path: readonly (string | number)[] = [],
): readonly ArgumentChange[] {
  if (isPlainObject(before) && isPlainObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => {
      if (!Object.hasOwn(before, key)) return [change([...path, key], null, after[key])];
      if (!Object.hasOwn(after, key)) return [change([...path, key], before[key], null)];
      return changesBetween(before[key], after[key], [...path, key]);
    });
  }
  return canonicalJson(before) === canonicalJson(after) ? [] : [change(path, before, after)];
}

function change(path: readonly (string | number)[], from: unknown, to: unknown): ArgumentChange {
  return { path: pointerTo(path), from, to };
}
