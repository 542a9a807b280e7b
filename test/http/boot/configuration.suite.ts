import { afterEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { Module } from '@nestjs/common';
import type { OverviewData } from '#contracts/overview/overview.api.js';
import { type Tool, ToolAuthorizer } from '#contracts/firewall/firewall.js';
import { settingsPlan } from '#stores/contract/builders.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { GuardrailsApiModule } from '#src/guardrails-api.module.js';
import type { GuardrailsApiAsyncOptions, GuardrailsOptions } from '#src/options/guardrails-api.options.js';
import type { AccessEntry } from '#src/http/access.guard.js';
import { BearerGuard } from '../support/bearer.guard.js';
import { TestClient } from '../support/client.js';
import { createHost, mountOf, TestHost, TOKEN_SECRET, type HostSetup } from '../support/host.js';
import { refundTool } from '../../support/engine.js';

const settings = { 'hitl.token_secret': TOKEN_SECRET };

/** The message of a refused boot. Asserts that no store was opened. */
async function refusal(setup: (stores: ReturnType<typeof memoryStores>) => HostSetup): Promise<string> {
  const stores = memoryStores();
  let opened = false;
  stores.open = async () => {
    opened = true;
  };
  const application = await createHost(setup(stores));
  try {
    await application.init();
  } catch (error) {
    expect(opened).toBe(false);
    return (error as Error).message;
  } finally {
    await application.close();
  }
  throw new Error('it started');
}

const mount = (api: object, guardrails: object): HostSetup => ({ mounts: [mountOf({ api, guardrails })] });

class Nothing {
  readonly checks = false;
}

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('GUARDRAILS_')) delete process.env[name];
});

