import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { memoryStores } from '#stores/memory/memory-stores.js';
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
