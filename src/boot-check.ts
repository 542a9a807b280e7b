import type { ModuleRef } from '@nestjs/core';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { Assembly } from './options/assembly.js';
import type { ApiConfiguration } from './options/configuration.js';
import { resolveEntry, type AccessCheck } from './http/access.guard.js';
import type { Registrar } from './admin-api/registrar.js';
import { overlaps } from './panel/panel.configuration.js';

interface BootFacts {
  readonly api: ApiConfiguration;
  readonly assembly: Assembly;
  /** `null` where no API can be enabled. */
  readonly registrar: Registrar | null;
  readonly modules: ModuleRef;
  /** Why methods with `@GuardedTool()` cannot be registered. */
  readonly toolReasons: readonly string[];
}

/**
 * Prevents the start before any store is opened, with one error that lists every reason and the lines to write.
 * Returns the resolved entries of `api.middleware`; what they do is not inspected.
 */
export async function bootCheck(facts: BootFacts): Promise<readonly AccessCheck[]> {
  const { api, registrar, toolReasons } = facts;
  const { configuration, host } = facts.assembly;
  const { unusableSettings } = await import('#engine/index.js');
  const access = api.enabled ? await resolveAccess(facts) : { checks: [], reasons: [] };
  const reasons = [
    ...api.reasons,
    ...configuration.reasons,
    ...unusableSettings(configuration.values, host),
    ...toolReasons,
    ...access.reasons,
    ...(api.enabled && registrar !== null ? unmountable(api, registrar) : []),
  ];
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  return access.checks;
}

async function resolveAccess({ api, modules }: BootFacts) {
  const middleware: unknown = api.options.middleware;
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

function unmountable(api: ApiConfiguration, registrar: Registrar): readonly string[] {
  const { adapterType, dispatcher } = registrar;
  const reasons: string[] = [];
  if (api.listener === null && adapterType !== undefined && adapterType !== 'express') {
    reasons.push(
      `the HTTP adapter is ${adapterType}, and the API mounts on Express only: serve it on a separate port with api: { listen: { port: 3001 } }, or write api: { enabled: false }`,
    );
  }
  const paths = [
    ['api.prefix', api.prefix],
    ['panel.path', api.panel?.path ?? null],
  ] as const;
  for (const [key, path] of paths) {
    const clash = registrar.otherPaths().find((other) => path !== null && overlaps(other, path));
    if (clash === undefined) continue;
    reasons.push(
      `${key} ${JSON.stringify(path)} overlaps ${JSON.stringify(clash)}, which another forRoot() serves: give each forRoot() different paths`,
    );
  }
  if (api.panel !== null && dispatcher?.panel === null) reasons.push(MISSING_PANEL);
  return reasons;
}

const MISSING_PANEL =
  'panel.enabled is true, but the files of the panel are missing from the package: install nest-guardrails again (in its repository, run npm run x -- build:panel), or write panel: { enabled: false }';
