// Checks arguments by the schema of their tool. A JSON Schema is compiled once; a Standard Schema also runs its own code.
import type { ErrorObject, ValidateFunction } from 'ajv';
import { messageOf } from '#contracts/common/errors.js';
import type {
  JsonSchema,
  StandardIssue,
  StandardSchema,
  Tool,
  ToolArguments,
} from '#contracts/firewall/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import { isPlainObject } from '#contracts/common/text.js';
import { pathText, setOwn, stepsOf } from '../../json/plain-json.js';
import { compileSchema } from '../../schema/json-schema.js';
import { withinTime } from '../../shared/time-limit.js';
import { composed, COMPOSING_LISTS, COMPOSING_MAPS, COMPOSING_SCHEMAS } from './subschemas.js';
import { readArguments } from './tool-arguments.js';
import { readParameters } from './tool-parameters.js';

/** `null` where the schema cannot be compiled. */
type Compiled = ValidateFunction | null;

/** Maximum number of cached schemas by text; tools built per request have equal schemas in new objects. */
const MAX_CACHED = 1000;

const asDeclared = { byIdentity: new WeakMap<JsonSchema, Compiled>(), byText: new Map<string, Compiled>() };
const closed = { byIdentity: new WeakMap<JsonSchema, Compiled>(), byText: new Map<string, Compiled>() };

interface CheckedArguments {
  /** The arguments to run: as given, or as a Standard Schema transformed them. */
  readonly args: ToolArguments;
  readonly violations: Record<string, string>;
}

/**
 * Validates arguments with the tool's schema. The code of a Standard Schema runs only on arguments that its JSON
 * form accepts, so that patterns are checked in linear time first.
 */
export async function checkArguments(
  tool: Pick<Tool, 'parameters'>,
  args: ToolArguments,
  settings: Settings,
  timeoutMs: number,
): Promise<CheckedArguments> {
  const { json, judge } = readParameters(tool.parameters);
  const violations = json === null ? {} : violationsOf(json, args, settings);
  if (judge === null || Object.keys(violations).length > 0) return { args, violations };
  const own = await validateWithStandardSchema(judge, args, timeoutMs);
  if (json !== null || !settings.get('tool_firewall.reject_unknown_arguments')) return own;
  const unknown = own.dropped.map((path) => [path, 'is not declared by the tool'] as const);
  return { args: own.args, violations: { ...own.violations, ...Object.fromEntries(unknown) } };
}

/**
 * Violations by path of the argument; reasons never contain a value. A schema that cannot be compiled refuses
 * every call.
 */
export function violationsOf(
  schema: JsonSchema,
  args: ToolArguments,
  settings: Settings,
): Record<string, string> {
  const validate = compiledOnce(schema, settings.get('tool_firewall.reject_unknown_arguments'));
  if (validate === null)
    return { '(schema)': 'the schema of the tool cannot be compiled, so no call can be checked' };
  try {
    return validate(args) ? {} : reasonsByPath(validate.errors ?? []);
  } catch {
    // A recursive schema can exceed the stack.
    return { '(schema)': 'the schema of the tool cannot check these arguments' };
  }
}

/** Why a schema cannot be compiled, so that every call would be refused; `null` where it can. */
export function compileError(schema: JsonSchema): string | null {
  if (compiledOnce(schema, true) !== null) return null;
  try {
    compileSchema(closedSchema(schema));
    return null;
  } catch (error) {
    return messageOf(error, String(error));
  }
}

function compiledOnce(schema: JsonSchema, rejectUnknown: boolean) {
  const { byIdentity, byText } = rejectUnknown ? closed : asDeclared;
  let compiled = byIdentity.get(schema);
  if (compiled === undefined) {
    compiled = compiledByText(schema, rejectUnknown, byText);
    byIdentity.set(schema, compiled);
  }
  return compiled;
}

function compiledByText(schema: JsonSchema, rejectUnknown: boolean, known: Map<string, Compiled>): Compiled {
  try {
    const text = JSON.stringify(schema);
    const compiled = known.get(text) ?? compileSchema(rejectUnknown ? closedSchema(schema) : schema);
    known.delete(text);
    known.set(text, compiled);
    // The first key is the one that was used least recently.
    if (known.size > MAX_CACHED) known.delete(known.keys().next().value ?? '');
    return compiled;
  } catch {
    return null;
  }
}

/** How a subschema relates to its parent. */
type Place =
  /** It validates a separate value: an argument or an entry of a list. */
  | 'value'
  /** It validates part of a value that its parent, or a referring schema, validates as a whole. */
  | 'part';

const VALUES = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
];
const PARTS = [...COMPOSING_LISTS, ...COMPOSING_SCHEMAS, ...COMPOSING_MAPS, '$defs', 'definitions'];

