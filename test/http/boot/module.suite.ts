import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  ConsoleLogger,
  Controller,
  Get,
  Injectable,
  Module,
  type ExecutionContext,
  type ModuleMetadata,
} from '@nestjs/common';
import { ConfigModule, ConfigService, registerAs } from '@nestjs/config';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { GuardrailsError } from '#contracts/common/errors.js';
import { EventSink } from '#contracts/events/event-sink.js';
import { ToolAuthorizer } from '#contracts/firewall/firewall.js';
import { RetentionApplied } from '#contracts/events/operation-events.js';
import { Screener } from '#contracts/screening/screening.js';
import type { Span } from '#contracts/common/text.js';
import { decision } from '#stores/contract/builders.js';
import { Guardrails } from '#engine/guardrails.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { guardrailsConfig } from '#src/guardrails.config.js';
import { GuardrailsApiModule } from '#src/guardrails-api.module.js';
import { HandlerTable } from '#src/admin-api/handler-table.js';
import { bareDatabase } from '../../postgres/database.js';
import { refundTool } from '../../support/engine.js';
import { BearerGuard } from '../support/bearer.guard.js';
import { createHost, mountOf, TestHost, TOKEN_SECRET, type HostSetup } from '../support/host.js';

/** Runs a test with a separate host. */
async function within<T>(setup: HostSetup, act: (host: TestHost) => Promise<T>): Promise<T> {
  const host = await TestHost.start(setup);
  try {
    return await act(host);
  } finally {
    await host.stop();
  }
}

@Injectable()
class Vocabulary {
  readonly unwanted = 'voldemort';
}

@Module({ providers: [Vocabulary], exports: [Vocabulary] })
class VocabularyModule {}

@Injectable()
class VocabularyScreener extends Screener {
  override readonly id = 'vocabulary';

  constructor(private readonly vocabulary: Vocabulary) {
    super();
  }

  override screen(text: string): readonly Span[] {
    const start = text.indexOf(this.vocabulary.unwanted);
    return start < 0 ? [] : [[start, start + this.vocabulary.unwanted.length]];
  }
}

class SilentSink extends EventSink {
  override readonly name = 'siem';

  override async deliver(): Promise<void> {}
}

class Nobody extends ToolAuthorizer {
  override authorize(): boolean {
    return false;
  }
}

const loadGuardrails = () => ({
  guardrails: { modes: { hitl: 'monitor' }, 'hitl.token_secret': TOKEN_SECRET },
});

const badgeOf = async (context: ExecutionContext) => {
  const { headers } = context.switchToHttp().getRequest<Request>();
  const badge = String(headers['x-badge']);
  return badge === 'none' ? null : { id: badge === 'hidden' ? 'ops-1\u200b' : `badge ${badge}` };
};

/** Returns spans outside the text. */
@Injectable()
class BrokenScreener extends Screener {
  override readonly id = 'broken';

  override screen(text: string): readonly Span[] {
    return [[0, text.length + 1]];
  }
}

/** A ConfigModule of the host, with these settings in the namespace `guardrails`. */
const configured = (settings: object, isGlobal = false) =>
  ConfigModule.forRoot({
    ignoreEnvFile: true,
    isGlobal,
    load: [registerAs('guardrails', async () => settings)],
  });

const shownSettings = async (host: TestHost): Promise<unknown> =>
  (await host.get('/settings')).body.data['settings'];