describe('contract 1.2: the boot of an enabled API', () => {
  const lists: readonly (readonly [string, unknown, RegExp])[] = [
    ['without a list', undefined, /resolves to an empty list[^]*middleware: \[YourAuthGuard\]/],
    ['with an empty list', [], /resolves to an empty list/],
    ['with nothing but false', [false, false], /resolves to an empty list/],
    ['with an undefined entry', [BearerGuard, undefined], /entry 1 is undefined\. .*file of its own/],
    ['with null', [null], /entry 0 is null/],
    ['with zero', [0], /entry 0 is of type number/],
    ['with a name', ['AuthGuard'], /entry 0 is the text "AuthGuard"/],
    ['with a nested list', [[BearerGuard]], /entry 0 is a list/],
    ['with an object that checks nothing', [{}], /entry 0 is of type object/],
    [
      'with a token without a provider',
      [Symbol('auth')],
      /entry 0 is the token Symbol\(auth\), and no provider/,
    ],
    ['with a class that checks nothing', [Nothing], /entry 0 is the class Nothing, and no provider/],
    [
      'with an error handler',
      [(_e: unknown, _q: unknown, _s: unknown, _n: unknown) => undefined],
      /four parameters/,
    ],
    ['with no list at all', BearerGuard, /must be a list/],
  ];

  it.each(lists)('fails %s', async (_, middleware, words) => {
    const api = { enabled: true, middleware: middleware as readonly AccessEntry[] };
    expect(
      await refusal((stores) => ({ mounts: [GuardrailsApiModule.forRoot({ api, settings, stores })] })),
    ).toMatch(words);
    expect(
      await refusal((stores) => ({
        mounts: [GuardrailsApiModule.forRootAsync({ api, useFactory: async () => ({ settings, stores }) })],
      })),
    ).toMatch(words);
  });

  it('fails without a list if only the environment enables the API', async () => {
    process.env['GUARDRAILS_API_ENABLED'] = 'true';
    expect(
      await refusal((stores) => ({ mounts: [GuardrailsApiModule.forRoot({ settings, stores })] })),
    ).toMatch(/resolves to an empty list/);
  });

  it('fails with the value "maybe" of the environment variable', async () => {
    process.env['GUARDRAILS_API_ENABLED'] = 'maybe';
    expect(await refusal((stores) => ({ mounts: [GuardrailsApiModule.forRoot({ stores })] }))).toMatch(
      /GUARDRAILS_API_ENABLED must be true or false/,
    );
  });

  it.each(['guardrails', 'api', 'a b/api', 'x/api/y', '', 'a//api'])(
    'fails with the prefix %p',
    async (prefix) => {
      expect(await refusal((stores) => mount({ prefix }, { stores }))).toMatch(/api\.prefix/);
    },
  );

  it.each([
    [
      'api',
      { api: { enable: true } },
      /api has no option "enable"; did you mean "enabled"\? it has enabled, prefix/,
    ],
    ['panel', { panel: { enable: true } }, /panel has no option "enable"; did you mean "enabled"\? it has/],
    [
      'api.listen',
      { api: { listen: { port: 0, hots: [] } } },
      /api\.listen .*"hots"; did you mean "hosts"\?/,
    ],
    ['controls', { controls: { screener: [] } }, /controls .*"screener"; did you mean "screeners"\?/],
    ['the module', { screeners: [] }, /forRoot\(\) .*"screeners"; did you mean "controls.screeners"\?/],
    ['the module', { hitl: {} }, /forRoot\(\) .*"hitl"; did you mean "settings.hitl"\?/],
    ['the module', { prefix: 'x/api' }, /forRoot\(\) .*"prefix"; did you mean "api.prefix"\?/],
    ['controls', { controls: { tools: [] } }, /controls .*"tools"; did you mean "forRoot\(\).tools"\?/],
    [
      'the settings',
      { settings: { 'input_screen.mode': 'off', token_secret: 'x' } },
      /input_screen\.mode is not a setting; did you mean modes\.input_screen\?\n.*token_secret .*did you mean hitl\.token_secret\?/,
    ],
    ['the module', { setting: {} }, /forRoot\(\) has no option "setting"; did you mean "settings"\? it has/],
    ['the module', { anything: {} }, /forRoot\(\) has no option "anything"; it has api, panel/],
  ])('fails with a misspelled option of %s', async (_, options, words) => {
    expect(
      await refusal((stores) => ({
        mounts: [GuardrailsApiModule.forRoot({ ...(options as object), stores })],
      })),
    ).toMatch(words);
  });

  it.each<[object, object, RegExp]>([
    [{ global: true }, {}, /forRootAsync\(\) has no option "global"; did you mean "isGlobal"\?/],
    [{ settings: {} }, {}, /forRootAsync\(\) has no option "settings"; return it from useFactory/],
    [{}, { setting: {} }, /GuardrailsOptions has no option "setting"; did you mean "settings"\?/],
    [{}, { isGlobal: true }, /GuardrailsOptions has no option "isGlobal"; write it beside useFactory/],
    [{}, { api: { permit: null } }, /api has no option "permit"; did you mean "permits"\?/],
  ])(
    'fails with misspelled options of forRootAsync() %j and its factory %j',
    async (beside, returned, words) => {
      expect(
        await refusal((stores) => ({
          mounts: [
            GuardrailsApiModule.forRootAsync({ ...beside, useFactory: () => ({ stores, ...returned }) }),
          ],
        })),
      ).toMatch(words);
    },
  );

  it('fails for JavaScript with every static option that a factory returns, and the compiler refuses each', async () => {
    const beside = { middleware: [BearerGuard] };
    const returning = (useFactory: GuardrailsApiAsyncOptions['useFactory']) =>
      refusal(() => ({ mounts: [GuardrailsApiModule.forRootAsync({ api: beside, useFactory })] }));
    const words = (name: string): RegExp =>
      new RegExp(
        `useFactory returned ${name.replace('.', '\\.')}, which is static, because .* beside useFactory`,
      );
    // @ts-expect-error static
    expect(await returning(() => ({ api: { enabled: true } }))).toMatch(words('api.enabled'));
    // @ts-expect-error static
    expect(await returning(() => ({ api: { prefix: 'x/api' } }))).toMatch(words('api.prefix'));
    // @ts-expect-error static
    expect(await returning(() => ({ api: { middleware: [] } }))).toMatch(words('api.middleware'));
    // @ts-expect-error static
    expect(await returning(async () => ({ api: { listen: { port: 0 } } }))).toMatch(words('api.listen'));
    // @ts-expect-error static
    expect(await returning(() => ({ panel: { path: 'x' } }))).toMatch(words('panel.path'));
  });

  it('fails with every part that cannot be used, and with the other reasons', async () => {
    const parts = {
      controls: { screeners: [{ screen: () => null }, { id: 'mute' }], detectors: [{ find: () => [] }] },
      sinks: [{ name: 'siem' }],
      tools: [{ name: 'refund', parameters: {} }],
      settings: { 'hitl.ttl': 'soon' },
    } as object;
    const words = await refusal((stores) => mount({ middleware: [] }, { stores, ...parts }));
    for (const reason of [
      'screeners: entry 0 has the invalid id "undefined"',
      'screeners: entry 1 has no method screen',
      'detectors: entry 0 has the invalid name "undefined"',
      'sinks: entry 0 has no method deliver',
      'The tool "refund" has no function `execute`',
      'hitl.ttl must be an integer',
      'resolves to an empty list',
    ])
      expect(words).toContain(reason);
  });

  it('fails for two mounts with one prefix', async () => {
    expect(
      await refusal((stores) => ({ mounts: [mountOf({ guardrails: { stores } }), mountOf({})] })),
    ).toMatch(/overlaps "guardrails\/api"/);
  });

  it('fails without its secrets, and reports all reasons at once', async () => {
    const words = await refusal((stores) => ({
      mounts: [
        GuardrailsApiModule.forRoot({
          api: { enabled: true },
          settings: {
            'hitl.token_secret': 'short',
            audit_hygiene: { prompt_storage: 'hash' },
            retention: { days: 90, minimum_days: 183 },
            // @ts-expect-error a number is needed
            'hitl.ttl': 'soon',
          },
          stores,
        }),
      ],
    }));
    expect(words).toMatch(/empty list/);
    expect(words).toMatch(/GUARDRAILS_HITL_TOKEN_SECRET/);
    expect(words).toMatch(/GUARDRAILS_AUDIT_HYGIENE_HASH_KEY/);
    expect(words).toMatch(
      /retention\.days is 90, and must be at least retention\.minimum_days, which is 183/,
    );
    expect(words).toMatch(/hitl\.ttl must be an integer/);
  });
});

