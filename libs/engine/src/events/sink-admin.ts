import { randomUUID } from 'node:crypto';
import type { EventReplayData, EventSinksData, EventTestData } from '#contracts/events/events.api.js';
import type { Clock } from '#contracts/common/clock.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { EventsReplayed, type ReplayScope, SinkTested } from '#contracts/events/operation-events.js';
import type { DeadLetter, DeadLetterRequest, OutboxStore, StoredEvent } from '#contracts/events/outbox.js';
import type { Page } from '#contracts/common/page.js';
import type { OperationAuthor, OperationLog } from '../shared/operation-log.js';
import type { EventDelivery } from './event-delivery.js';
import type { EventRelay } from './event-relay.js';
import type { SinkQueue } from './sink-queue.js';
import { replayPayload, subjectOf } from './sink-router.js';

const READ_AT_ONCE = 500;
/** Limit per request. */
const READ_AT_MOST = 10_000;

/**
 * All dead letters of a sink, the dead letter with the number `sequence`, or a range of sequence numbers, inclusive at
 * both ends.
 */
export interface ReplayRequest {
  readonly sink: string;
  readonly deadLetters: boolean;
  readonly sequence?: number | undefined;
  readonly from: number;
  readonly to: number;
}

type Replayed = Omit<EventReplayData, 'sink'>;

interface SinkAdminOptions {
  readonly outbox: OutboxStore;
  readonly relay: EventRelay;
  readonly eventDelivery: EventDelivery;
  readonly operations: OperationLog;
  readonly clock: Clock;
}

/** Status, test and replay of sinks, for operators. */
export class SinkAdmin {
  private readonly since: Date;

  constructor(private readonly options: SinkAdminOptions) {
    this.since = options.clock.now();
  }

  /** Backlogs cover all instances; delivery counts cover this one. */
  async states(): Promise<EventSinksData['sinks']> {
    const backlog = new Map((await this.options.outbox.backlog()).map((left) => [left.sink, left]));
    const queueNames = this.options.relay.queues.map(({ sink }) => sink.name);
    const others = [...backlog.keys()].filter((name) => !queueNames.includes(name));
    return [...queueNames, ...others].map((name) => {
      const {
        waiting = 0,
        retrying = 0,
        dead = 0,
        waitingSince = null,
        error = null,
      } = backlog.get(name) ?? {};
      const queue = this.options.relay.queues.find(({ sink }) => sink.name === name);
      const { last_error: lastError, ...counts } = deliveriesOf(queue);
      return {
        name,
        waiting,
        retrying,
        dead,
        waiting_since: waitingSince?.toISOString() ?? null,
        lag_seconds: waitingSince === null ? 0 : secondsBetween(waitingSince, this.options.clock.now()),
        ...counts,
        // Without an error of this instance, that of the oldest waiting event on any instance.
        last_error: lastError ?? error,
        counted_since: this.since.toISOString(),
      };
    });
  }

  /** Delivers a test event directly, without the outbox. A success resumes a paused sink. */
  async test(name: string, actorId: string): Promise<EventTestData> {
    const queue = this.queueOf(name);
    const event = new SinkTested(randomUUID(), name, actorId, this.options.clock.now());
    const began = performance.now();
    const sent: StoredEvent = {
      id: event.id,
      name: SinkTested.eventName,
      subject: subjectOf(event),
      severity: SinkTested.severity,
      occurredAt: event.occurredAt,
      position: 0,
      auditId: null,
      payload: { sink: name, actor_id: actorId },
    };
    const error = await this.options.eventDelivery.deliver(queue.sink, sent, 0).then(
      () => null,
      (failure: unknown) => queue.log.failureOf(failure).reason,
    );
    if (error === null) {
      await queue.receiverRecovered();
    }
    const duration = Math.round(performance.now() - began);
    return { sink: name, event_id: event.id, delivered: error === null, error, duration_ms: duration };
  }

  /** Includes sinks that this instance does not have, as long as they have dead letters. */
  async deadLetters(sink: string, request: DeadLetterRequest): Promise<Page<DeadLetter>> {
    const page = await this.options.outbox.deadLetters(sink, request);
    if (page.entries.length === 0) this.queueOf(sink);
    return page;
  }

