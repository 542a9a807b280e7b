import { setImmediate } from 'node:timers/promises';

/** Work that can pause at each `yield`, and returns a `Result`. */
export type Resumable<Result> = Generator<undefined, Result, undefined>;

/** Units of text, or equivalent work, between two pauses: a few hundred microseconds. */
export const UNITS_PER_PAUSE = 8192;

/** Maximum time between two yields to the event loop. */
const SLICE_MS = 4;

/** Runs to the end without a pause. */
export function runToEnd<Result>(work: Resumable<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Yields to the event loop every few milliseconds, so that other work of the process continues. */
export class EventLoopYields {
  private end = performance.now() + SLICE_MS;

  isDue(): boolean {
    return performance.now() >= this.end;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.end = performance.now() + SLICE_MS;
  }
}

/** Runs to the end, in slices between two yields. */
export async function runInSlices<Result>(work: Resumable<Result>): Promise<Result> {
  const yields = new EventLoopYields();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (yields.isDue()) await yields.next();
  }
}
