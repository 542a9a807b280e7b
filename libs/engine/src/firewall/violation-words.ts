import type { ErrorObject } from 'ajv';
import { pathText } from '../json/plain-json.js';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** What a schema objects to, by the argument's path. Speaks of the schema only: a value may hold a secret. */
export function inWords(errors: readonly ErrorObject[]): Record<string, string> {
  const reasons = new Map<string, Set<string>>();
  for (const error of errors) {
    const path = placeOf(error);
    const known = reasons.get(path) ?? new Set();
    reasons.set(path, known.add(reasonOf(error)));
  }
  return Object.fromEntries([...reasons].map(([path, known]) => [path, [...known].join('; ')]));
}

function placeOf({ instancePath, params, propertyName }: ErrorObject): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Record<string, unknown>;
  const named = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName;
  return pathText(typeof named === 'string' ? [...path, named] : path);
}

function reasonOf({ keyword, params, message }: ErrorObject): string {
  const facts = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'type': {
      const types = Array.isArray(facts['type']) ? facts['type'] : [facts['type']];
      return `must be ${types.map((type) => TYPES[String(type)] ?? String(type)).join(' or ')}`;
    }
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not declared by the tool';
    case 'false schema':
      return 'is not allowed';
    case 'enum':
      return 'must be one of the values that the tool declares';
    case 'const':
      return 'must be the value that the tool declares';
    case 'anyOf':
    case 'oneOf':
      return 'must take one of the forms that the tool declares';
    case 'format':
      return `must be a valid ${String(facts['format'])}`;
    case 'pattern':
      return 'must match the pattern that the tool declares';
    case 'uniqueItems':
      return 'must not hold the same item twice';
    default:
      return message ?? 'is not acceptable';
  }
}
