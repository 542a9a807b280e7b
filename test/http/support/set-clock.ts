import { Clock } from '#contracts/clock.js';

/** Stands still until it is set, so that every test has a time of its own. */
export class SetClock extends Clock {
  private instant = new Date();

  override now(): Date {
    return new Date(this.instant);
  }

  set(instant: string | Date): void {
    this.instant = new Date(instant);
  }

  advance(milliseconds: number): void {
    this.instant = new Date(this.instant.getTime() + milliseconds);
  }

  /** Back to the machine's time, by which a database judges expiry. */
  setToNow(): void {
    this.instant = new Date();
  }
}
