import type { Comparison, PolicyConstant } from '#contracts/policies.js';
import type { FoundArgument } from './argument-reader.js';

/** `unknown`: the argument is not comparable. */
export type Comparability = 'holds' | 'fails' | 'unknown';

/** Compares an argument with the constants of one condition. Nothing is converted to another type. */
export function compareArgument(found: FoundArgument, comparison: Comparison): Comparability {
  const { missing, ...others } = comparison;
  if (found.kind === 'unreachable') return 'unknown';
  if (found.kind === 'missing') return missing === undefined ? 'unknown' : missing ? 'holds' : 'fails';
  if (missing === true) return 'fails';
  return allOf(
    Object.entries(others).map(([operator, constant]) => compare(found.value, operator, constant)),
  );
}

/** `unknown` before `fails`: a condition that cannot be compared stops the checking, whatever the others say. */
export function allOf(results: readonly Comparability[]): Comparability {
  if (results.includes('unknown')) return 'unknown';
  return results.includes('fails') ? 'fails' : 'holds';
}

function compare(value: unknown, operator: string, constant: unknown): Comparability {
  switch (operator) {
    case 'eq':
      return isOneOf(value, [constant as PolicyConstant]);
    case 'in':
      return isOneOf(value, constant as readonly PolicyConstant[]);
    case 'lt':
      return inOrder(value, (number) => number < (constant as number));
    case 'lte':
      return inOrder(value, (number) => number <= (constant as number));
    case 'gt':
      return inOrder(value, (number) => number > (constant as number));
    case 'gte':
      return inOrder(value, (number) => number >= (constant as number));
    default:
      return 'unknown';
  }
}

function isOneOf(value: unknown, constants: readonly PolicyConstant[]): Comparability {
  const comparable = constants.filter((constant) => typeOf(constant) === typeOf(value));
  if (comparable.length === 0 || typeOf(value) === 'other') return 'unknown';
  return comparable.some((constant) => constant === value) ? 'holds' : 'fails';
}

function inOrder(value: unknown, holds: (number: number) => boolean): Comparability {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'unknown';
  return holds(value) ? 'holds' : 'fails';
}

function typeOf(value: unknown): 'text' | 'number' | 'boolean' | 'null' | 'other' {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' && Number.isFinite(value) ? 'number' : 'other';
}
