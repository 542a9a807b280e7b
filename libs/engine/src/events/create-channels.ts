import type { Clock } from '#contracts/common/clock.js';
import type { EventSink } from '#contracts/events/event-sink.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { Diagnostics, Redactor } from '../shared/ports.js';
import { EventDelivery } from './event-delivery.js';
import { EngineEventPublisher, EventRelay } from './event-relay.js';
import { EventStream } from './event-stream.js';
import { SinkRouter } from './sink-router.js';

/** Longer than the slowest delivery, and the delay before another instance takes over from a killed process. */
const LEASE_MS = 60_000;

interface ChannelOptions {
  readonly stores: Pick<StoreBackend, 'audit' | 'outbox'>;
  readonly configured: SettingValues;
  readonly sinks: readonly EventSink[];
  /** In-process listeners. */
  readonly publisher?: EventPublisher | undefined;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  readonly leaseMs?: number | undefined;
}

/** Where events go: the sinks, the live stream and the listeners in the process. */
export interface EventChannels {
  readonly router: SinkRouter;
  readonly eventDelivery: EventDelivery;
  readonly relay: EventRelay;
  readonly stream: EventStream;
  readonly publisher: EventPublisher;
}

export function createChannels(options: ChannelOptions): EventChannels {
  const { stores, configured, sinks, redactor, clock, diagnostics, leaseMs = LEASE_MS } = options;
  const { outbox } = stores;
  const router = new SinkRouter(sinks, configured['events.stream']);
  const eventDelivery = new EventDelivery(stores.audit, configured['events.panel_url']);
  const relay = new EventRelay({
    outbox,
    sinks,
    eventDelivery,
    clock,
    diagnostics,
    retention: configured['events.retention'],
    leaseMs,
    random: Math.random,
    withoutSecrets: (text) => redactor.redactSecrets(text),
  });
  const stream = new EventStream(outbox);
  const publisher = new EngineEventPublisher(options.publisher, diagnostics, (event) => {
    if (router.isSelectedBySink(event)) relay.wake();
    if (router.isKept(event)) stream.wake();
  });
  return { router, eventDelivery, relay, stream, publisher };
}
