import { hostname } from 'node:os';
import { connect as plainConnect, type Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import type { DeliveredEvent } from '../../contracts/src/event-sink.js';
import { cloudEvent, SOURCE } from './cloud-event.js';
import { FilteredSink, type SinkOptions } from './filtered-sink.js';
import { AllowedAddresses } from './net/addresses.js';
import { assertAllowedHost, checkedLookup, type Resolver } from './net/checked-lookup.js';
import { deliveryFailure } from './net/delivery-failure.js';
import { sendToTheEnd } from './net/half-closed.js';
import { syslogFrame, type SyslogSender } from './syslog-frame.js';

export interface SyslogOptions extends SinkOptions {
  readonly host: string;
  /** Default 6514 over TLS, 601 over TCP. */
  readonly port?: number;
  /** `tcp` can be read by anybody on the way. Default `tls`. */
  readonly transport?: 'tls' | 'tcp';
  /** Addresses and networks beside the public ones, such as `10.20.0.0/16`. */
  readonly allow?: readonly string[];
  /** Certificate authorities in PEM, in place of the system's. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Default `nest-guardrails`. */
  readonly application?: string;
  /** How names are resolved. Default: by the system. */
  readonly resolve?: Resolver;
}

interface Waiting {
  readonly frame: Buffer;
  readonly arrived: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * RFC 5424 over TLS or TCP, with octet counting. Syslog knows no acknowledgement, so a connection serves for one batch:
 * its end is ours, and delivered is what stands before it once the receiver has closed as well. What it did not is sent
 * again.
 */
export class SyslogSink extends FilteredSink {
  readonly #options: SyslogOptions;
  readonly #allowed: AllowedAddresses;
  readonly #sender: SyslogSender;
  readonly #open = new Set<Socket>();
  #waiting: Waiting[] = [];
  #sending = false;

  constructor(options: SyslogOptions) {
    super(options, { name: 'syslog', minimumSeverity: 'low', concurrency: 64 });
    this.#options = options;
    this.#allowed = new AllowedAddresses(options.allow);
    this.#sender = {
      host: hostname(),
      application: options.application ?? 'nest-guardrails',
      process: String(process.pid),
    };
  }

  override deliver(event: DeliveredEvent): Promise<void> {
    const frame = syslogFrame(event, JSON.stringify(cloudEvent(event, SOURCE)), this.#sender);
    return new Promise((arrived, failed) => {
      this.#waiting.push({ frame, arrived, failed });
      if (!this.#sending) void this.#sendWaiting();
    });
  }

  override async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
  }

  /** What comes while a batch is under way goes together with the next one. */
  async #sendWaiting(): Promise<void> {
    this.#sending = true;
    while (this.#waiting.length > 0) {
      // Those that are told in the same turn belong to one batch.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#send(batch.map(({ frame }) => frame));
        for (const { arrived } of batch) arrived();
      } catch (error) {
        for (const { failed } of batch) failed(deliveryFailure(error));
      }
    }
    this.#sending = false;
  }

  async #send(frames: readonly Buffer[]): Promise<void> {
    const socket = await this.#connected();
    this.#open.add(socket);
    try {
      // Whoever waits for the next batch should not run out of time with this one.
      await sendToTheEnd(socket, frames, this.timeoutMs / 2);
    } finally {
      this.#open.delete(socket);
    }
  }

  #connected(): Promise<Socket> {
    const { host, transport = 'tls', port = transport === 'tls' ? 6514 : 601, ca, cert, key } = this.#options;
    assertAllowedHost(host, this.#allowed);
    const lookup = checkedLookup(this.#allowed, this.#options.resolve);
    return new Promise((resolve, reject) => {
      const ready = (): void => {
        socket.setTimeout(0);
        resolve(socket);
      };
      const identity = { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert, key }) };
      const socket =
        transport === 'tls'
          ? secureConnect({ host, port, lookup, servername: host, ...identity }, ready)
          : plainConnect({ host, port, lookup }, ready);
      socket.setTimeout(this.timeoutMs, () => socket.destroy(timedOut()));
      socket.on('error', reject);
      socket.resume().unref();
    });
  }
}

function timedOut(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
}
