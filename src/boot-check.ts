import type { ModuleRef } from '@nestjs/core';
import { ConfigurationError } from '#contracts/errors.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { missingApproverGroups } from '#engine/approvals/approver-check.js';
import { belowMinimumDays } from '#engine/settings/settings-validation.js';
import { patternErrors } from '#engine/screening/ruleset.js';
import type { ApiConfiguration, Configuration } from './configuration.js';
import { resolveEntry, type AccessCheck } from './http/access.guard.js';
import { overlaps } from './panel/panel.configuration.js';

export interface BootFacts {
  readonly api: ApiConfiguration;
  readonly middleware: unknown;
  readonly configuration: Configuration;
  /** `undefined` in an application without HTTP. */
  readonly adapterType: string | undefined;
  /** Paths of other mounts in this application: prefixes of APIs, and panels. */
  readonly otherPaths: readonly string[];
  /** The built panel is in the package. */
  readonly hasPanelFiles: boolean;
  readonly modules: ModuleRef;
  readonly hasNotifier: boolean;
  readonly hasApproverGroups: boolean;
  /** Why methods with `@GuardedTool()` cannot be registered. */
  readonly toolReasons: readonly string[];
}

/**
 * Refuses to start before any store is opened, with one error that lists every reason and the lines to write.
 * Returns the resolved entries of `api.middleware`; what they do is not inspected.
 */
export async function bootCheck(facts: BootFacts): Promise<readonly AccessCheck[]> {
  const { api, configuration } = facts;
  const access = api.enabled ? await resolveAccess(facts) : { checks: [], reasons: [] };
  const reasons = [
    ...api.reasons,
    ...configuration.reasons,
    ...invalidPatterns(configuration.values),
    ...missingHashKey(configuration.values),
    ...shortRetention(configuration.values),
    ...missingTokenSecret(configuration.values, api.enabled),
    ...missingNotifier(configuration.values, facts.hasNotifier),
    ...missingApproverGroups(configuration.values['hitl.policies'], facts.hasApproverGroups),
    ...facts.toolReasons,
    ...(api.enabled ? [...access.reasons, ...unmountable(facts)] : []),
  ];
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  return access.checks;
}

async function resolveAccess({ middleware, modules }: BootFacts): Promise<{
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
  'api.enabled is true, but api.middleware resolves to an empty list: audit data would be readable without authentication. Write api: { enabled: true, middleware: [YourAuthGuard] }, or api: { enabled: false }';

function unmountable({ api, adapterType, otherPaths, hasPanelFiles }: BootFacts): readonly string[] {
  const reasons: string[] = [];
  if (adapterType !== undefined && adapterType !== 'express') {
    reasons.push(
      `the HTTP adapter is ${adapterType}, and the API runs on Express only: create the application with @nestjs/platform-express, or write api: { enabled: false }`,
    );
  }
  const paths = [
    ['api.prefix', api.prefix],
    ['panel.path', api.panel?.path ?? null],
  ] as const;
  for (const [key, path] of paths) {
    const clash = otherPaths.find((other) => path !== null && overlaps(other, path));
    if (clash === undefined) continue;
    reasons.push(
      `${key} ${JSON.stringify(path)} overlaps ${JSON.stringify(clash)}, which another forRoot() serves: give each forRoot() different paths`,
    );
  }
  if (api.panel !== null && !hasPanelFiles) reasons.push(MISSING_PANEL);
  return reasons;
}

const MISSING_PANEL =
  'panel.enabled is true, but the files of the panel are missing from the package: install nest-guardrails again (in its repository, run npm run build:panel), or write panel: { enabled: false }';

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
  return [
    `hitl.token_secret needs at least ${MIN_SECRET_BYTES} bytes, because hitl.token_delivery is ${delivery}: set GUARDRAILS_HITL_TOKEN_SECRET to the output of openssl rand -base64 48, the same on every instance`,
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
