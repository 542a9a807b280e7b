// The arguments that a model sent, as plain JSON. Their schema is checked elsewhere: `tool-schema.ts`.
import type { ToolArguments } from '#contracts/firewall/firewall.js';
import { isPlainObject, parsedJson, scrubText } from '#contracts/common/text.js';
import { MAX_DEPTH, pathText, setOwn } from '../../json/plain-json.js';

/** Maximum size of one call in bytes of JSON. */
const MAX_BYTES = 1024 * 1024;

type ReadArguments =
  | { readonly ok: true; readonly args: ToolArguments }
  | { readonly ok: false; readonly violations: Readonly<Record<string, string>> };

/** Why arguments cannot be read; stops reading. */
class Unreadable extends Error {
  constructor(
    readonly path: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/**
 * Reads the arguments of a model: an object, or its JSON text. Returns a copy that contains only plain JSON, so
 * that the same value is checked, stored, approved and run. Characters that cannot be stored become U+FFFD.
 */
export function readArguments(raw: unknown): ReadArguments {
  try {
    const value = typeof raw === 'string' ? parse(raw) : raw;
    if (!isPlainObject(value)) throw new Unreadable('(arguments)', 'must be an object');
    return { ok: true, args: copyOf(value) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, violations: { [error.path]: error.reason } };
    // A getter or a proxy of the caller has thrown.
    return { ok: false, violations: { '(arguments)': 'cannot be read' } };
  }
}

function parse(text: string): unknown {
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLarge();
  const value = parsedJson(text);
  if (value === undefined) throw new Unreadable('(arguments)', 'is not valid JSON of at most 64 levels');
  const twice = duplicateKey(text);
  if (twice !== null) throw new Unreadable(twice, 'appears twice');
  return value;
}

function copyOf(root: Record<string, unknown>): ToolArguments {
  const path: (string | number)[] = [];
  let bytes = 0;

  // Bytes are counted while reading, which also limits an object that contains the same part many times.
  const weigh = (weight: number) => {
    bytes += weight;
    if (bytes > MAX_BYTES) throw tooLarge();
  };
  const within = (step: string | number, value: unknown): unknown => {
    if (path.push(step) > MAX_DEPTH) {
      throw new Unreadable(
        '(arguments)',
        `is nested deeper than ${MAX_DEPTH} levels, or has a circular reference`,
      );
    }
    const copied = copy(value);
    path.pop();
    return copied;
  };
  const copyObject = (object: Record<string, unknown>): Record<string, unknown> => {
    weigh(2);
    const copied: Record<string, unknown> = {};
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      if (scrubText(key) !== key) {
        throw new Unreadable(pathText(path), 'has an argument name with characters that cannot be stored');
      }
      weigh(Buffer.byteLength(key) + 4);
      setOwn(copied, key, within(key, value));
    }
    return copied;
  };
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') {
      weigh(Buffer.byteLength(value) + 2);
      return scrubText(value);
    }
    weigh(2);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (Array.isArray(value)) return Array.from(value, (item: unknown, index) => within(index, item));
    if (isPlainObject(value)) return copyObject(value);
    throw new Unreadable(pathText(path), 'is not a JSON value');
  };
  return copyObject(root);
}

function tooLarge() {
  return new Unreadable('(arguments)', 'must not exceed 1 MB of JSON');
}

/** The keys of one open object, or `null` for an array. */
type Keys = Set<string> | null;

/**
 * The first key that occurs twice in one object of a JSON text, or `null`. Parsers disagree on which value counts,
 * so the checked value may not be the one used. The text must be valid JSON.
 */
function duplicateKey(json: string): string | null {
  const open: Keys[] = [];
  let expectsKey = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '{':
        open.push(new Set());
        expectsKey = true;
        break;
      case '[':
        open.push(null);
        expectsKey = false;
        break;
      case '}':
      case ']':
        open.pop();
        expectsKey = false;
        break;
      case ',':
        expectsKey = open.at(-1) !== null;
        break;
      case '"': {
        const end = endOfText(json, at);
        const keys = open.at(-1);
        if (expectsKey && keys) {
          const key = decode(json.slice(at, end));
          if (keys.has(key)) return key;
          keys.add(key);
        }
        expectsKey = false;
        at = end - 1;
        break;
      }
      default:
    }
  }
  return null;
}

function endOfText(json: string, start: number) {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Equal keys may be written with different escapes. */
function decode(quoted: string) {
  return JSON.parse(quoted) as string;
}
