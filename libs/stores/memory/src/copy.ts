import { scrubText } from '../../../contracts/src/text.js';

/**
 * A record that shares nothing with the one it is made from, with every text scrubbed. Made on the way in, so that
 * the memory holds what a database would, and on the way out, so that nobody holds what the memory holds.
 * Members that are `undefined` are left out, as JSON leaves them out.
 */
export function copyOf<Value>(value: Value): Value {
  return copied(value) as Value;
}

function copied(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value);
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, held]) => held !== undefined)
      .map(([key, held]) => [scrubText(key), copied(held)]),
  );
}
