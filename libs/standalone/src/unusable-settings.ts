import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { unusablePolicies } from '#engine/approvals/approval-quorum.js';
import { patternErrors } from '#engine/screening/compiled-patterns.js';
import { belowMinimumDays } from '#engine/settings/settings-validation.js';

export interface Circumstances {
  /** Approvals are decided by token over HTTP. */
  readonly isApiEnabled: boolean;
  readonly hasNotifier: boolean;
  readonly hasApproverGroups: boolean;
}

/** Why the configured settings cannot be used together, with what to do. */
export function unusableSettings(
  values: SettingValues,
  { isApiEnabled, hasNotifier, hasApproverGroups }: Circumstances,
): readonly string[] {
  return [
    ...invalidPatterns(values),
    ...missingHashKey(values),
    ...shortRetention(values),
    ...missingTokenSecret(values, isApiEnabled),
    ...missingNotifier(values, hasNotifier),
    ...unusablePolicies(values['hitl.policies'], hasApproverGroups),
  ];
}

const MIN_SECRET_BYTES = 32;

export function isLongEnough(secret: string | null): boolean {
  return secret !== null && Buffer.byteLength(secret) >= MIN_SECRET_BYTES;
}

/** Tokens are not needed without the API, but a secret that is given must be long enough in any case. */
function missingTokenSecret(values: SettingValues, isApiEnabled: boolean): readonly string[] {
  const secret = values['hitl.token_secret'];
  const delivery = values['hitl.token_delivery'];
  if (isLongEnough(secret)) return [];
  if (secret === null && !isApiEnabled && delivery === 'list') return [];
  const use =
    delivery === 'list' && isApiEnabled
      ? 'because the API is enabled and derives the tokens of approvals from it (hitl.token_delivery is list)'
      : `because hitl.token_delivery is ${delivery}`;
  return [
    `hitl.token_secret needs at least ${MIN_SECRET_BYTES} bytes, ${use}: set GUARDRAILS_HITL_TOKEN_SECRET to the output of openssl rand -base64 48, the same on every instance`,
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
