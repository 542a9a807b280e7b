import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, Module, type ExecutionContext } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import type { ModuleRef } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { GuardrailsError } from '../../libs/contracts/src/errors.js';
import { RetentionApplied } from '../../libs/contracts/src/events.js';
import { DEFAULT_SETTINGS } from '../../libs/contracts/src/settings/settings.js';
import { Screener } from '../../libs/contracts/src/screening.js';
import type { Span } from '../../libs/contracts/src/text.js';
import { decision } from '../../libs/stores/contract/src/builders.js';
import { Guardrails } from '../../libs/engine/src/guardrails.js';
import { memoryStores } from '../../libs/stores/memory/src/memory-stores.js';
import { bootCheck } from '../../src/boot-check.js';
import { GuardrailsApiModule } from '../../src/guardrails-api.module.js';
import { refundTool } from '../support/engine.js';
import { BearerGuard } from './support/bearer.guard.js';
import { createHost, mountOf, TestHost, TOKEN_SECRET, type HostSetup } from './support/host.js';

/** What a test does with a host that runs only for it. */
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

const loadGuardrails = () => ({
  guardrails: { modes: { hitl: 'monitor' }, 'hitl.token_secret': TOKEN_SECRET },
});

const badgeOf = async (context: ExecutionContext) => {
  const { headers } = context.switchToHttp().getRequest<Request>();
  return headers['x-badge'] === 'none' ? null : { id: `badge ${String(headers['x-badge'])}` };
};

describe('the module', () => {
  it('§1 takes its values later, from @nestjs/config', async () => {
    const mount = GuardrailsApiModule.forRootAsync({
      api: { enabled: true, middleware: [BearerGuard], prefix: 'later/api' },
      imports: [ConfigModule.forRoot({ load: [loadGuardrails], ignoreEnvFile: true })],
      inject: [ConfigService],
      useFactory: async (config: ConfigService) => ({ settings: config.get('guardrails') }),
    });
    const answer = await within({ mounts: [mount] }, (host) => host.under('/later/api').get('/settings'));
    expect(answer.body.data).toMatchObject({ settings: { modes: { hitl: 'monitor' } } });
  });

  it('makes the classes of controls with the dependencies of its imports', async () => {
    const mount = mountOf({ guardrails: { controls: { screeners: [VocabularyScreener] } } });
    const imports = [...(mount.imports ?? []), VocabularyModule];
    const verdict = await within({ mounts: [{ ...mount, imports }] }, (host) =>
      host.guardrails.screen('is voldemort there?'),
    );
    expect(verdict).toMatchObject({ blocked: true, ruleId: 'vocabulary' });
  });

  it('§6.3 asks the host who acts', async () => {
    await within({ api: { actor: badgeOf } }, async (host) => {
      const change = (badge: string, value: boolean) =>
        host.put(
          '/settings',
          { actor: 'ops-9', settings: { 'hitl.enabled': value } },
          { headers: { 'x-badge': badge } },
        );
      expect((await change('7', true)).status).toBe(200);
      expect((await change('none', false)).body.data.error.code).toBe('actor_required');
      const { data } = (await host.get('/settings/changes')).body;
      expect(data).toMatchObject({ changes: [{ actor_id: 'badge 7', key: 'hitl.enabled' }] });
    });
  });

  it('forgets by its schedule what is old, in a name of its own, and tells the host', async () => {
    const stores = memoryStores();
    const id = await stores.audit.append(decision({ occurredAt: new Date('2020-01-01T00:00:00.000Z') }));
    const settings = { 'retention.schedule': 'daily', 'retention.days': 30 };
    let told: (event: RetentionApplied) => void = () => undefined;
    const applied = new Promise<RetentionApplied>((resolve) => (told = resolve));
    const prepare = (application: NestExpressApplication): void => {
      application.get(EventEmitter2, { strict: false }).once(RetentionApplied.eventName, told);
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
    const told: string[] = [];
    stores.open = async () => void told.push('open');
    stores.close = async () => void told.push('close');
    await within({ guardrails: { stores } }, async (host) => {
      expect((await host.get('/overview')).status).toBe(200);
      expect(told).toEqual(['open']);
    });
    expect(told).toEqual(['open', 'close']);
  });

  it('ends while a request of the host waits for a decision that nobody takes', async () => {
    const told: string[] = [];
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
        return outcome?.catch(({ code }: GuardrailsError) => told.push(code));
      }
    }

    const setup = { guardrails: { settings: { 'hitl.enabled': true } }, host: { controllers: [Refunds] } };
    await within(setup, async ({ origin }) => {
      void fetch(`${origin}/refunds`).then((answer) => answer.text());
      await waiting;
    });
    expect(told).toEqual(['hitl_unavailable']);
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

  it('§1.4 refuses any adapter but Express, in words', async () => {
    const checking = bootCheck({
      api: { enabled: true, prefix: 'guardrails/api', reasons: [] },
      middleware: [() => undefined],
      hasNotifier: false,
      configuration: { values: { ...DEFAULT_SETTINGS, 'hitl.token_secret': TOKEN_SECRET }, reasons: [] },
      adapterType: 'fastify',
      otherPrefixes: [],
      modules: {} as ModuleRef,
    });
    await expect(checking).rejects.toThrow(/the HTTP adapter is fastify[^]*@nestjs\/platform-express/);
  });
});
