import { createHash } from 'node:crypto';
import type { DeliveredEvent } from '#contracts/events/event-sink.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import { eventData, factText, SOURCE, sentenceOf, shortened } from './event-format.js';
import type { SinkOptions } from './filtered-sink.js';
import { HttpSink, type HttpEndpointOptions } from './http.sink.js';

/** The options of `PagerdutySink`. */
export interface PagerdutyOptions extends SinkOptions, Omit<HttpEndpointOptions, 'url'> {
  /** The integration key of an Events API v2 integration: 32 characters. */
  readonly routingKey: string;
  /** Default: the service region `us`. */
  readonly region?: 'us' | 'eu';
  /** Replaces the URL of the region. */
  readonly url?: string;
  /** The source of the incident. Default `/nest-guardrails`. */
  readonly source?: string;
}

const URLS = {
  us: 'https://events.pagerduty.com/v2/enqueue',
  eu: 'https://events.eu.pagerduty.com/v2/enqueue',
} as const;

const MAX_SUMMARY_LENGTH = 1024;
const MAX_KEY_LENGTH = 255;
/** Keeps the whole body below the limit of 512 KiB. */
const MAX_DETAIL_LENGTH = 8 * 1024;

const SEVERITIES = { low: 'info', medium: 'warning', high: 'error', critical: 'critical' } as const;

/** PagerDuty Events v2. Events of one group belong to one incident while it is open. */
export class PagerdutySink extends HttpSink {
  readonly #routingKey: string;
  readonly #source: string;

  constructor(options: PagerdutyOptions) {
    const url = options.url ?? URLS[options.region ?? 'us'];
    super({ ...options, url }, { name: 'pagerduty', minimumSeverity: 'high', concurrency: 2 });
    if (!/^[A-Za-z0-9]{32}$/.test(options.routingKey))
      throw new ConfigurationError([`the sink ${this.name} needs a routingKey of 32 letters and digits`]);
    this.#routingKey = options.routingKey;
    this.#source = options.source ?? SOURCE;
  }

  override deliver(event: DeliveredEvent) {
    const body = JSON.stringify({ routing_key: this.#routingKey, ...pagerdutyEvent(event, this.#source) });
    return this.post(body, { 'content-type': 'application/json' });
  }
}

export function pagerdutyEvent(event: DeliveredEvent, source: string) {
  const { name, payload, severity, occurredAt, link } = event;
  const details = Object.entries({ ...eventData(event), event_id: event.id, subject: event.subject });
  return {
    event_action: 'trigger',
    dedup_key: dedupKey(event),
    payload: {
      summary: shortened(summaryOf(event), MAX_SUMMARY_LENGTH),
      source,
      severity: SEVERITIES[severity],
      timestamp: occurredAt.toISOString(),
      component: factText(payload['control']) ?? 'guardrails',
      group: shortened(factText(payload['application']) ?? 'guardrails', MAX_KEY_LENGTH),
      class: name,
      custom_details: Object.fromEntries(details.map(([key, value]) => [key, shortDetail(value)])),
    },
    ...(link !== null && { links: [{ href: link, text: 'Open in the panel' }] }),
  };
}

/** Replaces a list or an object that is too long with the beginning of its JSON. */
function shortDetail(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value, MAX_DETAIL_LENGTH);
  const json = JSON.stringify(value) ?? '';
  return json.length <= MAX_DETAIL_LENGTH ? value : shortened(json, MAX_DETAIL_LENGTH);
}

/** Events with the same name, application and rule (or tool) belong to one incident. */
function dedupKey({ name, payload }: DeliveredEvent): string {
  const parts = [payload['application'], payload['rule_id'] ?? payload['tool']];
  const key = ['guardrails', name, ...parts.map((part) => factText(part) ?? '-')].join('/');
  if (key.length <= MAX_KEY_LENGTH) return key;
  return `guardrails/${name}/${createHash('sha256').update(key).digest('hex')}`;
}

function summaryOf(event: DeliveredEvent): string {
  const by = factText(event.payload['rule_id']) ?? factText(event.payload['tool']);
  return by === null ? sentenceOf(event) : `${sentenceOf(event)} (${by})`;
}
