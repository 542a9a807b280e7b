import type { Tool, ToolArguments } from '../../../contracts/src/firewall.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { ownJudgement } from './own-judgement.js';
import { readParameters } from './tool-parameters.js';
import { violationsOf } from './tool-schema.js';

export interface CheckedArguments {
  /** What may run: as given, or as a schema that judges by itself has made of them. */
  readonly args: ToolArguments;
  readonly violations: Record<string, string>;
}

/**
 * What the tool's schema says of the arguments. A schema's own code is asked only about arguments that its JSON form
 * admits: patterns have then held in linear time before they run as the schema's library runs them.
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
  const own = await ownJudgement(judge, args, timeoutMs);
  if (json !== null || !settings.get('tool_firewall.reject_unknown_arguments')) return own;
  const unknown = own.dropped.map((path) => [path, 'is not declared by the tool'] as const);
  return { args: own.args, violations: { ...own.violations, ...Object.fromEntries(unknown) } };
}
