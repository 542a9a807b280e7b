import { ConfigurationError } from '../../contracts/src/errors.js';
import { DeliveryError, type DeliveredEvent } from '../../contracts/src/event-sink.js';
import { cloudEvent, SOURCE } from './cloud-event.js';
import { FilteredSink, type SinkOptions } from './filtered-sink.js';

/** What it needs of a JetStream client: `jetstream(connection)` of `@nats-io/jetstream` has it. */
export interface JetStreamPublisher {
  publish(
    subject: string,
    payload: Uint8Array,
    options: { readonly msgID: string; readonly timeout: number },
  ): Promise<unknown>;
}

export interface NatsOptions extends SinkOptions {
  /** The host's own client, connected, and closed, by the host. */
  readonly jetstream: JetStreamPublisher;
  /** Stands before the name of each event: `audit.guardrails.injection.blocked`. Default: nothing. */
  readonly subjectPrefix?: string;
  /** The `source` of each CloudEvent. Default `/nest-guardrails`. */
  readonly source?: string;
}

/**
 * NATS JetStream, the way to many consumers: a CloudEvent on a subject named like the event. The event's id goes
 * along as `Nats-Msg-Id`, so that the stream drops what is sent twice within its window.
 */
export class NatsSink extends FilteredSink {
  readonly #jetstream: JetStreamPublisher;
  readonly #prefix: string;
  readonly #source: string;

  constructor(options: NatsOptions) {
    super(options, { name: 'nats', minimumSeverity: 'low', concurrency: 16 });
    const { subjectPrefix: prefix } = options;
    if (prefix !== undefined && !/^[^\s.*>]+(\.[^\s.*>]+)*$/.test(prefix))
      throw new ConfigurationError([
        `the sink ${this.name}: subjectPrefix must be words with dots in between, without spaces, * and >`,
      ]);
    this.#jetstream = options.jetstream;
    this.#prefix = options.subjectPrefix === undefined ? '' : `${options.subjectPrefix}.`;
    this.#source = options.source ?? SOURCE;
  }

  override async deliver(event: DeliveredEvent): Promise<void> {
    const payload = new TextEncoder().encode(JSON.stringify(cloudEvent(event, this.#source)));
    const options = { msgID: event.id, timeout: this.timeoutMs };
    try {
      await this.#jetstream.publish(`${this.#prefix}${event.name}`, payload, options);
    } catch {
      throw new DeliveryError(
        'JetStream did not take the message: is it connected, and has it a stream for it?',
      );
    }
  }
}
