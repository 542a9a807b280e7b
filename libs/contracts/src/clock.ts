/** The only source of time of the engine and of the memory stores. */
export abstract class Clock {
  abstract now(): Date;
}

/** The default; everything else in the engine asks the clock it was given. */
export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}
