import type { SettingValues } from '../../../libs/contracts/src/index.js';
import { DESTRUCTIVE_TOOLS } from './assistant/tools/support-tools.js';
import type { Credentials } from './storage/credentials.js';

/** What the demo sets; everything else stays at its default. */
export function demoSettings({ tokenSecret, hashKey }: Credentials): Partial<SettingValues> {
  return {
    'hitl.enabled': true,
    'hitl.destructive_tools': DESTRUCTIVE_TOOLS,
    'hitl.ttl': 7 * 24 * 3600,
    'hitl.token_secret': tokenSecret,
    'audit_hygiene.hash_key': hashKey,
    // There is no sink, and the live stream has something to show all the same.
    'events.stream': 'security',
  };
}
