import { EventSink, type ToldEvent } from '../../../libs/contracts/src/event-sink.js';

/** Accepts and stores every event. */
export class QuietSink extends EventSink {
  readonly delivered: ToldEvent[] = [];

  constructor(override readonly name = 'siem') {
    super();
  }

  override async deliver(event: ToldEvent): Promise<void> {
    this.delivered.push(event);
  }
}
