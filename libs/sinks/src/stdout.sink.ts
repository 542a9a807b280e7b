import type { DeliveredEvent } from '#contracts/events/event-sink.js';
import { cloudEvent, SOURCE } from './event-format.js';
import { FilteredSink, type SinkOptions } from './filtered-sink.js';

/** The part of a writable stream that the sink uses. */
export interface LineStream {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/** The options of `StdoutSink`. */
export interface StdoutOptions extends SinkOptions {
  /** Default: `process.stdout`. */
  readonly stream?: LineStream;
  /** The `source` of each CloudEvent. Default `/nest-guardrails`. */
  readonly source?: string;
}

/** Writes each event as a CloudEvent in one line of JSON, for log collectors of containers. */
export class StdoutSink extends FilteredSink {
  override readonly keepsLog = true;
  private readonly stream: LineStream;
  private readonly source: string;

  constructor(options: StdoutOptions = {}) {
    super(options, { name: 'stdout', minimumSeverity: 'low', concurrency: 1 });
    this.stream = options.stream ?? process.stdout;
    this.source = options.source ?? SOURCE;
  }

  override deliver(event: DeliveredEvent): Promise<void> {
    const line = `${JSON.stringify(cloudEvent(event, this.source))}\n`;
    return new Promise((resolve, reject) => {
      this.stream.write(line, (error) => (error ? reject(error) : resolve()));
    });
  }
}
