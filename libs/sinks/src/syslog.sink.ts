import { hostname } from 'node:os';
import { connect as plainConnect, type Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import type { DeliveredEvent } from '#contracts/events/event-sink.js';
import { cloudEvent, SOURCE } from './event-format.js';
import { FilteredSink, type SinkOptions } from './filtered-sink.js';
import { AllowedAddresses, assertAllowedHost, checkedLookup, deliveryFailure } from './allowed-addresses.js';
import type { HttpEndpointOptions } from './http.sink.js';

/** The options of `SyslogSink`. */
export interface SyslogOptions extends SinkOptions, Pick<HttpEndpointOptions, 'allow' | 'ca' | 'resolve'> {
  readonly host: string;
  /** Default 6514 over TLS, 601 over TCP. */
  readonly port?: number;
  /** `tcp` is not encrypted. Default `tls`. */
  readonly transport?: 'tls' | 'tcp';
  readonly cert?: string;
  readonly key?: string;
  /** Default `nest-guardrails`. */
  readonly application?: string;
}

interface Waiting {
  readonly frame: Buffer;
  readonly arrived: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * RFC 5424 over TLS or TCP, with octet counting. Syslog has no acknowledgement, so every batch uses its own connection:
 * the sink closes its side after the last frame, and the batch is delivered when the receiver closes the other side.
 * Otherwise the whole batch is sent again.
 */
export class SyslogSink extends FilteredSink {
  override readonly keepsLog = true;
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

  override async close() {
    for (const socket of this.#open) socket.destroy();
  }

  /** Sends the waiting frames batch by batch. Frames that arrive during a batch belong to the next one. */
  async #sendWaiting(): Promise<void> {
    this.#sending = true;
    while (this.#waiting.length > 0) {
      // Deliveries of the same event loop turn belong to one batch.
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
      // Half of the limit, so that deliveries of the next batch do not time out while they wait for this one.
      await sendAndClose(socket, frames, this.timeoutMs / 2);
    } finally {
      this.#open.delete(socket);
    }
  }

  #connected(): Promise<Socket> {
    const { host, transport = 'tls', port = transport === 'tls' ? 6514 : 601, ca, cert, key } = this.#options;
    assertAllowedHost(host, this.#allowed);
    const lookup = checkedLookup(this.#allowed, this.#options.resolve);
    return new Promise((resolve, reject) => {
      const ready = () => {
        socket.setTimeout(0);
        resolve(socket);
      };
      const identity = { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert, key }) };
      const socket =
        transport === 'tls'
          ? secureConnect({ host, port, lookup, servername: host, ...identity }, ready)
          : plainConnect({ host, port, lookup }, ready);
      socket.setTimeout(this.timeoutMs, () => socket.destroy(failure('ETIMEDOUT')));
      socket.on('error', reject);
      socket.resume().unref();
    });
  }
}

/** Facility 13: log audit. */
const FACILITY = 13;
/** Informational, warning, error, critical. */
const SEVERITIES = { low: 6, medium: 4, high: 3, critical: 2 } as const;

interface SyslogSender {
  readonly host: string;
  readonly application: string;
  readonly process: string;
}

/** RFC 5424 with the octet counting of RFC 6587 and 5425. The byte order mark declares the message as UTF-8. */
function syslogFrame(
  event: DeliveredEvent,
  message: string,
  { host, application, process }: SyslogSender,
): Buffer {
  const priority = FACILITY * 8 + SEVERITIES[event.severity];
  const header = [
    `<${priority}>1`,
    event.occurredAt.toISOString(),
    headerField(host, 255),
    headerField(application, 48),
    headerField(process, 128),
    headerField(event.name.replace('guardrails.', ''), 32),
  ].join(' ');
  const data = `[guardrails@32473 ${parameter('id', event.id)} ${parameter('event', event.name)} ${parameter('subject', event.subject)}]`;
  const bytes = Buffer.from(`${header} ${data} \uFEFF${message}`);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

/** Printable ASCII without spaces, or a dash for an empty value. */
function headerField(text: string, longest: number): string {
  return text.replaceAll(/[^\x21-\x7E]/g, '_').slice(0, longest) || '-';
}

/** Ids come from the host. A line break or escape sequence in one must not forge a log line at the receiver. */
function parameter(name: string, value: string): string {
  const printable = value.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '_');
  return `${name}="${printable.replaceAll(/["\\\]]/g, '\\$&')}"`;
}

/**
 * Sends all frames and closes this side. Resolves when the receiver closes its side, which it does after reading
 * everything; a receiver that stops earlier resets the connection.
 */
function sendAndClose(socket: Socket, frames: readonly Buffer[], timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let ended = false;
    const timer = setTimeout(() => socket.destroy(failure('ETIMEDOUT')), timeoutMs);
    socket.on('end', () => {
      // A receiver that closes before everything is sent has not read everything.
      if (socket.writableFinished) ended = true;
      else socket.destroy(failure('ECONNRESET'));
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      if (ended) resolve();
      else reject(failure('ECONNRESET'));
    });
    socket.end(Buffer.concat(frames));
  });
}

function failure(code: string): Error {
  return Object.assign(new Error('the receiver did not confirm'), { code });
}
