/** Deeper than this nothing is digested, stored or run. */
export const DEEPEST = 200;

/** An object that JSON can hold whole: no class instance, and none with a prototype of its own. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Not compared with Object.prototype: every realm has one of its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Sets an own property also where the name is `__proto__`, which a plain assignment would give to the prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** `items`, `0`, `price` → `items.0.price`; the whole of the arguments is `(arguments)`. */
export function pathText(path: readonly (string | number)[]): string {
  return path.length === 0 ? '(arguments)' : path.join('.');
}