describe('the ConfigService of the host', () => {
  const variable = 'GUARDRAILS_RETENTION_DAYS';

  afterEach(() => {
    delete process.env[variable];
  });

  it.each([true, false])('provides settings of the namespace guardrails (global: %s)', async (isGlobal) => {
    const imports = [configured({ retention: { days: 11 }, 'hitl.enabled': true }, isGlobal)];
    await within({ host: { imports } }, async (host) => {
      expect(await shownSettings(host)).toMatchObject({ retention: { days: 11 }, hitl: { enabled: true } });
    });
  });

  it('has precedence over the environment, and code has precedence over it', async () => {
    process.env[variable] = '12';
    process.env['GUARDRAILS_AUDIT_HYGIENE_TRUNCATE_AT'] = '999';
    const imports = [configured({ retention: { days: 11 }, 'hitl.enabled': true })];
    const guardrails = { settings: { 'hitl.enabled': false } };
    await within({ host: { imports }, guardrails }, async (host) => {
      expect(await shownSettings(host)).toMatchObject({
        retention: { days: 11, strategy: 'anonymize' },
        hitl: { enabled: false },
      });
    });
    delete process.env['GUARDRAILS_AUDIT_HYGIENE_TRUNCATE_AT'];
    await within({ host: { imports: [configured({})] } }, async (host) => {
      expect(await shownSettings(host)).toMatchObject({ retention: { days: 12 } });
    });
  });

  it('provides settings by their environment names', async () => {
    const load = [() => ({ [variable]: '13' })];
    const imports = [ConfigModule.forRoot({ ignoreEnvFile: true, load })];
    await within({ host: { imports } }, async (host) => {
      expect(await shownSettings(host)).toMatchObject({ retention: { days: 13 } });
    });
  });

  it('refuses to start with invalid and with static settings, and names the source', async () => {
    const imports = [configured({ retention: { days: -1 }, 'api.enabled': false, nonsense: 1 })];
    const refused = TestHost.start({ host: { imports } });
    await expect(refused).rejects.toThrow(/ConfigService, namespace guardrails: nonsense is not a setting/);
    await expect(TestHost.start({ host: { imports } })).rejects.toThrow(/api\.enabled is static/);
    await expect(TestHost.start({ host: { imports } })).rejects.toThrow(/retention\.days/);
  });

  it('loads guardrailsConfig, which contains the settings of the environment', async () => {
    process.env[variable] = '14';
    const imports = [ConfigModule.forRoot({ ignoreEnvFile: true, load: [guardrailsConfig] })];
    await within({ host: { imports } }, async ({ application }) => {
      const config = application.get(ConfigService, { strict: false });
      expect(config.get('guardrails')).toEqual({ retention: { days: 14 } });
    });
  });
});

