import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { DynamicModule } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { ConfigurationError } from '#contracts/common/errors.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { GuardrailsApiModule } from '#src/guardrails-api.module.js';
import type { ApiOptions, GuardrailsOptions } from '#src/options/guardrails-api.options.js';
import type { AccessEntry } from '#src/http/access.guard.js';
import { BearerGuard } from '../support/bearer.guard.js';
import { createHost, TestHost, TOKEN_SECRET, type HostSetup } from '../support/host.js';
let knocks = 0;

const database = createServer((socket) => {
  knocks++;
  socket.destroy();
}).listen(0, '127.0.0.1');
await once(database, 'listening');
const url = `postgres://user:password@127.0.0.1:${(database.address() as AddressInfo).port}/absent`;

afterAll(() => void database.close());

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('GUARDRAILS_')) delete process.env[name];
});

/** The error of a refused boot, with a database configured that must not be connected to. */
async function refusal(mounts: readonly DynamicModule[], host: HostSetup['host'] = {}): Promise<string> {
  knocks = 0;
  const application = await createHost({ mounts, host });
  try {
    await application.init();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(knocks).toBe(0);
    return (error as Error).message;
  } finally {
    await application.close();
  }
  throw new Error('it started');
}

const stores = (): GuardrailsOptions['stores'] => typeormStores({ url, migrate: true });
const secret = { 'hitl.token_secret': TOKEN_SECRET };

/** The four ways in which a deployer switches the API on. */
const WAYS: readonly (readonly [string, (api: ApiOptions) => DynamicModule])[] = [
  [
    'in code',
    (api) =>
      GuardrailsApiModule.forRoot({ api: { ...api, enabled: true }, settings: secret, stores: stores() }),
  ],
  [
    'in the environment',
    (api) => {
      process.env['GUARDRAILS_API_ENABLED'] = 'true';
      process.env['GUARDRAILS_HITL_TOKEN_SECRET'] = TOKEN_SECRET;
      return GuardrailsApiModule.forRoot({ api, stores: stores() });
    },
  ],
  [
    'beside an asynchronous factory',
    (api) =>
      GuardrailsApiModule.forRootAsync({
        api: { ...api, enabled: true },
        useFactory: async () => ({ settings: secret, stores: stores() }),
      }),
  ],
  [
    'in the environment, beside a factory that reads @nestjs/config',
    (api) => {
      process.env['GUARDRAILS_API_ENABLED'] = '1';
      return GuardrailsApiModule.forRootAsync({
        api,
        imports: [ConfigModule.forRoot({ ignoreEnvFile: true, load: [() => ({ secret: TOKEN_SECRET })] })],
        inject: [ConfigService],
        useFactory: (config: ConfigService) => ({
          settings: { 'hitl.token_secret': config.getOrThrow<string>('secret') },
          stores: stores(),
        }),
      });
    },
  ],
];

const MISSING = Symbol('missing');
const NOTHING = Symbol('nothing');

abstract class Unprovided {
  abstract canActivate(): boolean;
}

/** Every list that resolves to no guard, and the expected advice. */
const LISTS: readonly (readonly [string, unknown, RegExp])[] = [
  ['missing', undefined, /empty list[^]*middleware: \[YourAuthGuard\][^]*enabled: false/],
  ['[]', [], /empty list[^]*middleware: \[YourAuthGuard\]/],
  ['[false, false]', [false, false], /empty list/],
  ['[guard, undefined]', [BearerGuard, undefined], /entry 1 is undefined\. .*file of its own/],
  ['[false, undefined]', [false, undefined], /entry 1 is undefined/],
  ['[null]', [null], /entry 0 is null/],
  ['[true]', [true], /entry 0\b.*boolean/],
  ['[0]', [0], /entry 0\b.*number/],
  ["['']", [''], /entry 0\b.*""/],
  ['["BearerGuard"]', ['BearerGuard'], /entry 0\b.*"BearerGuard"/],
  ['a symbol without a provider', [MISSING], /entry 0\b.*Symbol\(missing\)/],
  ['a symbol that provides nothing', [BearerGuard, NOTHING], /entry 1\b.*Symbol\(nothing\)/],
  ['an abstract class without a provider', [Unprovided], /entry 0\b.*Unprovided/],
  [
    'an error handler',
    [(_e: never, _q: never, _s: never, _n: never) => undefined],
    /entry 0\b.*four parameters/,
  ],
  ['one that is no list', BearerGuard, /must be a list/],
];

describe.each(WAYS)(
  'contract 1.2: a refused boot, which opens no connection, with the API switched on %s',
  (_, mount) => {
    it.each(LISTS)('is caused by a list that is %s', async (__, middleware, words) => {
      const host = { providers: [{ provide: NOTHING, useFactory: async () => null }] };
      expect(await refusal([mount({ middleware: middleware as readonly AccessEntry[] })], host)).toMatch(
        words,
      );
    });

    it('names every wrong entry at once', async () => {
      const middleware = [
        null,
        BearerGuard,
        'name',
        undefined,
        false,
        7,
      ] as unknown as readonly AccessEntry[];
      const words = await refusal([mount({ middleware })]);
      for (const index of [0, 2, 3, 5]) expect(words).toContain(`entry ${index} is`);
      for (const index of [1, 4]) expect(words).not.toContain(`entry ${index} is`);
    });

    it.each([
      '',
      '/',
      'api',
      '/api/',
      'guardrails',
      'x/API',
      'x/apis',
      'a b/api',
      'a//api',
      'x/:id/api',
      'x/*/api',
      'é/api',
      'x/api/y',
      '../api?',
    ])('contract 1: is caused by the prefix %p', async (prefix) => {
      expect(await refusal([mount({ middleware: [BearerGuard], prefix })])).toMatch(/api\.prefix/);
    });
  },
);

