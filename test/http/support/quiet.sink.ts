import { EventSink, type DeliveredEvent } from '#contracts/event-sink.js';

/** Takes everything, and keeps it. */
export class QuietSink extends EventSink {
  readonly delivered: DeliveredEvent[] = [];

  constructor(override readonly name = 'siem') {
    super();
  }

  override async deliver(event: DeliveredEvent): Promise<void> {
    this.delivered.push(event);
  }
}
