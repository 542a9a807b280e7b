import { request as send } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { DeliveredEvent } from '#contracts/events/event-sink.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { outgoingEvent } from '#stores/contract/builders.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { Assistant } from '../../apps/demo/src/chat/assistant.js';
import { ScriptedModel } from '../../apps/demo/src/chat/scripted-model.js';
import { PAST_CHANGES, randomQuestion, SeededRandom } from '../../apps/demo/src/seed/history-data.js';
import { OrderBook } from '../../apps/demo/src/shop/order-book.js';
import { POLICIES, SupportTools } from '../../apps/demo/src/shop/support-tools.js';
import { demoSettings } from '../../apps/demo/src/storage/demo-data.js';
import { TestHost } from '../http/support/host.js';
import { QuietSink } from '../http/support/quiet.sink.js';
import { SetClock } from '../http/support/set-clock.js';
import { bareDatabase } from '../postgres/database.js';

/** The present of every run. */
export const NOW = '2026-05-30T12:00:00.000Z';
const DAYS = 30;
const QUESTIONS = 150;
const DAY_MS = 86_400_000;
const SECRET = 'a secret of the golden answers, not used elsewhere';

/** The shop of the demo behind guardrails, with thirty days of history that every run writes alike. */
export class Scene {
  private parked = 0;

  private constructor(
    readonly host: TestHost,
    private readonly stores: StoreBackend,
    private readonly clock: SetClock,
    private readonly setDatabaseClock: (time: Date) => Promise<void>,
    private readonly release: () => Promise<void>,
    /** The events that the sink received. */
    readonly events: readonly DeliveredEvent[],
    readonly tools: readonly Tool<string>[],
    private readonly customers: OrderBook['customers'],
  ) {}

  static async open(kind: 'memory' | 'postgres'): Promise<Scene> {
    const clock = new SetClock();
    const { backend, setDatabaseClock, release } = await openStores(kind, clock);
    const book = new OrderBook();
    const tools = new SupportTools(book).all;
    const siem = new QuietSink('siem');
    const start = new Date(Date.parse(NOW) - DAYS * DAY_MS);
    clock.set(start);
    await setDatabaseClock(start);
    const host = await TestHost.start({
      guardrails: {
        stores: backend,
        clock,
        tools,
        sinks: [siem],
        settings: {
          ...demoSettings({ tokenSecret: SECRET, hashKey: SECRET }),
          // Without the policy of mails, which is about texts that this history does not have.
          'hitl.policies': { refund: POLICIES['refund'] },
          'events.stream': 'all',
          // Longer than the history, because a timer prunes old events.
          'events.retention': 60,
        },
      },
    });
    const scene = new Scene(
      host,
      backend,
      clock,
      setDatabaseClock,
      release,
      siem.delivered,
      tools,
      book.customers,
    );
    await scene.writeHistory(start);
    return scene;
  }

  async close(): Promise<void> {
    await this.host.stop();
    await this.release();
  }

  /** Waits until the sink has every event, because a moved clock would end its leases. */
  async delivered(): Promise<void> {
    const isWaiting = async (): Promise<boolean> =>
      (await this.stores.outbox.backlog()).some(({ sink, waiting }) => sink === 'siem' && waiting > 0);
    while (await isWaiting()) await setImmediate();
  }

  /** Gives every record a leaf, as a timer does. */
  async extendLog(): Promise<void> {
    while (await this.stores.log.extend(10_000)) await setImmediate();
  }

  async advance(milliseconds: number): Promise<void> {
    await this.moveTo(new Date(this.clock.now().getTime() + milliseconds));
  }

  private async moveTo(time: Date): Promise<void> {
    await this.delivered();
    this.clock.set(time);
    await this.setDatabaseClock(time);
  }

  /** Leaves a refund of customer-42 that waits for approval. */
  async park(order = 'A-1182', euros = 129): Promise<void> {
    const refund = this.tools.find(({ name }) => name === 'refund');
    if (refund === undefined) throw new Error('The demo has no refund tool.');
    this.parked += 1;
    const caller = { principalId: 'customer-42', application: 'shop-chat', runId: `parked-${this.parked}` };
    await this.host.guardrails
      .guardTool(refund, caller)
      .execute({ order_id: order, euros, customer_id: 'customer-7' });
  }

