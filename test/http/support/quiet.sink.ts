import { EventSink, type DeliveredEvent } from '#contracts/events/event-sink.js';

/** Accepts and stores every event. */
export class QuietSink extends EventSink {
  readonly delivered: DeliveredEvent[] = [];

  constructor(override readonly name = 'siem') {
    super();
  }

  override async deliver(event: DeliveredEvent): Promise<void> {
    this.delivered.push(event);
  }
}
