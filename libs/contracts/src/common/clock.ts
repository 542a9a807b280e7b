/** The only source of time in the engine and the memory stores. */
export abstract class Clock {
  abstract now(): Date;
}

/** The default clock. */
export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}
