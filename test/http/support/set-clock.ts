import { Clock } from '#contracts/common/clock.js';

/** A clock that changes only when it is set. */
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

  /** Sets the system time, which a database uses for expiry. */
  setToNow(): void {
    this.instant = new Date();
  }
}
