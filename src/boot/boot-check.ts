import type { ModuleRef } from '@nestjs/core';
import { ConfigurationError } from '../../libs/contracts/src/errors.js';
import type { SettingValues } from '../../libs/contracts/src/settings/settings.schema.js';
import { patternErrors } from '../../libs/engine/src/screening/ruleset.js';
import type { ApiConfiguration, Configuration } from '../configuration.js';
import { isLongEnough, SHORTEST_SECRET_BYTES } from './secrets.js';
import type { AccessCheck } from '../http/access-check.js';
import { resolveEntry } from '../http/access-entries.js';

export interface BootFacts {
  readonly api: ApiConfiguration;
  readonly middleware: unknown;
  readonly configuration: Configuration;
  /** `undefined` where the host serves no HTTP at all. */
  readonly adapterType: string | undefined;
  /** Prefixes that other mounts of this application hold. */
  readonly otherPrefixes: readonly string[];
  readonly modules: ModuleRef;
  /** A notifier is given. */
  readonly notifies: boolean;
}

/**
 * Refuses what must not run, before any store is opened: one error with every reason and the lines to write.
 * Answers the entries of `api.middleware`, ready to be asked; what they do is the deployer's affair.
 */
export async function bootCheck(facts: BootFacts): Promise<readonly AccessCheck[]> {
  const { api, configuration } = facts;
  const access = api.enabled ? await accessOf(facts) : { checks: [], reasons: [] };
  const reasons = [
    ...api.reasons,
    ...configuration.reasons,
    ...uncompilable(configuration.values),
    ...missingHashKey(configuration.values),
    ...missingTokenSecret(configuration.values, api.enabled),
    ...missingNotifier(configuration.values, facts.notifies),
    ...(api.enabled ? [...access.reasons, ...unmountable(facts)] : []),
  ];
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  return access.checks;
}

async function accessOf({ middleware, modules }: BootFacts): Promise<{
  readonly checks: readonly AccessCheck[];
  readonly reasons: readonly string[];
}> {
  if (middleware !== undefined && !Array.isArray(middleware)) {
    return { checks: [], reasons: ['api.middleware must be a list: write middleware: [YourGuard]'] };
  }
  const entries = [...((middleware ?? []) as readonly unknown[]).entries()].filter(
    ([, entry]) => entry !== false,
  );
  if (entries.length === 0) return { checks: [], reasons: [EMPTY_LIST] };
  const resolved = await Promise.all(entries.map(([index, entry]) => resolveEntry(entry, index, modules)));
  return {
    checks: resolved.flatMap((entry) => (entry.ok ? [entry.check] : [])),
    reasons: resolved.flatMap((entry) => (entry.ok ? [] : [entry.reason])),
  };
}

const EMPTY_LIST =
  'api.enabled is true, but api.middleware resolves to an empty list: the API shows audit data and nobody would be asked who they are. Write api: { enabled: true, middleware: [YourAuthGuard] }, or api: { enabled: false }';

function unmountable({ api, adapterType, otherPrefixes }: BootFacts): readonly string[] {
  const reasons: string[] = [];
  if (adapterType !== undefined && adapterType !== 'express') {
    reasons.push(
      `the HTTP adapter is ${adapterType}, and the API runs on Express only: create the application with @nestjs/platform-express, or write api: { enabled: false }`,
    );
  }
  const clash = otherPrefixes.find((other) => api.prefix !== null && overlaps(other, api.prefix));
  if (clash !== undefined) {
    reasons.push(
      `api.prefix ${JSON.stringify(api.prefix)} overlaps ${JSON.stringify(clash)}, where the API is mounted already: give each forRoot() a prefix of its own`,
    );
  }
  return reasons;
}

function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** Without the API nobody needs tokens; a secret that is given must be one all the same. */
function missingTokenSecret(values: SettingValues, apiEnabled: boolean): readonly string[] {
  const secret = values['hitl.token_secret'];
  const delivery = values['hitl.token_delivery'];
  if (isLongEnough(secret)) return [];
  if (secret === null && !apiEnabled && delivery === 'list') return [];
  return [
    `hitl.token_secret needs at least ${SHORTEST_SECRET_BYTES} bytes, because hitl.token_delivery is ${delivery}: set GUARDRAILS_HITL_TOKEN_SECRET to the output of openssl rand -base64 48, the same on every instance`,
  ];
}

function missingNotifier(values: SettingValues, notifies: boolean): readonly string[] {
  if (values['hitl.token_delivery'] !== 'out_of_band' || notifies) return [];
  return [
    'hitl.token_delivery is out_of_band, but nobody would get a token: write controls: { approvalNotifier: YourNotifier }, or leave hitl.token_delivery at list',
  ];
}

function missingHashKey(values: SettingValues): readonly string[] {
  if (values['audit_hygiene.prompt_storage'] !== 'hash' || isLongEnough(values['audit_hygiene.hash_key']))
    return [];
  return [
    `audit_hygiene.hash_key needs at least ${SHORTEST_SECRET_BYTES} bytes, because audit_hygiene.prompt_storage is hash: set GUARDRAILS_AUDIT_HYGIENE_HASH_KEY to the output of openssl rand -base64 48`,
  ];
}

function uncompilable(values: SettingValues): readonly string[] {
  return Object.entries(patternErrors(values['input_screen.patterns'])).map(
    ([ruleId, reason]) => `settings: input_screen.patterns: rule ${ruleId} ${reason}`,
  );
}