/** What Nest's default logger writes at a boot, line by line, without a prefix and without Nest's line for each import of a host. */
async function bootLog(setup: HostSetup, hooks: boolean): Promise<readonly string[]> {
  const before = process.listeners('SIGTERM');
  process.removeAllListeners('SIGTERM');
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const prepare = (application: NestExpressApplication): void => {
    if (hooks) application.enableShutdownHooks(['SIGTERM']);
  };
  try {
    await within({ ...setup, prepare, nest: { logger: new ConsoleLogger({ colors: false }) } }, async () => {
      write.mockRestore();
    });
  } finally {
    write.mockRestore();
    for (const listener of before) process.on('SIGTERM', listener);
  }
  return written
    .map((line) => line.replace(/^.*? (LOG|WARN|ERROR) \[/, '$1 [').replace(/(?: \+\d+ms)?\n$/, ''))
    .filter((line) => line !== 'LOG [InstanceLoader] GuardrailsApiModule dependencies initialized');
}

describe('the log of a boot', () => {
  const calm = { guardrails: { stores: memoryStores() } };
  const warnings = (lines: readonly string[]) => lines.filter((line) => line.startsWith('WARN'));

  afterEach(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith('GUARDRAILS_')) delete process.env[name];
  });

  it('has six lines of ours: addresses, what each control does, and the storage', async () => {
    const alone = await bootLog({ mounts: [] }, true);
    const lines = await bootLog({ ...calm, panel: { enabled: true } }, true);
    expect(lines).toHaveLength(alone.length + 6);
    expect(lines.filter((line) => line.includes('[Guardrails]'))).toEqual([
      'LOG [Guardrails] Listening at /guardrails/api and /guardrails/panel.',
      expect.stringMatching(/^LOG \[Guardrails\] tool_firewall enforces: .*no tool authorizer/),
      expect.stringMatching(
        /^LOG \[Guardrails\] input_screen enforces: .*The classifier blocks prompts by default/,
      ),
      expect.stringMatching(/^LOG \[Guardrails\] output_handler enforces: .* Rendering: markdown\.$/),
      expect.stringMatching(/^LOG \[Guardrails\] hitl is off: /),
      'LOG [Guardrails] Storage: MemoryStores.',
    ]);
  });

  it('has a line before each migration, and none where nothing is missing', async () => {
    const database = await bareDatabase();
    const boot = async (): Promise<readonly string[]> => {
      const stores = typeormStores({ url: database.url, migrate: true });
      const lines = await bootLog({ guardrails: { stores } }, true);
      return lines.filter((line) => line.includes('[Guardrails]'));
    };
    try {
      const first = await boot();
      expect(first[0]).toMatch(/^LOG \[Guardrails\] Migrating the database: guardrails_\w+\.$/);
      expect(await boot()).toEqual(first.filter((line) => !line.includes('Migrating')));
    } finally {
      await database.drop();
    }
  });

  it('says what is not protected', async () => {
    const settings = { modes: { input_screen: 'monitor' }, output_handler: { redact_pii: false } } as const;
    const lines = await bootLog({ guardrails: { ...calm.guardrails, settings } }, true);
    expect(lines).toContainEqual(expect.stringMatching(/input_screen is in monitor mode: .*blocks nothing/));
    expect(lines).toContainEqual(
      expect.stringMatching(/output_handler .* output_handler\.redact_pii is off\./),
    );
    expect(warnings(lines)).toEqual([]);
  });

  it('warns in one line each: memory without stores, and a SIGTERM that nothing handles', async () => {
    expect(warnings(await bootLog({}, false))).toEqual([
      expect.stringContaining('No stores are configured'),
      expect.stringMatching(
        /A SIGTERM ends this process at once.*app\.enableShutdownHooks\(\) before app\.listen/,
      ),
    ]);
    expect(warnings(await bootLog(calm, true))).toEqual([]);
  });

  it('has at most ten warnings, then their count and what checks them', async () => {
    for (let index = 0; index < 13; index++) process.env[`GUARDRAILS_NONSENSE_${index}`] = '1';
    const warned = warnings(await bootLog(calm, true));
    expect(warned).toHaveLength(11);
    expect(warned[10]).toMatch(/ 3 more warnings\. .*npx nest-guardrails doctor$/);
  });

  it('warns of two forRoot() with separate stores in memory, and not of shared ones', async () => {
    const stores = memoryStores();
    const both = (other: typeof stores) => [
      mountOf({ guardrails: { stores } }),
      mountOf({ api: { prefix: 'other/api' }, guardrails: { stores: other } }),
    ];
    expect(warnings(await bootLog({ mounts: both(memoryStores()) }, true))).toEqual([
      expect.stringMatching(/calls forRoot\(\) 2 times with separate stores in memory.*isGlobal: true/),
    ]);
    expect(warnings(await bootLog({ mounts: both(stores) }, true))).toEqual([]);
  });
});

describe('an import that cannot work', () => {
  const refusal = async (imports: NonNullable<ModuleMetadata['imports']>): Promise<string> => {
    const started = createHost({ mounts: [], host: { imports } }).then((application) => application.init());
    return started.then(
      () => 'it started',
      ({ message }: Error) => message,
    );
  };

  it('is the module without forRoot()', async () => {
    expect(await refusal([GuardrailsApiModule])).toMatch(
      /cannot start:\n {2}- imports contains GuardrailsApiModule without forRoot\(\): write/,
    );
  });

  it('is a module whose providers get no Guardrails: the error of Nest names isGlobal', async () => {
    @Injectable()
    class Assistant {
      constructor(readonly guardrails: Guardrails) {}
    }

    @Module({ providers: [Assistant] })
    class AssistantModule {}

    expect(await refusal([AssistantModule, mountOf({})])).toMatch(
      /argument Guardrails \(from GuardrailsApiModule\.forRoot\(\{ isGlobal: true \}\)\) at index \[0\] is available in the AssistantModule/,
    );
  });
});