/** Denies everything. */
class Nobody extends ToolAuthorizer {
  override authorize(): boolean {
    return false;
  }
}

/** Runs a test with a host and what it warned about. */
async function within(
  guardrails: GuardrailsOptions,
  act: (host: TestHost, warned: readonly string[]) => Promise<void>,
): Promise<void> {
  const warned: string[] = [];
  const silent = (): void => undefined;
  const logger = { log: silent, error: silent, warn: (line: string) => void warned.push(line) };
  const host = await TestHost.start({ guardrails, nest: { logger } });
  try {
    await act(host, warned);
  } finally {
    await host.stop();
  }
}

const lookUp = async (host: TestHost): Promise<string> =>
  (
    await host.guardrails
      .guardTool(refundTool({ name: 'lookup' }), { principalId: 'customer-42' })
      .execute({ order: 'A-1' })
  ).status;
const controlsOf = async (host: TestHost): Promise<unknown> =>
  (await host.get('/overview')).body.data['controls'];
const NOT_CALLED =
  /^tool_firewall enforces: .* the tool authorizer is not called, because tool_authorization\.enabled is overridden with false\.$/;

describe('contract 6.1: a tool authorizer', () => {
  const controls = { toolAuthorizer: Nobody };

  it('that is passed is called', async () => {
    await within({ controls }, async (host, warned) => {
      expect(await lookUp(host)).toBe('refused');
      const { settings: shown, warnings } = (await host.get('/settings')).body.data;
      expect(shown).toMatchObject({ tool_authorization: { enabled: true } });
      expect(warnings).toEqual([expect.stringContaining('hitl is off')]);
      expect(warned.filter((line) => line.includes('authoriz'))).toEqual([]);
    });
  });

  it('refuses boot if code or environment switches it off', async () => {
    const words = /tool_authorization\.enabled is false, so the tool authorizer .* never be called: remove/;
    const off = { tool_authorization: { enabled: false } };
    expect(await refusal((stores) => mount({}, { stores, controls, settings: off }))).toMatch(words);
    process.env['GUARDRAILS_TOOL_AUTHORIZATION_ENABLED'] = 'false';
    expect(await refusal((stores) => mount({}, { stores, controls }))).toMatch(words);
  });

  it('that is missing refuses boot and PUT if authorization is switched on', async () => {
    const on = { 'tool_authorization.enabled': true };
    expect(await refusal((stores) => mount({}, { stores, settings: on }))).toMatch(
      /tool_authorization\.enabled is true, and there is no tool authorizer.*controls: \{ toolAuthorizer/,
    );
    await within({}, async (host) => {
      const { status, body } = await host.put('/settings', { settings: on });
      expect([status, body.data.error?.code]).toEqual([422, 'invalid_settings']);
      expect(body.data.error?.fields).toEqual({
        'tool_authorization.enabled': [expect.stringContaining('needs a tool authorizer')],
      });
      expect(await lookUp(host)).toBe('executed');
    });
  });

  it('is not called under a stored override, which the log, the overview and the settings tell', async () => {
    const stores = memoryStores();
    await within({ stores, controls }, async (host) => {
      const off = { settings: { 'tool_authorization.enabled': false } };
      expect((await host.put('/settings', off)).body.data['warnings']).toContainEqual(
        expect.stringMatching(NOT_CALLED),
      );
    });
    await within({ stores, controls }, async (host, warned) => {
      expect(warned).toContainEqual(expect.stringMatching(NOT_CALLED));
      expect(await lookUp(host)).toBe('executed');
      expect(await controlsOf(host)).toContainEqual(
        expect.objectContaining({
          key: 'tool_firewall',
          posture: 'Engaged',
          warning: expect.stringMatching(NOT_CALLED),
        }),
      );
      expect((await host.get('/settings')).body.data['warnings']).toContainEqual(
        expect.stringMatching(NOT_CALLED),
      );
    });
  });

  it('that was removed leaves a stored override in force, which denies every call', async () => {
    const stores = memoryStores();
    await stores.settings.apply(() => settingsPlan({ overrides: { 'tool_authorization.enabled': true } }));
    await within({ stores }, async (host, warned) => {
      expect(await lookUp(host)).toBe('refused');
      const words = expect.stringMatching(/^tool_firewall enforces: .* every call counts as denied/);
      expect(warned).toContainEqual(words);
      expect((await host.get('/settings')).body.data['warnings']).toContainEqual(words);
    });
  });
});

describe('contract 6: without a token secret', () => {
  const withoutSecret = { 'hitl.token_secret': null };

  it('the API starts while HITL is off, and a PUT cannot switch it on', async () => {
    await within({ settings: withoutSecret }, async (host) => {
      expect((await host.get('/approvals')).body.data).toEqual({ pending: [], next_cursor: null });
      const { status, body } = await host.put('/settings', { settings: { hitl: { enabled: true } } });
      expect([status, body.data.error?.code]).toEqual([422, 'invalid_settings']);
      expect(body.data.error?.fields).toEqual({
        'hitl.enabled': [expect.stringMatching(/needs hitl\.token_secret.*GUARDRAILS_HITL_TOKEN_SECRET/)],
      });
      expect((await host.put('/settings', { settings: { 'modes.hitl': 'monitor' } })).status).toBe(200);
      expect(await controlsOf(host)).toContainEqual(
        expect.objectContaining({ key: 'hitl', enabled: false, mode: 'monitor', posture: 'Observing' }),
      );
    });
  });

  it('HITL in memory gets one that is random, which two mounts share, and the log tells it', async () => {
    const stores = memoryStores();
    const hitl = { settings: { ...withoutSecret, 'hitl.enabled': true }, stores };
    const warned: string[] = [];
    const silent = (): void => undefined;
    const logger = { log: silent, error: silent, warn: (line: string) => void warned.push(line) };
    const mounts = [
      mountOf({ guardrails: hitl }),
      mountOf({ guardrails: hitl, api: { prefix: 'second/api' } }),
    ];
    const host = await TestHost.start({ mounts, nest: { logger } });
    try {
      const tool = refundTool();
      const called = await host.guardrails
        .guardTool(tool, { principalId: 'customer-42' })
        .execute({ order: 'A-1' });
      expect(called.status).toBe('parked');
      const tokens: unknown[] = [];
      for (const api of [host, host.under('/second/api')]) {
        const { pending } = (await api.get('/approvals')).body.data as unknown as {
          pending: { token: string }[];
        };
        tokens.push(pending[0]?.token);
      }
      expect(tokens).toEqual([expect.stringMatching(/^[\w-]{43}$/), tokens[0]]);
      expect(warned.filter((line) => line.includes('hitl.token_secret is missing'))).toHaveLength(2);
    } finally {
      await host.stop();
    }
  });

  it('a stored override that switches HITL on is ignored, and the log and the overview tell it', async () => {
    const stores = memoryStores();
    await stores.settings.apply(() => settingsPlan({ overrides: { 'hitl.enabled': true } }));
    await within({ stores, settings: withoutSecret }, async (host, warned) => {
      expect(warned).toContainEqual(
        expect.stringMatching(/overrides are invalid and are ignored.*hitl\.enabled/),
      );
      expect(await controlsOf(host)).toContainEqual(
        expect.objectContaining({ key: 'hitl', mode: 'off', posture: 'Disabled' }),
      );
    });
  });
});

it('misspelled environment variables are warned about at boot, with the closest name', async () => {
  process.env['GUARDRAILS_MODE_INPUT_SCREEN'] = 'monitor';
  await within({}, async (_host, warned) => {
    expect(warned).toContainEqual(
      'the environment variable GUARDRAILS_MODE_INPUT_SCREEN is not a setting; did you mean GUARDRAILS_MODES_INPUT_SCREEN?',
    );
  });
});

describe('the defaults', () => {
  const call = async (host: TestHost, tool: Tool): Promise<string> =>
    (await host.guardrails.guardTool(tool, { principalId: 'customer-42' }).execute({ order: 'A-1' })).status;

  it('keep a working tool, and tell for each control what it does', async () => {
    await within({ settings: { 'hitl.token_secret': null } }, async (host) => {
      expect(await call(host, refundTool())).toBe('executed');
      const { entries } = (await host.get('/audit?control=hitl')).body.data;
      expect(entries).toMatchObject([{ tool: 'refund', outcome: 'observed' }]);
      expect((await host.get('/settings')).body.data['warnings']).toEqual([
        expect.stringMatching(
          /^hitl is off: .* declares itself destructive.* are refused; .* run, and are recorded/,
        ),
      ]);
    });
  });

  it('run every tool with the variables of the rollout guide, and record it', async () => {
    const guide = readFileSync(new URL('../../../docs/guides/rollout.md', import.meta.url), 'utf8');
    const variables = [...guide.matchAll(/^(GUARDRAILS_\w+)=(\w+)$/gm)];
    for (const [, name = '', value = ''] of variables) process.env[name] = value;
    await within({ settings: { 'hitl.token_secret': null } }, async (host, warned) => {
      for (const tool of [refundTool(), refundTool({ destructive: true }), refundTool({ name: 'pay' })])
        expect(await call(host, tool)).toBe('executed');
      const { controls } = (await host.get('/overview')).body.data as unknown as OverviewData;
      expect(controls.map(({ posture }) => posture)).toEqual(Array(4).fill('Observing'));
      const { entries } = (await host.get('/audit?control=hitl')).body.data;
      expect(entries).toMatchObject([{ outcome: 'observed' }, { outcome: 'observed' }]);
      expect(warned.filter((line) => line.includes('environment variable'))).toEqual([]);
    });
  });
});

describe('contract 7.6: the boot with tokens out of band', () => {
  const outOfBand = { 'hitl.enabled': true, 'hitl.token_delivery': 'out_of_band' } as const;

  it('fails without a notifier', async () => {
    const setup = (stores: ReturnType<typeof memoryStores>): HostSetup =>
      mount({ enabled: false }, { stores, settings: { ...settings, ...outOfBand } });
    expect(await refusal(setup)).toMatch(
      /no approvalNotifier would receive the tokens: write controls: \{ approvalNotifier/,
    );
  });

  it.each([null, 'short'])('fails in production with the secret %p', async (secret) => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    const controls = { approvalNotifier: { notify: () => undefined } };
    const setup = (stores: ReturnType<typeof memoryStores>): HostSetup =>
      mount(
        { enabled: false },
        { stores, controls, settings: { 'hitl.token_secret': secret, ...outOfBand } },
      );
    try {
      expect(await refusal(setup)).toMatch(/hitl.token_secret needs at least 32 bytes/);
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });
});

it('a policy that names a group does not start without approverGroups', async () => {
  const policies = { refund: { rules: [{ require: 'approval', group: 'finance' }] } };
  const grouped = { ...settings, 'hitl.policies': policies, 'hitl.ttl': 'soon' };
  const words = await refusal((stores) => mount({ enabled: false }, { stores, settings: grouped }));
  expect(words).toMatch(/the approver group "finance".*write controls: \{ approverGroups/);
  expect(words).toMatch(/hitl\.ttl must be an integer/);
});

describe('contract 1: configuration', () => {
  it('takes code before the environment, and the environment before the default', async () => {
    process.env['GUARDRAILS_API_PREFIX'] = 'environment/api';
    process.env['GUARDRAILS_MODES_HITL'] = 'monitor';
    process.env['GUARDRAILS_MODES_INPUT_SCREEN'] = 'monitor';
    const application = await createHost({
      mounts: [
        GuardrailsApiModule.forRoot({
          api: { enabled: true, middleware: [BearerGuard] },
          settings: { ...settings, modes: { hitl: 'off' } },
        }),
      ],
    });
    await application.listen(0, '127.0.0.1');
    try {
      const client = new TestClient(await application.getUrl(), '/environment/api');
      expect((await client.get('/settings')).body.data).toMatchObject({
        settings: { modes: { hitl: 'off', input_screen: 'monitor', tool_firewall: 'enforce' } },
        overridden: [],
        revision: 0,
      });
    } finally {
      await application.close();
    }
  });

  it('works in a process that serves no HTTP', async () => {
    @Module({ imports: [mountOf({})] })
    class WorkerModule {}
    const worker = await NestFactory.createApplicationContext(WorkerModule, {
      logger: false,
      abortOnError: false,
    });
    await worker.close();
    expect(worker).toBeDefined();
  });
});