const PLACES: ReadonlyMap<string, Place> = new Map([
  ...VALUES.map((keyword) => [keyword, 'value'] as const),
  ...PARTS.map((keyword) => [keyword, 'part'] as const),
]);

const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  ...COMPOSING_MAPS,
  '$defs',
  'definitions',
]);

const MAX_SCHEMA_DEPTH = 200;

/**
 * A copy of a schema in which every object with `properties` and no rule for other names forbids them. Only the
 * outermost schema of a composition is closed, because its parts declare only their own names. `if` and `not` stay
 * unchanged, because a stricter condition would permit more.
 */
function closedSchema(root: JsonSchema): JsonSchema {
  const close = (schema: unknown, place: Place, depth: number): unknown => {
    if (Array.isArray(schema)) return schema.map((entry) => close(entry, place, depth + 1));
    if (!isPlainObject(schema)) return schema;
    if (depth > MAX_SCHEMA_DEPTH) throw new TypeError('The schema is nested too deeply or is circular.');
    const copied: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      setOwn(copied, keyword, closeKeyword(keyword, value, depth));
    }
    if (place === 'value' && isOpenObject(schema, root)) copied['unevaluatedProperties'] = false;
    return copied;
  };
  const closeKeyword = (keyword: string, value: unknown, depth: number): unknown => {
    const place = PLACES.get(keyword);
    if (place === undefined) return value;
    if (!MAPS.has(keyword)) return close(value, place, depth + 1);
    if (!isPlainObject(value)) return value;
    const copied: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(value)) {
      // In draft-07 a dependency may be a list of names.
      setOwn(copied, name, Array.isArray(schema) ? schema : close(schema, place, depth + 1));
    }
    return copied;
  };
  return close(root, 'value', 0) as JsonSchema;
}

/** An object with `properties` and no rule for other names. */
export function isOpenObject(schema: JsonSchema, root: JsonSchema): boolean {
  if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) return false;
  return composed(schema, root).some(({ properties }) => isPlainObject(properties));
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** Violations by path. Reasons describe the schema only, because values may contain secrets. */
function reasonsByPath(errors: readonly ErrorObject[]): Record<string, string> {
  const reasons = new Map<string, Set<string>>();
  for (const error of errors) {
    const path = placeOf(error);
    reasons.set(path, (reasons.get(path) ?? new Set()).add(reasonOf(error)));
  }
  return Object.fromEntries([...reasons].map(([path, texts]) => [path, [...texts].join('; ')]));
}

function placeOf({ instancePath, params, propertyName }: ErrorObject) {
  const path = stepsOf(instancePath);
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

interface StandardSchemaResult extends CheckedArguments {
  /** Arguments that the schema dropped, by path. */
  readonly dropped: readonly string[];
}

/** Runs a Standard Schema. Its messages may contain values and are not passed on. */
async function validateWithStandardSchema(
  judge: StandardSchema['~standard'],
  args: ToolArguments,
  timeoutMs: number,
): Promise<StandardSchemaResult> {
  const refused = (violations: Record<string, string>): StandardSchemaResult => ({
    args,
    violations,
    dropped: [],
  });
  try {
    const result = await withinTime(judge.validate(structuredClone(args)), timeoutMs);
    if (result.issues !== undefined) return refused(issuesByPath(result.issues));
    const validated = readArguments(result.value);
    if (validated.ok)
      return { args: validated.args, violations: {}, dropped: [...droppedFrom(args, validated.args, [])] };
    return refused({ '(schema)': 'the schema of the tool returned something that is not JSON' });
  } catch {
    return refused({ '(schema)': 'the schema of the tool cannot check these arguments' });
  }
}

function issuesByPath(issues: readonly StandardIssue[]): Record<string, string> {
  const places = issues.map(({ path = [] }) => pathText(path.map(stepOf)));
  const found = places.length === 0 ? ['(arguments)'] : places;
  return Object.fromEntries(found.map((place) => [place, 'does not match the schema of the tool']));
}

function stepOf(step: PropertyKey | { readonly key: PropertyKey }) {
  return String(typeof step === 'object' ? step.key : step);
}

function* droppedFrom(
  given: unknown,
  validated: unknown,
  path: readonly (string | number)[],
): Generator<string> {
  if (Array.isArray(given) && Array.isArray(validated)) {
    for (const [index, item] of given.entries()) yield* droppedFrom(item, validated[index], [...path, index]);
  }
  if (!isPlainObject(given) || !isPlainObject(validated)) return;
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(validated, key)) yield* droppedFrom(value, validated[key], [...path, key]);
    else yield pathText([...path, key]);
  }
}
