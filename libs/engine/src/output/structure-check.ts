import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JsonSchema, StandardSchema } from '../../../contracts/src/firewall.js';
import { compileSchema } from '../schema/json-schema.js';
import { withinTime } from '../time-limit.js';

/** What a structured output has to fit: a JSON Schema, or a schema of zod or another library that speaks Standard Schema. */
export type OutputSchema = JsonSchema | StandardSchema;

/** Milliseconds that a schema with code of its own may take. */
const LONGEST_JUDGEMENT = 5000;

const UNUSABLE = { '(schema)': 'the schema cannot be used, so nothing fits it' };

/** `null` where the schema cannot be compiled. */
const compiled = new WeakMap<object, ValidateFunction | null>();

/** What a schema objects to: path → why. Speaks of the schema only: a value may hold a secret. */
export async function misfits(value: unknown, schema: OutputSchema): Promise<Record<string, string>> {
  return isStandard(schema) ? judgedByItself(value, schema) : judged(value, schema);
}

function judged(value: unknown, schema: JsonSchema): Record<string, string> {
  const validate = compiledOnce(schema);
  if (validate === null) return UNUSABLE;
  try {
    if (validate(value)) return {};
  } catch {
    // A schema that refers to itself can outgrow the stack.
    return UNUSABLE;
  }
  return Object.fromEntries(
    (validate.errors ?? []).map((error) => [placeOf(error), `does not fit: ${error.keyword}`]),
  );
}

async function judgedByItself(value: unknown, schema: StandardSchema): Promise<Record<string, string>> {
  try {
    const result = await withinTime(schema['~standard'].validate(structuredClone(value)), LONGEST_JUDGEMENT);
    const places = (result.issues ?? []).map(({ path = [] }) =>
      path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.'),
    );
    if (result.issues?.length === 0) return { '(value)': 'does not fit' };
    return Object.fromEntries(places.map((place) => [place === '' ? '(value)' : place, 'does not fit']));
  } catch {
    return UNUSABLE;
  }
}

function compiledOnce(schema: JsonSchema): ValidateFunction | null {
  if (!compiled.has(schema)) compiled.set(schema, compile(schema));
  return compiled.get(schema) ?? null;
}

function compile(schema: JsonSchema): ValidateFunction | null {
  try {
    return compileSchema(schema);
  } catch {
    return null;
  }
}

function placeOf({ instancePath }: ErrorObject): string {
  const path = instancePath.split('/').slice(1);
  return path.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.') || '(value)';
}

function isStandard(schema: OutputSchema): schema is StandardSchema {
  return '~standard' in schema;
}