  async replay(request: ReplayRequest, author: OperationAuthor): Promise<EventReplayData> {
    const queue = this.queueOf(request.sink);
    if (request.sequence !== undefined) await this.assertDead(request.sink, request.sequence);
    await this.recordReplay(scopeOf(request), author);
    const replayed = request.deadLetters
      ? await this.replayDead(request)
      : await this.replayRange(queue, request);
    queue.wake();
    return { sink: request.sink, ...replayed };
  }

  private async assertDead(sink: string, sequence: number) {
    const { entries } = await this.options.outbox.deadLetters(sink, { sequence, limit: 1 });
    if (entries.length === 0) throw notDead();
  }

  private async replayDead({ sink, sequence }: ReplayRequest): Promise<Replayed> {
    const queued = await this.options.outbox.retryDead(sink, READ_AT_MOST, sequence);
    if (sequence !== undefined && queued === 0) throw notDead();
    return { queued, next_from: null };
  }

  private recordReplay(scope: ReplayScope, author: OperationAuthor) {
    const { actorId, requestId } = author;
    const event = new EventsReplayed(randomUUID(), scope, actorId, requestId, this.options.clock.now());
    const { actor_id: _actor, request_id: _request, ...after } = replayPayload(event);
    return this.options.operations.record(REPLAY_KEY, after, event, author);
  }

  /** Skips events that the sink does not select. */
  private async replayRange({ sink }: SinkQueue, { from, to }: ReplayRequest): Promise<Replayed> {
    let queued = 0;
    let last = from - 1;
    for (let read = 0; read < READ_AT_MOST; read += READ_AT_ONCE) {
      const events = await this.options.outbox.after(last, READ_AT_ONCE);
      const wanted = events.filter(
        ({ sequence, name, severity }) => sequence <= to && sink.selects(name, severity),
      );
      const positions = wanted.map(({ position }) => position);
      if (positions.length > 0) queued += await this.options.outbox.requeue(sink.name, positions);
      last = events.at(-1)?.sequence ?? to;
      if (events.length < READ_AT_ONCE || last >= to) return { queued, next_from: null };
    }
    return { queued, next_from: last + 1 };
  }

  private queueOf(name: string) {
    const queue = this.options.relay.queues.find(({ sink }) => sink.name === name);
    if (queue === undefined)
      throw new GuardrailsError('not_found', 'Unknown sink. Use a name from GET /events/sinks.');
    return queue;
  }
}

function scopeOf({ sink, deadLetters, sequence, from, to }: ReplayRequest): ReplayScope {
  if (!deadLetters) return { sink, deadLetters, from, to: knownEnd(to) };
  return { sink, deadLetters, from: sequence ?? null, to: sequence ?? null };
}

function notDead() {
  return new GuardrailsError(
    'not_found',
    'The sink has no dead letter with this number. It was replayed or deleted, or never failed. GET /events/sinks/{name}/dead lists them.',
  );
}

/** `null` for an open end. */
function knownEnd(to: number) {
  return to === Number.MAX_SAFE_INTEGER ? null : to;
}

function secondsBetween(start: Date, end: Date) {
  return Math.max(0, Math.round((end.getTime() - start.getTime()) / 1000));
}

function deliveriesOf(queue: SinkQueue | undefined) {
  if (queue === undefined) {
    const never = { last_success_at: null, last_failure_at: null, last_error: null };
    // Deliveries are left for a sink that this instance does not have.
    return { state: 'unknown', delivered: 0, failed: 0, ...never } as const;
  }
  const {
    delivered,
    failed,
    lastSuccessAt,
    lastFailureAt,
    lastError,
    pausedSince: restsSince,
  } = queue.delivery.counters;
  const state = restsSince === null ? queue.delivery.breaker.state : 'resting';
  return {
    state,
    delivered,
    failed,
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    last_failure_at: lastFailureAt?.toISOString() ?? null,
    last_error: lastError,
  } as const;
}

/** The key of replays in the change records. */
const REPLAY_KEY = 'events.replay';
