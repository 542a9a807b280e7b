import type { Tool, ToolArguments, ToolContext } from '../../contracts/src/firewall.js';
import type { Settings } from '../../contracts/src/settings/settings.js';
import type { ToolFirewall } from './firewall/tool-firewall.js';
import type { ToolRegistry } from './firewall/tool-registry.js';
import { canonicalJson } from './json/canonical-json.js';

/** All that waits is shown whole, two hundred calls on a page. */
const MOST_SHOWN = 256 * 1024;

interface Call {
  readonly tool: Tool;
  readonly context: ToolContext;
  readonly settings: Settings;
}

/**
 * Why it would be of no use, or of no safety, to ask a human about this call, and what the host can do about it; `null`
 * where nothing speaks against it.
 */
export async function parkingObstacle(
  { tool, context, settings }: Call,
  args: ToolArguments,
  registry: ToolRegistry,
  firewall: ToolFirewall,
): Promise<string | null> {
  if (Buffer.byteLength(canonicalJson(args)) > MOST_SHOWN)
    return 'its arguments are longer than anybody would look through: 256 KiB of JSON at most';
  if (registry.fingerprintOf(tool) === null)
    return 'its schema has no JSON form to recognise it by: declare a `schemaVersion` on the tool';
  if (!registry.settles(tool))
    return 'a tool of this name that runs other code was guarded before: list the one that approvals are to run in `tools`';
  if (settings.get('hitl.four_eyes') && (context.principalId ?? '') === '')
    return 'nobody knows who asks, so nobody could be told to be somebody else: guard the tool with a `principalId`';
  if (!(await firewall.takesAgain(registry.find(tool.name) ?? tool, args, settings)))
    return 'its schema does not take again what it has made of the arguments, so they could not be checked before they run: have the tool itself transform them';
  return null;
}
