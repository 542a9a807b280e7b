import type { ValidateFunction } from 'ajv';
import type { JsonSchema, ToolArguments } from '../../../contracts/src/firewall.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { closedSchema } from './closed-schema.js';
import { compileSchema } from '../schema/schema-compiler.js';
import { inWords } from './violation-words.js';

/** `null` where the schema cannot be compiled. */
type Compiled = ValidateFunction | null;

/** Schemas that are written anew for each request, as literals are, are still compiled once. */
const MOST_KEPT = 1000;

const asDeclared = { byIdentity: new WeakMap<JsonSchema, Compiled>(), byText: new Map<string, Compiled>() };
const closed = { byIdentity: new WeakMap<JsonSchema, Compiled>(), byText: new Map<string, Compiled>() };

/**
 * What the schema objects to: the argument's path → why, in words that never repeat a value. A schema that does not
 * compile objects to every call.
 */
export function violationsOf(
  schema: JsonSchema,
  args: ToolArguments,
  settings: Settings,
): Record<string, string> {
  const validate = compiledOnce(schema, settings.get('tool_firewall.reject_unknown_arguments'));
  if (validate === null)
    return { '(schema)': 'the schema of the tool cannot be used, so no call can be checked' };
  try {
    return validate(args) ? {} : inWords(validate.errors ?? []);
  } catch {
    // A schema that refers to itself can outgrow the stack.
    return { '(schema)': 'the schema of the tool cannot judge these arguments' };
  }
}

function compiledOnce(schema: JsonSchema, rejectUnknown: boolean): Compiled {
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
    // The one that was asked for longest ago.
    if (known.size > MOST_KEPT) known.delete(known.keys().next().value ?? '');
    return compiled;
  } catch {
    return null;
  }
}