  private async writeHistory(start: Date): Promise<void> {
    const random = new SeededRandom(42);
    const assistant = new Assistant(this.host.guardrails, new ScriptedModel(this.customers), this.tools);
    const changes = [...PAST_CHANGES];
    for (let number = 0; number < QUESTIONS; number++) {
      const time = new Date(start.getTime() + ((number + 0.5) * DAYS * DAY_MS) / QUESTIONS);
      await this.moveTo(time);
      const { customerId, text } = randomQuestion(random);
      const application = number % 10 === 9 ? 'shop-mail' : 'shop-chat';
      const turn = await assistant.ask(text, {
        principalId: customerId,
        application,
        runId: `run-${number}`,
      });
      if (turn.tools.some(({ waiting }) => waiting !== null)) await this.decide(random);
      while (changes[0] && Date.parse(NOW) - changes[0].daysAgo * DAY_MS <= time.getTime()) {
        const { settings } = changes.shift()!;
        await this.host.put('/settings', { settings });
      }
    }
    await this.moveTo(new Date(NOW));
    await this.park();
    await this.bury();
  }

  /** Decides what waits, by two operators where a policy needs them. None is left to expire, which a timer records. */
  private async decide(random: SeededRandom): Promise<void> {
    const verb = random.next() < 0.7 ? 'approve' : 'reject';
    for (const as of ['operator', 'second-operator']) {
      const { pending } = (await this.host.get('/approvals')).body.data as unknown as Waiting;
      for (const { token } of pending)
        await this.host.post(`/approvals/${token}/${verb}`, { reason: 'Checked the order.' }, { as });
    }
  }

  /** The frames of the live stream after one sequence number, up to another. */
  frames(after: number, last: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer reader', 'last-event-id': String(after) };
      const request = send(`${this.host.origin}/guardrails/events`, { headers }, (response) => {
        let text =
          JSON.stringify({ status: response.statusCode, type: response.headers['content-type'] }) + '\n';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (!new RegExp(`^id: ${last}\\n[^]*\\n\\n$`, 'm').test(text)) return;
          request.destroy();
          resolve(text);
        });
      });
      request.on('error', reject);
      request.end();
    });
  }

  /** Dead letters of a sink that no instance has any more, as after a receiver was removed. */
  private async bury(): Promise<void> {
    const subjects = ['principal:customer-7', 'principal:customer-11', 'principal:customer-42'];
    const occurredAt = this.clock.now();
    await this.stores.outbox.add(
      subjects.map((subject) => outgoingEvent({ subject, occurredAt, sinks: ['retired'] })),
    );
    await this.stores.outbox.markOldDead('retired', -1, 10, 'The receiver answered 503.');
  }
}

interface Waiting {
  readonly pending: readonly { readonly token: string }[];
}

interface OpenedStores {
  readonly backend: StoreBackend;
  readonly setDatabaseClock: (time: Date) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** PostgreSQL has its own clock, so a function of the same name, which it finds first, stands for it. */
const SET_CLOCK = `
  create table golden_clock as select pg_catalog.clock_timestamp() as now;
  create function clock_timestamp() returns timestamptz language sql stable as 'select now from golden_clock';
  do $$ begin
    execute format('alter database %I set search_path to public, pg_catalog', current_database());
  end $$`;

async function openStores(kind: 'memory' | 'postgres', clock: SetClock): Promise<OpenedStores> {
  if (kind === 'memory') {
    const nothing = async (): Promise<void> => undefined;
    return { backend: memoryStores({ clock }), setDatabaseClock: nothing, release: nothing };
  }
  // Migrated here, because defaults of columns keep the function that they were created with.
  const database = await bareDatabase();
  await database.run(SET_CLOCK);
  return {
    backend: typeormStores({ url: database.url, migrate: true }),
    setDatabaseClock: (time) => database.run(`update golden_clock set now = '${time.toISOString()}'`),
    release: () => database.drop(),
  };
}
