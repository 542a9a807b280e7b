// Faults of policies that follow from the order of rules and from the registered schemas. Such a
// policy is refused where it is set; a stored one stays in force with a warning.

import type { JsonSchema, Tool } from '#contracts/firewall/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import { isPlainObject } from '#contracts/common/text.js';
import { stepsOf } from '../../json/plain-json.js';
import type { ToolCatalog } from '../../shared/ports.js';
import { composed, declaredItem, declaredProperty } from './subschemas.js';
import { readParameters } from './tool-parameters.js';
import { isOpenObject } from './tool-schema.js';

/** Each names its tool, rule and pointer. */
export function policyFaults(
  tools: ToolCatalog,
  settings: Settings,
  policies = settings.get('hitl.policies'),
): readonly string[] {
  return Object.entries(policies).flatMap(([name, { rules, limits }]) => {
    const tool = `hitl.policies: tool ${JSON.stringify(name)}`;
    const root = schemaOfRun(tools.find(name));
    const isUndeclared = (pointer: string): boolean => !mayHave([root], stepsOf(pointer), root, settings);
    const last = rules.findIndex(
      ({ when, application = [], vouched = [], after }) =>
        after === undefined && [...Object.keys(when), ...application, ...vouched].length === 0,
    );
    const isLast = last === -1 || rules[last + 1] === undefined;
    return [
      ...(isLast
        ? []
        : [`${tool}, rule ${last + 2} is never reached, because the one before has no condition`]),
      ...rules.flatMap(({ when, vouched = [] }, index) =>
        [...Object.keys(when), ...vouched]
          .filter(isUndeclared)
          .map((pointer) => `${tool}, rule ${index + 1}: the tool has no argument ${pointer}`),
      ),
      ...limits.flatMap(({ sum = '' }, index) =>
        isUndeclared(sum) ? [`${tool}, limit ${index + 1}: the tool has no argument ${sum}`] : [],
      ),
    ];
  });
}

/**
 * The schema of the arguments that run: what a Standard Schema returns can differ from what it accepts. Where it is not
 * known, a schema that accepts everything.
 */
function schemaOfRun(tool: Tool | undefined): JsonSchema {
  const { json, judge } = readParameters(tool?.parameters ?? {});
  try {
    return (judge === null ? json : judge.jsonSchema?.output?.({ target: 'draft-2020-12' })) ?? {};
  } catch {
    // The schema transforms its value, and has no JSON form.
    return {};
  }
}

/** Whether a value of one of these schemas may have a member at this path; where it is not certain, it may. */
function mayHave(
  schemas: readonly unknown[],
  [step, ...rest]: readonly string[],
  root: JsonSchema,
  settings: Settings,
): boolean {
  if (step === undefined) return true;
  return schemas.some((schema) => {
    if (!isPlainObject(schema)) return schema !== false;
    const isIndex = schema['type'] !== 'object' && /^\d+$/.test(step);
    const next = [
      ...declaredProperty([schema], step, root),
      ...(isIndex ? declaredItem([schema], Number(step), root) : []),
    ];
    if (next.length > 0) return mayHave(next, rest, root, settings);
    return isIndex || !isClosed(schema, root, settings);
  });
}

const OPENING = ['patternProperties', 'if', 'additionalProperties', 'unevaluatedProperties'];

function isClosed(schema: JsonSchema, root: JsonSchema, settings: Settings): boolean {
  if (composed(schema, root).some((part) => OPENING.some((keyword) => (part[keyword] ?? false) !== false)))
    return false;
  const rejectsUnknown = settings.get('tool_firewall.reject_unknown_arguments');
  return schema['additionalProperties'] === false || (rejectsUnknown && isOpenObject(schema, root));
}
