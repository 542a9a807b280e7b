import { randomUUID } from 'node:crypto';
import {
  DEFAULT_SETTINGS,
  type SettingValues,
  type StoreBackend,
} from '../../../../libs/contracts/src/index.js';
import { createEngine, type Engine } from '../../../../libs/engine/src/index.js';
import { Assistant } from '../assistant/assistant.js';
import { OrderBook } from '../assistant/order-book.js';
import { ScriptedModel } from '../assistant/scripted-model.js';
import { SupportTools } from '../assistant/tools/support-tools.js';
import { OPERATORS, PAST_CHANGES } from './operators.js';
import { someQuestion, WAITING, type Question } from './questions.js';
import { Random } from './random.js';
import { SeedClock } from './seed-clock.js';

/** Marks every decision of the history as demo data. */
export const SEED_APPLICATION = 'demo-seed';

export const HISTORY_DAYS = 30;
const SHIFTS_A_DAY = 12;
const DAY_MS = 86_400_000;

/**
 * Thirty days of the shop, lived through in seconds: the same assistant, guarded by a real engine over the same stores,
 * whose clock is set to the past. Every channel is filled by the verbs that fill it in production.
 */
export class History {
  private readonly random = new Random(42);
  private readonly clock = new SeedClock(this.random);
  private readonly engine: Engine;
  private readonly assistant: Assistant;

  constructor(
    private readonly stores: StoreBackend,
    settings: Partial<SettingValues>,
    private readonly today: Date,
  ) {
    // A shop of its own: what was paid back in the past changes nothing in today's.
    const book = new OrderBook();
    const tools = new SupportTools(book).all;
    const configured: SettingValues = { ...DEFAULT_SETTINGS, ...settings, 'audit.write_policy': 'strict' };
    this.engine = createEngine({ stores, configured, clock: this.clock, tools });
    this.assistant = new Assistant(this.engine.guardrails, new ScriptedModel(book.customers), tools);
  }

  /** Goes on after `since`, where that much is written already. */
  async write(since: Date | null, progress: (share: number) => void): Promise<void> {
    await this.engine.start();
    const shifts = HISTORY_DAYS * SHIFTS_A_DAY;
    for (let shift = 0; shift < shifts; shift++) {
      const daysAgo = HISTORY_DAYS - shift / SHIFTS_A_DAY;
      const start = new Date(this.today.getTime() - daysAgo * DAY_MS);
      const questions = Array.from({ length: 1 + this.random.below(3) }, () => someQuestion(this.random));
      if (since !== null && start <= since) continue;
      this.clock.moveTo(start);
      await this.changeSettings(daysAgo);
      const waiting = await Promise.all(questions.map((question) => this.ask(question)));
      for (const approvalId of waiting.flat()) await this.decide(approvalId);
      progress((shift + 1) / shifts);
    }
    for (const question of WAITING) await this.ask(question);
    await this.engine.stop();
  }

  /** Answers the approvals that it led to. */
  private async ask({ customerId, text }: Question): Promise<readonly number[]> {
    const turn = await this.assistant.ask(text, {
      principalId: customerId,
      application: SEED_APPLICATION,
      runId: randomUUID(),
    });
    return turn.tools.flatMap(({ waiting }) => (waiting === null ? [] : [waiting.approvalId]));
  }

  private async decide(approvalId: number): Promise<void> {
    const approval = await this.stores.approvals.find(approvalId);
    const token = approval === null ? null : this.engine.approvals.tokenOf(approval);
    if (token === null) return;
    const approves = this.random.next() < 0.7;
    await this.engine.approvals.decide(token, approves ? 'approved' : 'rejected', {
      actorId: this.random.pick(OPERATORS).id,
      reason: approves ? null : 'The customer should write to us first.',
    });
  }

  private async changeSettings(daysAgo: number): Promise<void> {
    for (const change of PAST_CHANGES.filter((past) => past.daysAgo === daysAgo)) {
      await this.engine.settings.update(change.settings, {
        actorId: change.actorId,
        requestId: null,
        ifMatch: null,
      });
    }
  }
}
