// Faults of policies beyond their form: names, groups, the order of rules, and arguments that the tool does not have. Such a
// policy is refused where it is set; a stored one stays in force with a warning.
import { comparableId } from '#contracts/common/comparison.js';
import type { JsonSchema, Tool } from '#contracts/firewall/firewall.js';
import { groupsOf, type Policies } from '#contracts/policies/policies.js';
import type { Settings } from '#contracts/settings/settings.js';
import { closestName, isPlainObject } from '#contracts/common/text.js';
import { stepsOf } from '../../json/plain-json.js';
import type { ToolCatalog } from '../../shared/ports.js';
import { composed, declaredItem, declaredProperty } from './subschemas.js';
import { readParameters } from './tool-parameters.js';
import { isOpenObject } from './tool-schema.js';

/** Why these policies cannot be used; empty if they can. */
export function unusablePolicies(policies: Policies, hasApproverGroups: boolean): readonly string[] {
  const names = Object.keys(policies);
  const folded = names.map(comparableId);
  const twice = names.filter(
    (_, place) => folded.indexOf(folded[place]!) !== folded.lastIndexOf(folded[place]!),
  );
  if (twice.length > 0)
    return [
      `hitl.policies has policies whose names are compared as the same (${shown(twice)}): merge them, so that it is certain which one holds`,
    ];
  const groups = groupsOf(policies);
  if (groups.length === 0 || hasApproverGroups) return [];
  return [
    `hitl.policies names the approver group${groups.length === 1 ? '' : 's'} ${shown(groups)}, whose members cannot be determined: write controls: { approverGroups: YourApproverGroups }`,
  ];
}

const shown = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ');

/** Each names its tool, rule and pointer. */
export function policyFaults(
  tools: ToolCatalog,
  settings: Settings,
  policies = settings.get('hitl.policies'),
): readonly string[] {
  return Object.entries(policies).flatMap(([name, { rules, limits }]) => {
    const tool = `hitl.policies: tool ${JSON.stringify(name)}`;
    const root = schemaOfRun(tools.find(name));
    const isUndeclared = (pointer: string) => !mayHave([root], stepsOf(pointer), root, settings);
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

/** Also names that are close to a registered tool. Others may be registered later. */
export function policyWarnings(tools: ToolCatalog, settings: Settings): readonly string[] {
  const misspelled = Object.keys(settings.get('hitl.policies')).flatMap((name) => {
    const closest = tools.find(name) === undefined ? closestName(name, tools.names()) : null;
    if (closest === null) return [];
    return `hitl.policies: no tool ${JSON.stringify(name)} is registered, so its policy has no effect; did you mean ${JSON.stringify(closest)}?`;
  });
  return [...policyFaults(tools, settings), ...misspelled];
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

function isClosed(schema: JsonSchema, root: JsonSchema, settings: Settings) {
  if (composed(schema, root).some((part) => OPENING.some((keyword) => (part[keyword] ?? false) !== false)))
    return false;
  const rejectsUnknown = settings.get('tool_firewall.reject_unknown_arguments');
  return schema['additionalProperties'] === false || (rejectsUnknown && isOpenObject(schema, root));
}
