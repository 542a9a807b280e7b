import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { ApprovalVerdict } from '#contracts/approvals/approvals.js';
import { Clock } from '#contracts/common/clock.js';
import { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
import { createEngine, type Engine } from '#engine/index.js';
import { memoryStores } from '#stores/memory/index.js';
import { OrderBook } from '../shop/order-book.js';
import { SupportTools } from '../shop/support-tools.js';
import { demoSettings, type DemoData } from '../storage/demo-data.js';
import { Assistant } from './assistant.js';
import { DecisionRecorder } from './decision-recorder.js';
import { CHAT, FollowUps } from './follow-ups.js';
import { ScriptedModel } from './scripted-model.js';

class MovedClock extends Clock {
  private ahead = 0;

  override now(): Date {
    return new Date(Date.now() + this.ahead);
  }

  advance(milliseconds: number): void {
    this.ahead += milliseconds;
  }
}

const TTL_MS = 7 * 24 * 3_600_000;
const SECRET = 'a secret that is long enough for tokens';

describe('the chat after the decision about a refund', () => {
  let clock: MovedClock;
  let engine: Engine;
  let assistant: Assistant;
  let followUps: FollowUps;

  beforeEach(async () => {
    clock = new MovedClock();
    const stores = memoryStores({ clock });
    const book = new OrderBook();
    const tools = new SupportTools(book).all;
    const configured = {
      ...DEFAULT_SETTINGS,
      ...demoSettings({ tokenSecret: SECRET, hashKey: SECRET }),
    };
    engine = createEngine({ stores, configured, tools, clock });
    await engine.start();
    assistant = new Assistant(engine.guardrails, new ScriptedModel(book.customers), tools);
    const data = { stores } as DemoData;
    followUps = new FollowUps(data, engine.guardrails, assistant, new DecisionRecorder(new EventEmitter2()));
  });

  async function requestRefund(): Promise<{ readonly approvalId: number; readonly reference: string }> {
    const turn = await assistant.ask('Please refund order A-1182, 129 euros.', { ...CHAT, runId: 'run-1' });
    const waiting = turn.tools[0]?.waiting;
    if (waiting == null) throw new Error('No call was parked.');
    return waiting;
  }

  const decide = (reference: string, verdict: ApprovalVerdict, reason: string | null = null) =>
    engine.approvalService.decide(engine.approvalService.tokenOf({ reference }) ?? '', verdict, {
      actorId: 'ops-1',
      reason,
    });

  it('waits until the decision', async () => {
    const { approvalId } = await requestRefund();
    expect(await followUps.find(approvalId)).toMatchObject({ status: 'pending', turn: null });
    expect(await followUps.find(999)).toBeNull();
  });

  it('continues with the result after an approval', async () => {
    const { approvalId, reference } = await requestRefund();
    const [found] = await Promise.all([followUps.find(approvalId), decide(reference, 'approved')]);
    expect(found).toMatchObject({ status: 'executed', decidedBy: 'ops-1' });
    expect(found?.turn?.answer).toContain('Paid 129 euros back');
    expect(await followUps.find(approvalId)).toEqual(found);
  });

  it('shows the reason after a rejection', async () => {
    const { approvalId, reference } = await requestRefund();
    await decide(reference, 'rejected', 'it was delivered');
    expect(await followUps.find(approvalId)).toMatchObject({
      status: 'rejected',
      turn: { answer: 'A colleague declined this request: it was delivered' },
    });
  });

  it('reports an expired request', async () => {
    const { approvalId } = await requestRefund();
    clock.advance(TTL_MS);
    expect(await followUps.find(approvalId)).toMatchObject({
      status: 'expired',
      turn: { answer: 'The request expired before a decision, so nothing was done.' },
    });
  });
});
