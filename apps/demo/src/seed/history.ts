import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#contracts/common/clock.js';
import { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { createEngine, type Engine } from '#engine/index.js';
import { Assistant } from '../chat/assistant.js';
import { ScriptedModel } from '../chat/scripted-model.js';
import { printLine } from '../storage/environment.js';
import { OrderBook } from '../shop/order-book.js';
import { SupportTools } from '../shop/support-tools.js';
import { DemoData, demoSettings } from '../storage/demo-data.js';
import {
  OPERATORS,
  PAST_CHANGES,
  PENDING_QUESTIONS,
  randomQuestion,
  SeededRandom,
  type Question,
} from './history-data.js';

/** The application name of every seeded decision. */
export const SEED_APPLICATION = 'demo-seed';

export const HISTORY_DAYS = 30;
const SHIFTS_PER_DAY = 12;
const SHIFT_MS = 86_400_000 / SHIFTS_PER_DAY;

/** Fills an empty database with history before the application listens. */
@Injectable()
export class HistorySeeder implements OnApplicationBootstrap {
  constructor(private readonly data: DemoData) {}

  async onApplicationBootstrap(): Promise<void> {
    const { stores, seedMarker, credentials } = this.data;
    const { entries } = await stores.audit.list({}, { limit: 1 });
    const [latest] = entries;
    // The history must not mix with real data, so only an empty database or an interrupted seeding is filled.
    const isInterruptedSeed = latest?.application === SEED_APPLICATION && seedMarker.isSet;
    if (latest !== undefined && !isInterruptedSeed) return;
    seedMarker.set();
    printLine(
      `Writing ${HISTORY_DAYS} days of demo history with the application name "${SEED_APPLICATION}".`,
    );
    let printed = 0;
    await new History(stores, demoSettings(credentials), new Date()).write(
      latest === undefined ? null : new Date(latest.occurred_at),
      (share) => {
        if (share < printed + 0.25) return;
        printed = share;
        printLine(`  ${Math.round(share * 100)} %`);
      },
    );
    seedMarker.clear();
  }
}

/**
 * Generates `HISTORY_DAYS` days of history: the assistant runs against a real engine over the same stores, with a clock
 * in the past. So every control has records as production writes them.
 */
export class History {
  private readonly random = new SeededRandom(42);
  private readonly clock = new SeedClock(this.random);
  private readonly engine: Engine;
  private readonly assistant: Assistant;

  constructor(
    stores: StoreBackend,
    settings: Partial<SettingValues>,
    private readonly today: Date,
  ) {
    // The history has its own order book, so that past refunds do not change the orders of the chat.
    const book = new OrderBook();
    const tools = new SupportTools(book).all;
    // With `buffered`, the store commits many decisions at once.
    const configured: SettingValues = { ...DEFAULT_SETTINGS, ...settings, 'audit.write_policy': 'buffered' };
    this.engine = createEngine({ stores, configured, clock: this.clock, tools });
    this.assistant = new Assistant(this.engine.guardrails, new ScriptedModel(book.customers), tools);
  }

  /** Continues after `since`, the time of the latest seeded record. */
  async write(since: Date | null, onProgress: (share: number) => void): Promise<void> {
    await this.engine.start();
    const shifts = HISTORY_DAYS * SHIFTS_PER_DAY;
    for (let shift = 0; shift < shifts; shift++) {
      const start = new Date(this.today.getTime() - (shifts - shift) * SHIFT_MS);
      const questions = Array.from({ length: 1 + this.random.below(3) }, () => randomQuestion(this.random));
      if (since !== null && start <= since) continue;
      this.clock.moveTo(start);
      if (shift % SHIFTS_PER_DAY === 0) await this.changeSettings(HISTORY_DAYS - shift / SHIFTS_PER_DAY);
      const approvals = await Promise.all(questions.map((question) => this.ask(question)));
      for (const approvalId of approvals.flat()) await this.decide(approvalId);
      onProgress((shift + 1) / shifts);
    }
    for (const question of PENDING_QUESTIONS) await this.ask(question);
    await this.engine.stop();
  }

  /** Resolves with the approvals that the question created. */
  private async ask({ customerId, text }: Question): Promise<readonly number[]> {
    const turn = await this.assistant.ask(text, {
      principalId: customerId,
      application: SEED_APPLICATION,
      runId: randomUUID(),
    });
    return turn.tools.flatMap(({ waiting }) => (waiting === null ? [] : [waiting.approvalId]));
  }

  private async decide(approvalId: number) {
    const verdict = this.random.next() < 0.7 ? 'approved' : 'rejected';
    const reason = verdict === 'approved' ? 'Checked the order.' : 'The customer should write to us first.';
    const actor = this.random.pick(OPERATORS);
    const { status } = await this.engine.approvals.decide(approvalId, { verdict, actor, reason });
    if (status !== 'pending') return;
    const other = OPERATORS.find((operator) => operator !== actor) ?? '';
    await this.engine.approvals.decide(approvalId, { verdict, actor: other, reason });
  }

  private async changeSettings(daysAgo: number) {
    for (const change of PAST_CHANGES.filter((past) => past.daysAgo === daysAgo)) {
      await this.engine.settings.update(change.settings, {
        actorId: change.actorId,
        requestId: null,
        ifMatch: null,
      });
    }
  }
}

/** A clock that is set by hand and advances by 0.5 to 40.5 seconds with every reading. */
class SeedClock extends Clock {
  private time = 0;

  constructor(private readonly random: SeededRandom) {
    super();
  }

  moveTo(time: Date): void {
    this.time = time.getTime();
  }

  override now(): Date {
    this.time += 500 + this.random.below(40_000);
    return new Date(this.time);
  }
}
