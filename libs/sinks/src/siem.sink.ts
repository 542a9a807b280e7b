import type { DeliveredEvent } from '#contracts/events/event-sink.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { SinkOptions } from './filtered-sink.js';
import { HttpSink, type HttpEndpointOptions } from './http.sink.js';
import { ocsfDocument } from './ocsf.js';

/** Authentication at the collector. */
export type SiemAccess =
  /** Splunk HTTP Event Collector: `Authorization: Splunk …`, with each document in the `event` field. */
  | { readonly splunk: string }
  /** `Authorization: Bearer …`, with the plain document as the body. */
  | { readonly bearer: string }
  | { readonly header: string; readonly value: string };

/** The options of `SiemSink`. */
export interface SiemOptions extends SinkOptions, HttpEndpointOptions {
  readonly access: SiemAccess;
  /** `sourcetype` for the HTTP Event Collector. Default `ocsf:json`. */
  readonly sourcetype?: string;
}

/** Sends OCSF 1.8 documents to a collector over HTTP, one per request, so that each is accepted or refused separately. */
export class SiemSink extends HttpSink {
  override readonly keepsLog = true;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #wrap: (event: DeliveredEvent, document: object) => object;

  constructor(options: SiemOptions) {
    super(options, { name: 'siem', minimumSeverity: 'low', concurrency: 4 });
    this.#headers = { 'content-type': 'application/json', ...accessHeader(this.name, options.access) };
    const sourcetype = options.sourcetype ?? 'ocsf:json';
    this.#wrap =
      'splunk' in options.access
        ? (event, document) => collected(event, document, sourcetype)
        : (_, document) => document;
  }

  override deliver(event: DeliveredEvent) {
    const body = JSON.stringify(this.#wrap(event, ocsfDocument(event)));
    return this.post(body, this.#headers);
  }
}

function collected({ occurredAt }: DeliveredEvent, event: object, sourcetype: string): object {
  return { time: occurredAt.getTime() / 1000, source: 'nest-guardrails', sourcetype, event };
}

function accessHeader(sink: string, access: SiemAccess): Readonly<Record<string, string>> {
  const [name, value] =
    'splunk' in access
      ? ['authorization', `Splunk ${access.splunk}`]
      : 'bearer' in access
        ? ['authorization', `Bearer ${access.bearer}`]
        : [access.header, access.value];
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\x20-\x7E]+$/.test(value)) return { [name]: value };
  throw new ConfigurationError([
    `the sink ${sink} needs access: { splunk }, { bearer } or { header, value }, in ASCII`,
  ]);
}
