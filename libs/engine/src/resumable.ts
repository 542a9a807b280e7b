import { setImmediate } from 'node:timers/promises';

/** Work that can pause at each `yield`, and returns a `Result`. */
export type Resumable<Result> = Generator<undefined, Result, undefined>;

/** Units of text, or equivalent work, between two pauses: some hundred microseconds. */
export const UNITS_PER_PAUSE = 8192;

/** Maximum time without a turn for other work of the process. */
const SLICE_MS = 8;

/** Runs to the end without a pause. */
export function runToEnd<Result>(work: Resumable<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Gives other work of the process a turn every few milliseconds. */
export class Turns {
  private end = performance.now() + SLICE_MS;

  isOver(): boolean {
    return performance.now() >= this.end;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.end = performance.now() + SLICE_MS;
  }
}

/** Runs to the end, and gives other work of the process a turn every few milliseconds. */
export async function runInSlices<Result>(work: Resumable<Result>): Promise<Result> {
  const turns = new Turns();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (turns.isOver()) await turns.next();
  }
}
