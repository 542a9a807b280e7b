import type { Tool, ToolArguments, ToolContext } from '#contracts/firewall/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import type { ToolFirewall } from '../controls/firewall/tool-firewall.js';
import type { ToolRegistry } from '../controls/firewall/tool-registry.js';
import { canonicalJson } from '../json/plain-json.js';
import { comparableId } from '#contracts/common/comparison.js';

interface Attempt {
  readonly tool: Tool;
  readonly context: ToolContext;
  readonly settings: Settings;
}

/** A page of GET /approvals shows up to two hundred calls whole. */
const MAX_SHOWN_BYTES = 256 * 1024;

/** Why a call cannot wait for approval, with the change that the host can make; `null` where it can. */
export async function whyNotParked(
  { tool, context, settings }: Attempt,
  args: ToolArguments,
  requested: ToolArguments,
  registry: ToolRegistry,
  firewall: ToolFirewall,
): Promise<string | null> {
  if ([args, requested].some((shown) => Buffer.byteLength(canonicalJson(shown)) > MAX_SHOWN_BYTES))
    return 'its arguments are too long to review: at most 256 KiB of JSON';
  if (registry.fingerprintOf(tool) === null)
    return 'its schema has no JSON form that identifies it: declare a `schemaVersion` on the tool';
  if (!registry.runsSameCode(tool))
    return 'another tool of this name with other code was guarded before: add the one that approvals run to `tools`';
  if (settings.get('hitl.four_eyes') && comparableId(context.principalId ?? '') === '')
    return 'the requester is unknown, so four eyes cannot be checked: pass a `principalId` in the tool context';
  if (!(await firewall.acceptsUnchanged(registry.find(tool.name) ?? tool, args, settings)))
    return 'its schema does not accept its own output unchanged, so the arguments cannot be checked again before they run: transform them in the tool instead';
  return null;
}
