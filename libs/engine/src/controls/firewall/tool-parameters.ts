// The schema of a tool, from whichever library.
import { ConfigurationError } from '#contracts/common/errors.js';
import type { JsonSchema, StandardSchema, ToolParameters } from '#contracts/firewall/firewall.js';
import { isPlainObject } from '#contracts/common/text.js';
import { LinearRegex } from '../../patterns/linear-regex.js';
import { SCHEMA_FORMATS } from '../../schema/json-schema.js';

type Judge = StandardSchema['~standard'];

/** The parsed parameters of a tool. */
interface ReadParameters {
  /** `null`: the schema has no JSON form. */
  readonly json: JsonSchema | null;
  /** The Standard Schema's validation; `null` for a JSON Schema. */
  readonly judge: Judge | null;
}

const TARGETS = ['draft-2020-12', 'draft-07'] as const;

const cache = new WeakMap<object, ReadParameters>();

/**
 * Reads JSON Schema, zod and any other Standard Schema. Results are cached per object.
 *
 * @throws ConfigurationError where a schema cannot be used, or fails to produce the JSON form that it offers.
 */
export function readParameters(parameters: ToolParameters): ReadParameters {
  if (!isObject(parameters)) throw unusable('`parameters` must be a JSON Schema or a Standard Schema');
  let read = cache.get(parameters);
  if (read === undefined) {
    read = isStandard(parameters) ? readStandard(parameters) : { json: parameters, judge: null };
    cache.set(parameters, read);
  }
  return read;
}

function readStandard(schema: StandardSchema): ReadParameters {
  const judge = schema['~standard'];
  if (!isObject(judge) || judge.version !== 1 || typeof judge.validate !== 'function') {
    throw unusable('the schema does not implement version 1 of Standard Schema');
  }
  return { json: jsonFormOf(judge), judge };
}

function jsonFormOf({ jsonSchema }: Judge): JsonSchema | null {
  if (jsonSchema === undefined) return null;
  let refusal: unknown;
  for (const target of TARGETS) {
    try {
      // The way through JSON removes functions and other additions of the library.
      const form: unknown = JSON.parse(JSON.stringify(jsonSchema.input({ target })), leaveToFormat);
      if (isPlainObject(form)) return form;
    } catch (error) {
      refusal ??= error;
    }
  }
  const why = refusal instanceof Error ? `: ${refusal.message}` : '';
  throw unusable(`the schema cannot be written as JSON Schema${why}`);
}

/**
 * Libraries add a pattern to a format. Patterns with look-around are dropped, because our check of the format
 * replaces them.
 */
function leaveToFormat(_key: string, schema: unknown) {
  if (!isPlainObject(schema)) return schema;
  const { pattern, format, ...rest } = schema;
  if (typeof pattern !== 'string' || typeof format !== 'string') return schema;
  return !Object.hasOwn(SCHEMA_FORMATS, format) || isLinear(pattern) ? schema : { ...rest, format };
}

function isLinear(pattern: string) {
  try {
    LinearRegex.compile(`/${pattern}/g`, { admitEmpty: true });
    return true;
  } catch {
    return false;
  }
}

/** Some libraries use functions as schemas. */
function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isStandard(parameters: ToolParameters): parameters is StandardSchema {
  return '~standard' in parameters;
}

function unusable(why: string) {
  return new ConfigurationError([`The parameters of a tool cannot be checked: ${why}.`]);
}
