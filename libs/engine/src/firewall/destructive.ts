import type { Tool } from '../../../contracts/src/firewall.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';

/** Whether a call of the tool needs a human. Any one source says so, and none can say otherwise. */
export function isDestructive(
  tool: Pick<Tool, 'name' | 'destructive' | 'annotations'>,
  settings: Settings,
): boolean {
  return (
    tool.destructive === true || tool.annotations?.destructiveHint === true || isListed(tool.name, settings)
  );
}

function isListed(name: string, settings: Settings): boolean {
  const listed = settings.get('hitl.destructive_tools');
  if (settings.get('tool_authorization.destructive_match') === 'exact') return listed.includes(name);
  // `delete` is meant to find `bulkDelete` too: where names are only alike, the wider reading is the safe one.
  const lowered = name.toLowerCase();
  return listed.some((part) => lowered.includes(part.toLowerCase()));
}
