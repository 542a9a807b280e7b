import { afterEach, describe, expect, test } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import type { MeData } from '#contracts/api/me.js';
import { ROUTE_KEYS, routeName, type RouteName } from '#contracts/api/api.routes.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { PermissionResolver } from '#src/index.js';
import { QuietSink } from './support/quiet.sink.js';
import { TestHost, type HostSetup } from './support/host.js';
import { describeOnEachStore } from './support/hosts.js';

const NAMES = ROUTE_KEYS.map(routeName);

const same = (value: boolean | null): MeData['permissions'] =>
  Object.fromEntries(NAMES.map((name) => [name, value]));

/** The answer to a caller of a host with this `api.permits`. */
async function permissionsWith(permits: PermissionResolver, as = 'reader'): Promise<MeData['permissions']> {
  const host = await TestHost.start({ api: { permits } });
  try {
    return ((await host.get('/me', { as })).body.data as unknown as MeData).permissions;
  } finally {
    await host.stop();
  }
}

describeOnEachStore({ sinks: [new QuietSink()] }, (bench) => {
  const { it, itOnEachStore } = bench;

  const me = async (as: string): Promise<MeData> =>
    (await bench.api.get('/me', { as })).body.data as unknown as MeData;

  describe('GET /me', () => {
    it('shows exactly the caller, the permissions, the settings for approvals, and the position of the stream', async () => {
      bench.clock.set('2041-01-01T00:00:00.000Z');
      expect(await me('operator')).toEqual({
        actor: 'ops-1',
        permissions: same(null),
        four_eyes: false,
        token_delivery: 'list',
        live: 'off',
        sequence: expect.any(Number),
        now: '2041-01-01T00:00:00.000Z',
      });
    });

    it('shows no actor where the request has none, and readers have one', async () => {
      expect((await me('nameless')).actor).toBeNull();
      expect((await me('reader')).actor).toBe('reader-1');
    });

    itOnEachStore('shows the sequence number of the newest event', async () => {
      const { sequence: before } = await me('operator');
      await bench.api.put('/settings', { settings: { 'modes.input_screen': 'monitor' } });
      expect((await me('operator')).sequence).toBeGreaterThan(before);
      expect((await me('operator')).sequence).toBe(await bench.stores.outbox.newest());
    });
  });
});

describe('api.permits', () => {
  test('is called for every route, with the names and properties that guards see', async () => {
    const routes = new Map<RouteName, object>();
    await permissionsWith((_, { name, ...rest }) => {
      routes.set(name, rest);
      return null;
    });
    expect([...routes.keys()]).toEqual(NAMES);
    expect(routes.get('guardrails.api.settings.update')).toEqual({ writes: true, bulk: false });
    expect(routes.get('guardrails.api.audit.export')).toEqual({ writes: false, bulk: true });
    expect(routes.get('guardrails.api.audit.index')).toEqual({ writes: false, bulk: false });
  });

  test('receives the authenticated request, and may be asynchronous', async () => {
    const permits = async (context: ExecutionContext, { writes }: { readonly writes: boolean }) =>
      context.switchToHttp().getRequest<{ user: { role: string } }>().user.role === 'operator' || !writes;
    const reader = await permissionsWith(permits);
    expect(reader['guardrails.api.settings.update']).toBe(false);
    expect(reader['guardrails.api.settings.show']).toBe(true);
    expect(await permissionsWith(permits, 'operator')).toEqual(same(true));
  });

  test('counts an answer other than true and false as unknown', async () => {
    expect(await permissionsWith((() => 'yes') as unknown as PermissionResolver)).toEqual(same(null));
    expect(await permissionsWith(() => undefined)).toEqual(same(null));
  });

  test('gives no access that the entries refuse', async () => {
    const host = await TestHost.start({ api: { permits: () => true } });
    expect((await host.put('/settings', { settings: {} }, { as: 'reader' })).status).toBe(403);
    expect((await host.get('/me', { as: null })).status).toBe(401);
    await host.stop();
  });

  test('fails the request with its own error', async () => {
    const unavailable = (): never => {
      throw GuardrailsError.storeUnavailable(new Error('directory'));
    };
    const host = await TestHost.start({ api: { permits: unavailable } });
    expect((await host.get('/me')).status).toBe(503);
    await host.stop();
  });
});

describe('the live stream', () => {
  afterEach(() => {
    delete process.env['GUARDRAILS_EVENTS_STREAM'];
  });

  const panel = { enabled: true };

  test.each([
    ['off without the panel', { settings: {} }, 'off'],
    ['on with the panel', { panel, settings: {} }, 'security'],
    ['the configured value with the panel', { panel, settings: { 'events.stream': 'off' } }, 'off'],
    ['the configured value without the panel', { settings: { 'events.stream': 'all' } }, 'all'],
  ] as const)('is %s', async (_, options, live) => {
    await expect(liveOf(options)).resolves.toBe(live);
  });

  test('uses the environment value when the panel is on', async () => {
    process.env['GUARDRAILS_EVENTS_STREAM'] = 'off';
    await expect(liveOf({ panel })).resolves.toBe('off');
  });
});

async function liveOf({
  panel = {},
  settings = {},
}: Pick<HostSetup, 'panel'> & { settings?: Readonly<Record<string, unknown>> }): Promise<MeData['live']> {
  const host = await TestHost.start({ panel, guardrails: { settings } });
  try {
    return ((await host.get('/me', { as: 'operator' })).body.data as unknown as MeData).live;
  } finally {
    await host.stop();
  }
}
