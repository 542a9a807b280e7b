import { afterEach, describe, expect, it } from '@jest/globals';
import type { ModuleRef } from '@nestjs/core';
import { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
import type { Assembly } from '#src/options/assembly.js';
import { bootCheck } from '#src/boot-check.js';
import type { Registrar } from '#src/admin-api/registrar.js';
import type { PanelOptions } from '#src/index.js';
import { createHost, mountOf, TOKEN_SECRET, type HostSetup } from '../support/host.js';
import { factsOf, navigation, sessionMount, withPanel } from './session-host.js';

async function refusal(setup: HostSetup): Promise<string> {
  const application = await createHost(setup);
  try {
    await application.init();
  } catch (error) {
    return (error as Error).message;
  } finally {
    await application.close();
  }
  throw new Error('it started');
}

const withOptions = (panel: PanelOptions): HostSetup => ({
  mounts: [sessionMount(panel)],
});

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('GUARDRAILS_')) delete process.env[name];
});

describe('the boot of an enabled panel', () => {
  it('fails without the API', async () => {
    const mounts = [mountOf({ api: { enabled: false }, panel: { enabled: true } })];
    expect(await refusal({ mounts })).toMatch(
      /panel\.enabled is true, but api\.enabled is false[^]*write api: \{ enabled: true/,
    );
  });

  it.each([
    ['guardrails', 'guardrails/api'],
    ['guardrails/api', 'guardrails/api'],
    ['/guardrails/api/panel/', 'guardrails/api'],
    ['guardrails/openapi.json', 'guardrails/openapi.json'],
    ['guardrails/events/panel', 'guardrails/events'],
  ])('fails with the path %s, which the API needs', async (path, taken) => {
    const words = await refusal(withOptions({ path }));
    expect(words).toContain(`overlaps "${taken}", which the API serves`);
    expect(words).toContain("such as path: 'guardrails/panel'");
  });

  it.each(['a b', '/', 'a//b', '../panel', 'a/./b', 'desk?x', 'desk/:id', '%70anel'])(
    'fails with the path %p',
    async (path) => {
      expect(await refusal(withOptions({ path }))).toMatch(/panel\.path is .*: write a path of letters/);
    },
  );

  it.each([
    [
      'the panel of another mount',
      sessionMount({ path: 'desk' }, 'one/api'),
      sessionMount({ path: 'desk/two' }, 'two/api'),
      /panel\.path "desk(\/two)?" overlaps "desk/,
    ],
    [
      'the API of another mount',
      sessionMount({}, 'one/api'),
      sessionMount({ path: 'one/api/panel' }, 'two/api'),
      /overlaps "one\/api/,
    ],
  ])('fails with a path that overlaps %s', async (_, first, second, words) => {
    expect(await refusal({ mounts: [first, second] })).toMatch(words);
  });

  it.each([
    '//evil.example.com/login',
    '/\\evil.example.com',
    'login',
    'http://shop.example.com/login',
    'javascript:alert(1)',
    'https://',
    '/log in',
  ])('fails with the login page %p', async (login_url) => {
    expect(await refusal(withOptions({ login_url }))).toMatch(
      /panel\.login_url is .*write a path of your application[^]*https:\/\//,
    );
  });

  it('fails with a login page inside the panel', async () => {
    expect(await refusal(withOptions({ login_url: '/guardrails/panel/login?x=1' }))).toMatch(
      /panel\.login_url .* is a page of the panel/,
    );
  });

  it('fails with an unknown kind of authentication', async () => {
    expect(await refusal(withOptions({ auth: 'basic' as 'bearer' }))).toMatch(/panel\.auth must be one of/);
  });

  it('reports the panel together with other invalid settings', async () => {
    // @ts-expect-error settings of the panel are options beside settings
    const mounts = [mountOf({ guardrails: { settings: { panel: { path: 'desk' } } } })];
    expect(await refusal({ mounts })).toContain(
      'panel.path is static: write it as panel: { path: … }, beside settings',
    );
  });

  it('fails without the files of the panel', async () => {
    const checking = bootCheck({
      api: {
        options: { middleware: [() => undefined] },
        enabled: true,
        prefix: 'guardrails/api',
        panel: { path: 'guardrails/panel', auth: 'session', loginUrl: null },
        listener: null,
        reasons: [],
      },
      assembly: {
        host: {},
        configuration: {
          values: { ...DEFAULT_SETTINGS, 'hitl.token_secret': TOKEN_SECRET },
          reasons: [],
          warnings: [],
        },
      } as unknown as Assembly,
      registrar: {
        adapterType: 'express',
        dispatcher: { panel: null },
        otherPaths: () => [] as readonly string[],
      } as Registrar,
      modules: {} as ModuleRef,
      toolReasons: [],
    });
    await expect(checking).rejects.toThrow(/files of the panel are missing[^]*install nest-guardrails again/);
  });
});

describe('the configuration of the panel', () => {
  it('comes from the environment if the code does not set it', async () => {
    Object.assign(process.env, {
      GUARDRAILS_PANEL_ENABLED: 'true',
      GUARDRAILS_PANEL_PATH: '/desk/',
      GUARDRAILS_PANEL_AUTH: 'bearer',
      GUARDRAILS_PANEL_LOGIN_URL: '/login?a="b"',
    });
    await withPanel(
      {},
      async (host) => {
        const { text } = await host.raw('GET', '/desk', navigation());
        expect(factsOf(text)).toMatchObject({
          panel: '/desk',
          auth: 'bearer',
          login: '/login?a=&#34;b&#34;',
        });
      },
      { mounts: [mountOf({})] },
    );
  });
});
