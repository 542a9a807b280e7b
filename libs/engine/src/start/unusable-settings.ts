import type { Policies } from '#contracts/policies/policies.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { unusablePolicies } from '../controls/firewall/policy-faults.js';
import type { EngineOptions } from './engine-options.js';
import { partErrors, type Parts } from './part-errors.js';
import { patternErrors } from '../controls/screening/compiled-patterns.js';
import { belowMinimumDays } from '../settings/settings-validation.js';

/** What the host passed; settings can need it. */
export type HostParts = Parts & Pick<EngineOptions, 'authorizer' | 'notifier' | 'approverGroups'>;

/** Why the configured settings and the parts of the host cannot be used together, with what to do. */
export function unusableSettings(values: SettingValues, host: HostParts): readonly string[] {
  return [
    ...partErrors(host),
    ...invalidPatterns(values),
    ...missingHashKey(values),
    ...shortRetention(values),
    ...missingTokenSecret(values),
    ...missingNotifier(values, host.notifier != null),
    ...unusablePolicies(values['hitl.policies'], host.approverGroups != null),
    ...unvouchablePolicies(values['hitl.policies'], values),
    ...contradictedAuthorizer(values['tool_authorization.enabled'], host.authorizer != null),
  ];
}

/** Without a secret nothing could be remembered that vouches, and every call would wait. */
export function unvouchablePolicies(policies: Policies, values: SettingValues): readonly string[] {
  if (values['audit_hygiene.hash_key'] !== null || values['hitl.token_secret'] !== null) return [];
  if (!Object.values(policies).some(({ rules }) => rules.some(({ vouched }) => vouched !== undefined)))
    return [];
  return [
    'hitl.policies has a rule with vouched, which needs a secret: set GUARDRAILS_HITL_TOKEN_SECRET to the output of openssl rand -base64 48, the same on every instance',
  ];
}

const MIN_SECRET_BYTES = 32;

export function isLongEnough(secret: string | null): boolean {
  return secret !== null && Buffer.byteLength(secret) >= MIN_SECRET_BYTES;
}

/** Without approvals none is needed, but a secret that is given must be long enough in any case. */
function missingTokenSecret(values: SettingValues): readonly string[] {
  const secret = values['hitl.token_secret'];
  if (isLongEnough(secret) || (secret === null && !values['hitl.enabled'])) return [];
  return [
    `hitl.token_secret needs at least ${MIN_SECRET_BYTES} bytes for the tokens and seals of approvals: set GUARDRAILS_HITL_TOKEN_SECRET to the output of openssl rand -base64 48, the same on every instance, or leave hitl.enabled off`,
  ];
}

/** An authorizer that is passed switches the setting on, so only an explicit value contradicts. */
function contradictedAuthorizer(isEnabled: boolean, isPassed: boolean): readonly string[] {
  if (isEnabled === isPassed) return [];
  return [
    isPassed
      ? 'tool_authorization.enabled is false, so the tool authorizer that is passed would never be called: remove the setting, or pass no authorizer'
      : 'tool_authorization.enabled is true, and there is no tool authorizer, so every call would be denied: write controls: { toolAuthorizer: YourAuthorizer } (authorizer for startEngine), or remove the setting',
  ];
}

function missingNotifier(values: SettingValues, hasNotifier: boolean): readonly string[] {
  if (values['hitl.token_delivery'] !== 'out_of_band' || hasNotifier) return [];
  return [
    'hitl.token_delivery is out_of_band, but no approvalNotifier would receive the tokens: write controls: { approvalNotifier: YourNotifier }, or leave hitl.token_delivery at list',
  ];
}

function missingHashKey(values: SettingValues): readonly string[] {
  if (values['audit_hygiene.prompt_storage'] !== 'hash' || isLongEnough(values['audit_hygiene.hash_key']))
    return [];
  return [
    `audit_hygiene.hash_key needs at least ${MIN_SECRET_BYTES} bytes, because audit_hygiene.prompt_storage is hash: set GUARDRAILS_AUDIT_HYGIENE_HASH_KEY to the output of openssl rand -base64 48`,
  ];
}

function shortRetention(values: SettingValues): readonly string[] {
  const reason = belowMinimumDays(values['retention.days'], values['retention.minimum_days']);
  return reason === null
    ? []
    : [`retention.days is ${values['retention.days']}, and ${reason}: raise it, or lower the minimum`];
}

function invalidPatterns(values: SettingValues): readonly string[] {
  return Object.entries(patternErrors(values['input_screen.patterns'])).map(
    ([ruleId, reason]) => `settings: input_screen.patterns: rule ${ruleId} ${reason}`,
  );
}
