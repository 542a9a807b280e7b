import { Clock } from '../../contracts/src/clock.js';

/** The default; everything else in the engine asks the clock it was given. */
export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}
