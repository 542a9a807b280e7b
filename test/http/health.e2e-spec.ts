import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { memoryStores } from '#stores/memory/memory-stores.js';
import type { Assembly } from '#src/options/assembly.js';
import { GuardrailsHealthIndicator } from '#src/health/guardrails-health.indicator.js';
import { TestHost } from './support/host.js';

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly guardrails: GuardrailsHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([() => this.guardrails.isHealthy('guardrails')]);
  }
}

it('queries the store once for probes that arrive while it does not answer', async () => {
  let answer = (): void => undefined;
  const refresh = jest.fn(() => new Promise<void>((resolve) => (answer = resolve)));
  const assembly = { engine: { refresh, recording: { queued: 0, lost: 0 } } };
  const indicator = new GuardrailsHealthIndicator(assembly as unknown as Assembly);
  const probes = [indicator.isHealthy('guardrails'), indicator.isHealthy('guardrails')];
  expect(refresh).toHaveBeenCalledTimes(1);
  answer();
  expect(await Promise.all(probes)).toMatchObject([
    { guardrails: { status: 'up' } },
    { guardrails: { status: 'up' } },
  ]);
  const later = indicator.isHealthy('guardrails');
  expect(refresh).toHaveBeenCalledTimes(2);
  answer();
  expect(await later).toMatchObject({ guardrails: { status: 'up' } });
});

describe('GuardrailsHealthIndicator in a route of terminus', () => {
  let host: TestHost;

  afterEach(() => host.stop());

  it('is up while the store answers, and down while it does not', async () => {
    const stores = memoryStores();
    host = await TestHost.start({
      guardrails: { stores },
      host: { imports: [TerminusModule], controllers: [HealthController] },
    });
    const ask = async () => {
      const { status, text } = await host.raw('GET', '/health');
      return { status, body: JSON.parse(text) as unknown };
    };
    const figures = { queued: 0, lost: 0 };
    expect(await ask()).toMatchObject({
      status: 200,
      body: { status: 'ok', info: { guardrails: { status: 'up', store: 'reachable', ...figures } } },
    });

    const outage = jest
      .spyOn(stores.settings, 'revision')
      .mockRejectedValue(new Error('no answer from db.internal'));
    const down = await ask();
    expect(down).toMatchObject({
      status: 503,
      body: { status: 'error', error: { guardrails: { status: 'down', store: 'unreachable', ...figures } } },
    });
    expect(JSON.stringify(down.body)).not.toContain('db.internal');

    outage.mockRestore();
    expect((await ask()).status).toBe(200);
  });
});
