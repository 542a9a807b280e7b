import { Clock } from '../../../../libs/contracts/src/index.js';
import type { Random } from './random.js';

/** A clock that is set, and goes on by some seconds with each look at it. */
export class SeedClock extends Clock {
  private time = 0;

  constructor(private readonly random: Random) {
    super();
  }

  moveTo(time: Date): void {
    this.time = time.getTime();
  }

  override now(): Date {
    this.time += 500 + this.random.below(40_000);
    return new Date(this.time);
  }
}
