import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Tool } from '#contracts/firewall/firewall.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { guardrailsRoute } from '#src/http/api-request.js';
import { parkedRequiring } from '../../support/approvals.js';
import { BearerGuard } from '../support/bearer.guard.js';
import { expectError } from '../support/envelope.js';
import { TestHost, TOKEN_SECRET } from '../support/host.js';
import { WatchedStores } from '../support/watched-stores.js';

const refund: Tool = { name: 'refund', parameters: {}, execute: () => 'refunded' };
const seen: unknown[] = [];

/** Lets operators decide only calls of their own application. */
@Injectable()
class ShopOnly implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = guardrailsRoute(context);
    if (route?.writes !== true) return true;
    const approval = await route.approval();
    seen.push(approval);
    return approval?.application !== 'payroll';
  }
}

describe('contract 1.5: approval() of the requested route', () => {
  const stores = new WatchedStores(memoryStores());
  let host: TestHost;
  let runs = 0;

  beforeAll(async () => {
    host = await TestHost.start({
      api: { middleware: [BearerGuard, ShopOnly] },
      guardrails: { stores, tools: [refund], settings: { 'hitl.enabled': true } },
    });
  });

  beforeEach(() => void (seen.length = 0));

  afterAll(() => host.stop());

  async function park(application: string, group: string | null = null) {
    const context = { principalId: 'customer-42', runId: `gate-${++runs}`, application };
    const outcome = await host.guardrails.guardTool(refund, context).execute({});
    if (outcome.status !== 'parked') throw new Error('the call was not parked');
    return parkedRequiring(stores, outcome.parked, { group }, { secret: TOKEN_SECRET });
  }

  it('gives a guard tool, application and group, by token and by id', async () => {
    const { id, token } = await park('payroll', 'finance');
    const expected = { approvalId: id, tool: 'refund', application: 'payroll', group: 'finance' };
    for (const path of [`${token}/approve`, `${token}/reject`, `${id}/resolve`]) {
      const answer = await host.post(`/approvals/${path}`, {});
      expect([answer.status, answer.body.data.error.code]).toEqual([403, 'forbidden']);
    }
    expect(seen).toEqual([expected, expected, expected]);
    expect((await stores.approvals.find(id))?.status).toBe('pending');
  });

  it('is null for an unknown or malformed token or id, and on other routes', async () => {
    for (const path of [
      '/approvals/none/approve',
      `/approvals/${'A'.repeat(43)}/reject`,
      '/approvals/%E0%A4%A/approve',
      '/approvals/999999/resolve',
      '/approvals/1e3/resolve',
      '/events/replay',
    ])
      await host.post(path, {});
    expect(seen).toEqual([null, null, null, null, null, null]);
  });

  it('contract 1.3: reads nothing if an earlier entry refuses', async () => {
    const { token } = await park('shop');
    const calls = await stores.callsDuring(() =>
      host.post(`/approvals/${token}/approve`, {}, { as: 'reader' }),
    );
    expect(calls).toEqual([]);
    expect(seen).toEqual([]);
  });

  it('contract 2.3: refuses the request while the store is unavailable', async () => {
    const { id, token } = await park('payroll');
    const failure = GuardrailsError.storeUnavailable(new Error('no connection'));
    const answer = await stores.failingWith(failure, () => host.post(`/approvals/${token}/approve`, {}));
    expectError(answer, 503, 'approval-decision', 'store_unavailable');
    expect((await stores.approvals.find(id))?.status).toBe('pending');
  });
});