describe('contract 1.2: a refused boot, which opens no connection', () => {
  it.each(['maybe', 'yes', 'on', '', '2', 'TRUE!'])(
    'is caused by GUARDRAILS_API_ENABLED=%s',
    async (value) => {
      process.env['GUARDRAILS_API_ENABLED'] = value;
      const api = { middleware: [BearerGuard] };
      const words = await refusal([GuardrailsApiModule.forRoot({ api, settings: secret, stores: stores() })]);
      expect(words).toMatch(/GUARDRAILS_API_ENABLED/);
    },
  );

  it.each<readonly [string, Readonly<Record<string, unknown>>, RegExp]>([
    ['approvals without a token secret', { 'hitl.enabled': true }, /GUARDRAILS_HITL_TOKEN_SECRET/],
    ['a token secret of 31 bytes', { 'hitl.token_secret': 'x'.repeat(31) }, /hitl\.token_secret.*32 bytes/],
    [
      'hash without a key',
      { ...secret, 'audit_hygiene.prompt_storage': 'hash' },
      /GUARDRAILS_AUDIT_HYGIENE_HASH_KEY/,
    ],
    [
      'hash with a short key',
      { ...secret, 'audit_hygiene.prompt_storage': 'hash', 'audit_hygiene.hash_key': 'short' },
      /audit_hygiene\.hash_key.*32 bytes/,
    ],
    ['a setting that does not exist', { ...secret, 'modes.nonsense': 'off' }, /modes\.nonsense/],
    ['a value that does not fit', { ...secret, modes: { hitl: 'maybe' } }, /modes\.hitl.*enforce/],
    [
      'a pattern with a look-ahead',
      { ...secret, 'input_screen.patterns': { mine: 'a(?=b)' } },
      /rule mine.*look-ahead/,
    ],
    ['api.enabled among the settings', { ...secret, 'api.enabled': true }, /api\.enabled/],
  ])('contract 6: is caused by %s', async (_, settings, words) => {
    const api = { enabled: true, middleware: [BearerGuard] };
    expect(await refusal([GuardrailsApiModule.forRoot({ api, settings, stores: stores() })])).toMatch(words);
  });

  it('contract 6: is caused by an invalid environment variable', async () => {
    process.env['GUARDRAILS_HITL_TTL'] = 'soon';
    const api = { enabled: true, middleware: [BearerGuard] };
    expect(
      await refusal([
        GuardrailsApiModule.forRootAsync({ api, useFactory: () => ({ settings: secret, stores: stores() }) }),
      ]),
    ).toMatch(/GUARDRAILS_HITL_TTL.*integer/);
  });

  it('reports every reason at once, one per line', async () => {
    process.env['GUARDRAILS_MODES_HITL'] = 'loud';
    const words = await refusal([
      GuardrailsApiModule.forRoot({
        api: { enabled: true, prefix: 'nonsense', middleware: [false] },
        settings: { 'hitl.token_secret': 'short', 'retention.days': -1 },
        stores: stores(),
      }),
    ]);
    const lines = words.split('\n').slice(1);
    for (const reason of [
      'api.prefix',
      'middleware',
      'hitl.token_secret',
      'retention.days',
      'GUARDRAILS_MODES_HITL',
    ]) {
      expect(lines.filter((line) => line.includes(reason))).toHaveLength(1);
    }
    expect(words).not.toContain('short');
  });
});

it('contract 1.2: connects to the database once the boot check has passed', async () => {
  knocks = 0;
  const api = { enabled: true, middleware: [BearerGuard] };
  const application = await createHost({
    mounts: [GuardrailsApiModule.forRoot({ api, settings: secret, stores: stores() })],
  });
  await expect(application.init()).rejects.toThrow(
    'the store cannot be opened: Connection terminated unexpectedly',
  );
  await application.close();
  expect(knocks).toBeGreaterThan(0);
});

describe('contract 1: switched off', () => {
  it.each<readonly [string, ApiOptions, string | undefined]>([
    ['by default', {}, undefined],
    ['in code, against the environment', { enabled: false }, 'true'],
    ['in the environment', {}, 'false'],
  ])('%s: no gate is needed, and the host answers 404 itself', async (_, api, environment) => {
    if (environment !== undefined) process.env['GUARDRAILS_API_ENABLED'] = environment;
    const host = await TestHost.start({ mounts: [GuardrailsApiModule.forRoot({ api })] });
    try {
      for (const path of ['', '/overview', '/audit/1', '/nowhere']) {
        const answer = await host.get(path, { as: null });
        expect([answer.status, JSON.parse(answer.text)]).toMatchObject([404, { statusCode: 404 }]);
        expect(answer.headers).not.toHaveProperty('x-request-id');
      }
      expect((await host.put('/settings', { settings: {} })).status).toBe(404);
      expect(await host.guardrails.screen('hello')).toMatchObject({ blocked: false });
    } finally {
      await host.stop();
    }
  });
});
