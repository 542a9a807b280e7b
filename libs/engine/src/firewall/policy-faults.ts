// Faults of policies that are certain from the order of their rules and the schemas of the registered tools. Such a
// policy is refused where it is set; a stored one stays in force with a warning.

import type { JsonSchema, Tool } from '#contracts/firewall.js';
import type { PolicyRule } from '#contracts/policies.js';
import type { Settings } from '#contracts/settings/settings.js';
import { isPlainObject } from '#contracts/text.js';
import { stepsOf } from '../json/plain-json.js';
import type { ToolCatalog } from '../ports.js';
import { composed, declaredItem, declaredProperty } from './subschemas.js';
import { readParameters } from './tool-parameters.js';
import { isOpenObject } from './tool-schema.js';

/** Each names its tool, rule and pointer. */
export function policyFaults(
  tools: ToolCatalog,
  settings: Settings,
  policies = settings.get('hitl.policies'),
): readonly string[] {
  const rejectsUnknown = settings.get('tool_firewall.reject_unknown_arguments');
  return Object.entries(policies).flatMap(([name, { rules, limits }]) => {
    const schema = schemaOfRun(tools.find(name));
    const undeclared = (place: string, pointers: readonly string[]): readonly string[] =>
      pointers
        .filter((pointer) => schema !== null && !mayHave([schema], stepsOf(pointer), schema, rejectsUnknown))
        .map((pointer) => `${place} ${JSON.stringify(pointer)}: the tool has no such argument: correct it`);
    return [
      ...rules.flatMap((rule, index) => {
        const isReached = !rules.slice(0, index).some((earlier) => matchesAll(earlier, rule));
        const why = 'is never reached, because one before it has no condition: move or remove it';
        return [
          ...(isReached ? [] : [`rule ${index + 1}: ${why}`]),
          ...undeclared(`rule ${index + 1}, condition`, Object.keys(rule.when)),
        ];
      }),
      ...limits.flatMap(({ sum = [] }, index) => undeclared(`limit ${index + 1}, sum`, [sum].flat())),
    ].map((fault) => `hitl.policies: tool ${JSON.stringify(name)}, ${fault}`);
  });
}

/** Whether the rule matches every call that `later` concerns. */
function matchesAll({ when, application }: PolicyRule, later: PolicyRule): boolean {
  if (Object.keys(when).length > 0) return false;
  return application === undefined || later.application?.every((name) => application.includes(name)) === true;
}

/** The schema of the arguments that run: what a Standard Schema returns can differ from what it accepts. */
function schemaOfRun(tool: Tool | undefined): JsonSchema | null {
  if (tool === undefined) return null;
  const { json, judge } = readParameters(tool.parameters);
  try {
    return judge === null ? json : (judge.jsonSchema?.output?.({ target: 'draft-2020-12' }) ?? null);
  } catch {
    // A transformation.
    return null;
  }
}

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Whether a value of one of these schemas may have a member at this path; where it is not certain, it may. */
function mayHave(
  schemas: readonly unknown[],
  [step, ...rest]: readonly string[],
  root: JsonSchema,
  rejectsUnknown: boolean,
): boolean {
  if (step === undefined) return true;
  return schemas.some((schema) => {
    if (!isPlainObject(schema)) return schema !== false;
    if (SCALARS.has(schema['type'])) return false;
    const isIndex = /^\d+$/.test(step) && schema['type'] !== 'object';
    const items = isIndex ? declaredItem([schema], Number(step), root) : [];
    const next = [...declaredProperty([schema], step, root), ...items];
    if (next.length > 0) return mayHave(next, rest, root, rejectsUnknown);
    return isIndex || !isClosed(schema, root, rejectsUnknown);
  });
}

const OPENING = ['patternProperties', 'if', 'additionalProperties', 'unevaluatedProperties'];

function isClosed(schema: JsonSchema, root: JsonSchema, rejectsUnknown: boolean): boolean {
  if (composed(schema, root).some((part) => OPENING.some((keyword) => (part[keyword] ?? false) !== false)))
    return false;
  return schema['additionalProperties'] === false || (rejectsUnknown && isOpenObject(schema, root));
}
