// JSON that is stored and compared: canonical text, digest, paths and pointers.
import { createHash } from 'node:crypto';
import { isPlainObject } from '#contracts/common/text.js';

/** Deeper values are not digested, stored or run. */
export const MAX_DEPTH = 200;

/** Sets an own property, also for the name `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** `items`, `0`, `price` → `items.0.price`; the root is `(arguments)`. */
export function pathText(path: readonly (string | number)[]): string {
  return path.length === 0 ? '(arguments)' : path.join('.');
}

/** A JSON pointer (RFC 6901). */
export function pointerTo(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The steps of a JSON pointer. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Canonical JSON (RFC 8785): keys sorted by UTF-16 units, numbers as in ECMAScript, no whitespace. Values that
 * JSON cannot represent (undefined, functions, class instances, NaN, lone surrogates, circular references, more
 * than 200 levels) are errors, because two different values must never have the same digest.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** SHA-256 of the canonical JSON, hex. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function write(value: unknown, depth: number): string {
  // The limit also ends the recursion on circular references.
  if (depth > MAX_DEPTH)
    throw new TypeError(`A value is nested deeper than ${MAX_DEPTH} levels, or has a circular reference.`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('A number that is not finite has no JSON form.');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item: unknown) => write(item, depth + 1)).join(',')}]`;
  }
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .toSorted()
      .map((key) => `${writeText(key)}:${write(value[key], depth + 1)}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`A value of type ${typeof value} has no JSON form.`);
}

function writeText(text: string) {
  if (!text.isWellFormed()) throw new TypeError('A string with a lone surrogate has no canonical form.');
  return JSON.stringify(text);
}
