/** What a JSON pointer finds in the arguments. `unreachable`: a value on the way has no such members. */
export type FoundArgument =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreachable' };

const MISSING = { kind: 'missing' } as const;
const UNREACHABLE = { kind: 'unreachable' } as const;

const INDEX = /^(?:0|[1-9][0-9]{0,9})$/;

/** Reads a value by JSON pointer (RFC 6901). Own properties only. */
export function readArgument(args: unknown, pointer: string): FoundArgument {
  let value: unknown = args;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return UNREACHABLE;
    if (Array.isArray(value)) {
      if (!INDEX.test(name)) return UNREACHABLE;
      if (Number(name) >= value.length) return MISSING;
    } else if (!Object.hasOwn(value, name)) return MISSING;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return { kind: 'value', value };
}
