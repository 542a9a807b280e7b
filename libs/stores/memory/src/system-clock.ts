import { Clock } from '../../../contracts/src/clock.js';

/** The time of the machine. */
export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}
