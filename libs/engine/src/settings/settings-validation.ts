import { type FieldErrors, GuardrailsError } from '#contracts/common/errors.js';
import type { Policies } from '#contracts/policies/policies.js';
import type { ScreeningException } from '#contracts/screening/screening.js';
import { readSettingsInput, type SettingsInput } from '#contracts/settings/settings-input.js';
import type { Settings } from '#contracts/settings/settings.js';
import { type SettingKey, type SettingValues, unlockedKeys } from '#contracts/settings/settings.schema.js';

/** Checks that depend on the engine. */
export interface SettingChecks {
  /** Compiles patterns in slices, so that `patternErrors` does not block the process. */
  compilePatterns(patterns: Readonly<Record<string, string>>): Promise<unknown>;
  /** Called before settings come into force on this instance. */
  prepare(settings: Settings): Promise<void>;
  /** What has no effect in these settings. */
  warnings(settings: Settings): readonly string[];
  /** Rule id → why its pattern does not compile; empty when all do. */
  patternErrors(patterns: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Why these policies cannot be used; empty if they can. */
  policyErrors(policies: Policies): readonly string[];
  /** Why these exceptions cannot be put in force; empty if they can. An entry of `known` may have ended. */
  exceptionErrors(
    exceptions: readonly ScreeningException[],
    inForce: readonly ScreeningException[],
  ): readonly string[];
}

/** Validates the input of a change of settings. */
export class SettingsValidator {
  constructor(
    private readonly configured: SettingValues,
    private readonly checks: SettingChecks,
  ) {}

  read(input: Readonly<Record<string, unknown>>): SettingsInput {
    return readSettingsInput(input, 'overrides', unlockedKeys(this.configured));
  }

  /**
   * The values of an input, or an error that names every key that cannot be set.
   * @param known the exceptions in force, which may stay although they ended
   * @param refusal why a key that can be overridden is refused; `null` if it is not
   */
  validate(
    read: SettingsInput,
    inForce: readonly ScreeningException[],
    refusal: (key: SettingKey) => string | null = () => null,
  ): ReadonlyMap<SettingKey, unknown> {
    const { values, invalid } = read;
    const refused = [...values.keys()].flatMap((key) => {
      const reason = refusal(key);
      return reason === null ? [] : [[key, [reason]] as const];
    });
    const unknown: FieldErrors = { ...read.unknown, ...Object.fromEntries(refused) };
    const fields: FieldErrors = {
      ...unknown,
      ...invalid,
      ...this.missingRequirements(values),
      ...this.invalidPatterns(values.get('input_screen.patterns')),
      ...this.invalidPolicies(values.get('hitl.policies')),
      ...this.invalidExceptions(values.get('input_screen.exceptions'), inForce),
    };
    if (Object.keys(unknown).length > 0)
      throw new GuardrailsError(
        'not_overridable',
        'Some keys in `fields` cannot be overridden; nothing was changed. Remove them, and correct the others.',
        { fields },
      );
    if (Object.keys(fields).length > 0)
      throw new GuardrailsError(
        'invalid_settings',
        'Some values are invalid; nothing was changed. Correct the keys listed in `fields`.',
        { fields },
      );
    return values;
  }

  private missingRequirements(values: ReadonlyMap<SettingKey, unknown>): FieldErrors {
    return Object.fromEntries(
      [...values].flatMap(([key, value]) => {
        const reason =
          missingRequirement(key, value, this.configured) ?? missingAuthorizer(key, value, this.configured);
        return reason === null ? [] : [[key, [reason]]];
      }),
    );
  }

  private invalidPatterns(patterns: unknown): FieldErrors {
    if (patterns === undefined || patterns === null) return {};
    const errors = Object.entries(this.checks.patternErrors(patterns as Readonly<Record<string, string>>));
    if (errors.length === 0) return {};
    return { 'input_screen.patterns': errors.map(([ruleId, reason]) => `rule ${ruleId} ${reason}`) };
  }

  private invalidPolicies(policies: unknown): FieldErrors {
    if (policies === undefined || policies === null) return {};
    const errors = this.checks.policyErrors(policies as Policies);
    return errors.length === 0 ? {} : { 'hitl.policies': errors };
  }

  private invalidExceptions(exceptions: unknown, inForce: readonly ScreeningException[]): FieldErrors {
    if (exceptions === undefined || exceptions === null) return {};
    const errors = this.checks.exceptionErrors(exceptions as readonly ScreeningException[], inForce);
    return errors.length === 0 ? {} : { 'input_screen.exceptions': errors };
  }
}

/** Why a value cannot be used without another, configuration-only setting; `null` where it can. */
export function missingRequirement(key: string, value: unknown, configured: SettingValues): string | null {
  if (key === 'retention.days')
    return belowMinimumDays(value as number, configured['retention.minimum_days']);
  if (key === 'hitl.enabled')
    return value === true && configured['hitl.token_secret'] === null
      ? 'needs hitl.token_secret for the tokens of approvals: set GUARDRAILS_HITL_TOKEN_SECRET in the configuration of every instance, and restart'
      : null;
  const needsHashKey = key === 'audit_hygiene.prompt_storage' && value === 'hash';
  if (!needsHashKey || configured['audit_hygiene.hash_key'] !== null) return null;
  return 'hash needs audit_hygiene.hash_key: set it in the configuration. Without a key, hashes of common prompts can be looked up';
}

/** A stored `true` stays in force without an authorizer, and every call is denied: to ignore it would permit them. */
function missingAuthorizer(key: SettingKey, value: unknown, configured: SettingValues): string | null {
  return key === 'tool_authorization.enabled' && value === true && !configured[key]
    ? 'needs a tool authorizer: pass controls: { toolAuthorizer } to forRoot(), or every call would be denied'
    : null;
}

/** Why this value of `retention.days` cannot be used; `null` if it can. */
export function belowMinimumDays(days: number | null, minimum: number): string | null {
  return days === null || days >= minimum
    ? null
    : `must be at least retention.minimum_days, which is ${minimum}`;
}
