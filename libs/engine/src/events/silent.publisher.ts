import { EventPublisher } from '../../../contracts/src/events.js';

/** For an engine that nobody listens to. */
export class SilentPublisher extends EventPublisher {
  override publish(): void {
    // Nobody listens.
  }
}
