import type { ValidateFunction } from 'ajv';
import type { JsonSchema, Tool, ToolArguments } from '../../../contracts/src/firewall.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { closedSchema } from './closed-schema.js';
import { compileSchema } from './schema-compiler.js';
import { inWords } from './violation-words.js';

/** `null` where the schema cannot be compiled. */
type Compiled = ValidateFunction | null;

const asDeclared = new WeakMap<JsonSchema, Compiled>();
const closed = new WeakMap<JsonSchema, Compiled>();

/**
 * What the tool's schema objects to: the argument's path → why, in words that never repeat a value. A schema that
 * does not compile objects to every call.
 */
export function violationsOf(
  tool: Pick<Tool, 'parameters'>,
  args: ToolArguments,
  settings: Settings,
): Record<string, string> {
  const validate = compiledOnce(tool.parameters, settings.get('tool_firewall.reject_unknown_arguments'));
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
  if (typeof schema !== 'object' || schema === null) return null;
  const known = rejectUnknown ? closed : asDeclared;
  let compiled = known.get(schema);
  if (compiled === undefined) {
    compiled = compile(schema, rejectUnknown);
    known.set(schema, compiled);
  }
  return compiled;
}

function compile(schema: JsonSchema, rejectUnknown: boolean): Compiled {
  try {
    return compileSchema(rejectUnknown ? closedSchema(schema) : schema);
  } catch {
    return null;
  }
}
