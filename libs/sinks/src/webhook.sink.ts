import type { DeliveredEvent } from '../../contracts/src/event-sink.js';
import { cloudEvent, SOURCE } from './cloud-event.js';
import { FilteredSink, type SinkOptions } from './filtered-sink.js';
import { HttpEndpoint, type HttpEndpointOptions } from './net/http-endpoint.js';
import { WebhookSignature } from './webhook-signature.js';

export interface WebhookOptions extends SinkOptions, HttpEndpointOptions {
  /** The newest first; each signs. `whsec_…` or `whsk_…`. */
  readonly keys: readonly string[];
  /** The `source` of each CloudEvent. Default `/nest-guardrails`. */
  readonly source?: string;
}

/** Standard Webhooks 1.0, with a CloudEvent as the body. */
export class WebhookSink extends FilteredSink {
  readonly #endpoint: HttpEndpoint;
  readonly #signature: WebhookSignature;
  readonly #source: string;

  constructor(options: WebhookOptions) {
    super(options, { name: 'webhook', minimumSeverity: 'low', concurrency: 4 });
    this.#endpoint = new HttpEndpoint(this.name, options, this.concurrency);
    this.#signature = new WebhookSignature(this.name, options.keys);
    this.#source = options.source ?? SOURCE;
  }

  override deliver(event: DeliveredEvent): Promise<void> {
    const body = JSON.stringify(cloudEvent(event, this.#source));
    const signed = this.#signature.headers(event.id, body, new Date());
    const headers = { 'content-type': 'application/cloudevents+json', ...signed };
    return this.#endpoint.post(body, headers, this.timeoutMs);
  }

  override async close(): Promise<void> {
    this.#endpoint.close();
  }
}
