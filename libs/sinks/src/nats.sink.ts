import { ConfigurationError } from '#contracts/common/errors.js';
import { DeliveryError, type DeliveredEvent } from '#contracts/events/event-sink.js';
import { cloudEvent, SOURCE } from './event-format.js';
import { FilteredSink, type SinkOptions } from './filtered-sink.js';

/** The part of a JetStream client that the sink uses, such as `jetstream(connection)` of `@nats-io/jetstream`. */
export interface JetStreamPublisher {
  publish(
    subject: string,
    payload: Uint8Array,
    options: { readonly msgID: string; readonly timeout: number },
  ): Promise<unknown>;
}

/** The options of `NatsSink`. */
export interface NatsOptions extends SinkOptions {
  /** A client that the host connects and closes. */
  readonly jetstream: JetStreamPublisher;
  /** Prefix of each subject: `audit` gives `audit.guardrails.injection.blocked`. Default: none. */
  readonly subjectPrefix?: string;
  /** The `source` of each CloudEvent. Default `/nest-guardrails`. */
  readonly source?: string;
}

/**
 * Publishes each event as a CloudEvent to NATS JetStream, on a subject with the name of the event. The event id is the
 * `Nats-Msg-Id`, so that the stream drops duplicates within its window.
 */
export class NatsSink extends FilteredSink {
  override readonly keepsLog = true;
  readonly #jetstream: JetStreamPublisher;
  readonly #prefix: string;
  readonly #source: string;

  constructor(options: NatsOptions) {
    super(options, { name: 'nats', minimumSeverity: 'low', concurrency: 16 });
    const { subjectPrefix: prefix } = options;
    if (prefix !== undefined && !/^[^\s.*>]+(\.[^\s.*>]+)*$/.test(prefix))
      throw new ConfigurationError([
        `the sink ${this.name}: subjectPrefix must be words separated by dots, without spaces, * or >`,
      ]);
    this.#jetstream = options.jetstream;
    this.#prefix = options.subjectPrefix === undefined ? '' : `${options.subjectPrefix}.`;
    this.#source = options.source ?? SOURCE;
  }

  override async deliver(event: DeliveredEvent) {
    const payload = new TextEncoder().encode(JSON.stringify(cloudEvent(event, this.#source)));
    const options = { msgID: event.id, timeout: this.timeoutMs };
    try {
      await this.#jetstream.publish(`${this.#prefix}${event.name}`, payload, options);
    } catch {
      throw new DeliveryError(
        'JetStream did not accept the message. Check the connection and that a stream covers the subject.',
      );
    }
  }
}
