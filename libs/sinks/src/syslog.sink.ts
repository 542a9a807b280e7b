import { hostname } from 'node:os';
import { connect as plainConnect, type Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import type { ToldEvent } from '../../contracts/src/event-sink.js';
import { cloudEvent, SOURCE } from './cloud-event.js';
import { FilteredSink, type SinkOptions } from './filtered-sink.js';
import { AllowedAddresses } from './net/addresses.js';
import { assertAllowedHost, checkedLookup, type Resolver } from './net/checked-lookup.js';
import { deliveryFailure } from './net/delivery-failure.js';
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

/**
 * RFC 5424 over TLS or TCP, with octet counting. Syslog does not acknowledge: delivered is what the operating system
 * took, so what is under way when a connection breaks may be lost. Where that matters, take the siem or nats sink.
 */
export class SyslogSink extends FilteredSink {
  readonly #options: SyslogOptions;
  readonly #allowed: AllowedAddresses;
  readonly #sender: SyslogSender;
  #connection: Promise<Socket> | null = null;

  constructor(options: SyslogOptions) {
    super(options, { name: 'syslog', minimumSeverity: 'low', concurrency: 1 });
    this.#options = options;
    this.#allowed = new AllowedAddresses(options.allow);
    this.#sender = {
      host: hostname(),
      application: options.application ?? 'nest-guardrails',
      process: String(process.pid),
    };
  }

  override async deliver(event: ToldEvent): Promise<void> {
    const frame = syslogFrame(event, JSON.stringify(cloudEvent(event, SOURCE)), this.#sender);
    try {
      const socket = await this.#connected();
      await new Promise<void>((resolve, reject) => {
        socket.once('close', reject);
        socket.write(frame, (error) => {
          socket.off('close', reject);
          if (error) reject(error);
          else resolve();
        });
      });
    } catch (error) {
      throw deliveryFailure(error instanceof Error ? error : { code: 'ECONNRESET' });
    }
  }

  override async close(): Promise<void> {
    const socket = await this.#connection?.catch(() => null);
    socket?.end();
  }

  #connected(): Promise<Socket> {
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = null;
      throw error;
    });
    return this.#connection;
  }

  #connect(): Promise<Socket> {
    const { host, transport = 'tls', port = transport === 'tls' ? 6514 : 601, ca, cert, key } = this.#options;
    assertAllowedHost(host, this.#allowed);
    const lookup = checkedLookup(this.#allowed, this.#options.resolve);
    return new Promise((resolve, reject) => {
      const ready = (): void => resolve(socket);
      const identity = { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert, key }) };
      const socket =
        transport === 'tls'
          ? secureConnect({ host, port, lookup, servername: host, ...identity }, ready)
          : plainConnect({ host, port, lookup }, ready);
      socket.setTimeout(this.timeoutMs, () => socket.destroy(timedOut()));
      socket.once('connect', () => socket.setTimeout(0).setKeepAlive(true));
      socket.on('error', reject);
      socket.on('close', () => (this.#connection = null));
      socket.resume().unref();
    });
  }
}

function timedOut(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
}
