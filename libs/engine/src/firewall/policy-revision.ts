import type { ToolAuthorizer } from '../../../contracts/src/firewall.js';
import {
  definitionOf,
  SETTING_KEYS,
  type SettingKey,
} from '../../../contracts/src/settings/settings.schema.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { secret } from '../../../contracts/src/settings/setting-kinds.js';
import { digestOf } from '../json/canonical-json.js';

const GROUPS = ['tool_firewall.', 'hitl.', 'tool_authorization.'] as const;
const MODES: readonly SettingKey[] = ['modes.tool_firewall', 'modes.hitl'];

/** What an approval was judged under. A secret may be rotated without asking for every open approval afresh. */
const POLICY_KEYS = SETTING_KEYS.filter(
  (key) =>
    (MODES.includes(key) || GROUPS.some((group) => key.startsWith(group))) &&
    definitionOf(key).kind !== secret,
);

/** Sixteen hex digits that change with the policy on tool calls, and with nothing else; changed back, they return. */
export function policyRevision(settings: Settings, authorizer: ToolAuthorizer | null): string {
  const policy = POLICY_KEYS.map((key) => [key, settings.get(key)]);
  return digestOf({ policy, authorizer: authorizer?.version ?? null }).slice(0, 16);
}