describe('a screener that returns a span outside the text', () => {
  it('fails closed, is logged and is shown by try/screen, with its name and reason', async () => {
    const warned: string[] = [];
    const logger = {
      log: () => undefined,
      error: () => undefined,
      warn: (line: string) => void warned.push(line),
    };
    const setup = { guardrails: { controls: { screeners: [BrokenScreener] } }, nest: { logger } };
    await within(setup, async (host) => {
      const failure = { id: 'broken', reason: expect.stringMatching(/outside the text/) };
      const tried = await host.post('/try/screen', { prompt: 'hello' });
      expect(tried.body.data).toMatchObject({ blocked: true, errored_screeners: [failure] });
      expect(await host.guardrails.screen('hello')).toMatchObject({ blocked: true });
      expect(warned.filter((line) => /broken.*outside the text/.test(line))).toHaveLength(2);
    });
    const sound = await within({}, (host) => host.post('/try/screen', { prompt: 'hello' }));
    expect(sound.body.data).toMatchObject({ blocked: false, errored_screeners: [] });
  });
});

describe('the module', () => {
  it('starts with forRoot() alone', async () => {
    await within({ mounts: [GuardrailsApiModule.forRoot()] }, async (host) => {
      expect(await host.guardrails.screen('hello')).toMatchObject({ blocked: false });
      expect((await host.get('/overview')).status).toBe(404);
    });
  });

  it('refuses to start if a controller and the list of routes differ', () => {
    const table = new HandlerTable('guardrails/api', null);
    table.get('/guardrails/api/overview', () => undefined);
    table.post('/surprise', () => undefined);
    expect(() => table.assertComplete()).toThrow(
      /no controller handles GET \/guardrails\/api\/me, .*does not list POST \/surprise/,
    );
  });

  it('contract 1: receives its values from an asynchronous factory of @nestjs/config', async () => {
    const mount = GuardrailsApiModule.forRootAsync({
      api: { enabled: true, middleware: [BearerGuard], prefix: 'later/api' },
      imports: [ConfigModule.forRoot({ load: [loadGuardrails], ignoreEnvFile: true })],
      inject: [ConfigService],
      useFactory: async (config: ConfigService) => ({ settings: config.get('guardrails') }),
    });
    const answer = await within({ mounts: [mount] }, (host) => host.under('/later/api').get('/settings'));
    expect(answer.body.data).toMatchObject({ settings: { modes: { hitl: 'monitor' } } });
  });

  it('contract 1: takes everything that is not static from a factory', async () => {
    const mount = GuardrailsApiModule.forRootAsync({
      api: { enabled: true, middleware: [BearerGuard] },
      panel: { path: 'watch' },
      imports: [VocabularyModule],
      useFactory: async () => ({
        api: { actor: badgeOf, permits: () => false },
        panel: { enabled: true, auth: 'bearer' as const },
        settings: { 'hitl.enabled': true, 'hitl.token_secret': TOKEN_SECRET },
        stores: memoryStores(),
        controls: { screeners: [VocabularyScreener], toolAuthorizer: Nobody },
        tools: [refundTool()],
        sinks: [new SilentSink()],
        principal: () => null,
      }),
    });
    await within({ mounts: [mount] }, async (host) => {
      const headers = { 'x-badge': '7' };
      const { data } = (await host.get('/me', { headers })).body;
      const permissions = expect.objectContaining({ 'guardrails.api.audit.index': false });
      expect(data).toMatchObject({ actor: 'badge 7', live: 'security', permissions });
      const page = await fetch(`${host.origin}/watch`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await host.guardrails.screen('is voldemort there?')).toMatchObject({ ruleId: 'vocabulary' });
      const called = await host.guardrails
        .guardTool(refundTool(), { principalId: 'customer-42' })
        .execute({});
      expect(called.status).toBe('refused');
      expect((await host.get('/events/sinks')).body.data).toMatchObject({ sinks: [{ name: 'siem' }] });
    });
  });

  it('instantiates the classes of controls with the dependencies of its imports', async () => {
    const mount = mountOf({ guardrails: { controls: { screeners: [VocabularyScreener] } } });
    const imports = [...(mount.imports ?? []), VocabularyModule];
    const verdict = await within({ mounts: [{ ...mount, imports }] }, (host) =>
      host.guardrails.screen('is voldemort there?'),
    );
    expect(verdict).toMatchObject({ blocked: true, ruleId: 'vocabulary' });
  });

  it('contract 6.3: gets the actor from the host', async () => {
    await within({ api: { actor: badgeOf } }, async (host) => {
      const change = (badge: string, value: boolean) =>
        host.put(
          '/settings',
          { actor: 'ops-9', settings: { 'hitl.enabled': value } },
          { headers: { 'x-badge': badge } },
        );
      expect((await change('7', true)).status).toBe(200);
      for (const badge of ['none', 'hidden'])
        expect((await change(badge, false)).body.data.error.code).toBe('actor_required');
      const { data } = (await host.get('/settings/changes')).body;
      expect(data).toMatchObject({ changes: [{ actor_id: 'badge 7', key: 'hitl.enabled' }] });
    });
  });

  it('applies retention by its schedule as `guardrails.retention`, and publishes an event', async () => {
    const stores = memoryStores();
    const id = await stores.audit.append(decision({ occurredAt: new Date('2020-01-01T00:00:00.000Z') }));
    const settings = { 'retention.schedule': 'daily', 'retention.days': 30 } as const;
    let resolveApplied: (event: RetentionApplied) => void = () => undefined;
    const applied = new Promise<RetentionApplied>((resolve) => (resolveApplied = resolve));
    const prepare = (application: NestExpressApplication): void => {
      application.get(EventEmitter2, { strict: false }).once(RetentionApplied.eventName, resolveApplied);
    };
    await within({ guardrails: { stores, settings }, prepare }, async (host) => {
      expect(await applied).toMatchObject({
        run: { actorId: 'guardrails.retention', strategy: 'anonymize', counts: { entries: 1 } },
      });
      const { data } = (await host.get(`/audit/${id}`)).body;
      expect(data).toMatchObject({ entry: { prompt: '', prompt_storage: 'erased' } });
    });
  });

  it('opens its stores once and closes them last', async () => {
    const stores = memoryStores();
    const calls: string[] = [];
    stores.open = async () => void calls.push('open');
    stores.close = async () => void calls.push('close');
    await within({ guardrails: { stores } }, async (host) => {
      expect((await host.get('/overview')).status).toBe(200);
      expect(calls).toEqual(['open']);
    });
    expect(calls).toEqual(['open', 'close']);
  });

  it('shuts down while a request of the host waits for an approval', async () => {
    const codes: string[] = [];
    let waits!: () => void;
    const waiting = new Promise<void>((resolve) => (waits = resolve));

    @Controller('refunds')
    class Refunds {
      constructor(private readonly guardrails: Guardrails) {}

      @Get()
      async ask(): Promise<unknown> {
        const called = await this.guardrails
          .guardTool(refundTool(), { runId: 'run-1', principalId: 'customer-42' })
          .execute({ order: 'A-1' });
        const outcome = called.status === 'parked' ? called.parked.outcome() : null;
        waits();
        return outcome?.catch(({ code }: GuardrailsError) => codes.push(code));
      }
    }

    const setup = { guardrails: { settings: { 'hitl.enabled': true } }, host: { controllers: [Refunds] } };
    await within(setup, async ({ origin }) => {
      void fetch(`${origin}/refunds`).then((answer) => answer.text());
      await waiting;
    });
    expect(codes).toEqual(['hitl_unavailable']);
  });

  it('does not start over stores that cannot be opened, and closes nothing that was never opened', async () => {
    const stores = memoryStores();
    let closed = false;
    stores.open = () => Promise.reject(new Error('no such database'));
    stores.close = async () => void (closed = true);
    const application = await createHost({ guardrails: { stores } });
    await expect(application.init()).rejects.toThrow('no such database');
    await application.close();
    expect(closed).toBe(false);
  });

  it('names a database that cannot be reached, without its password', async () => {
    const stores = typeormStores({ url: 'postgres://ops:hunter2secret@127.0.0.1:1/none' });
    const application = await createHost({ guardrails: { stores } });
    const started = application.init();
    await expect(started).rejects.toThrow(
      /cannot start:\n {2}- the store cannot be opened: .*ECONNREFUSED 127\.0\.0\.1:1\. Check .*nest-guardrails doctor/,
    );
    await expect(started).rejects.not.toThrow('hunter2secret');
    await application.close();
  });
});
