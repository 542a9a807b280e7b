import { setImmediate } from 'node:timers/promises';

/** Work that may pause wherever it yields, and ends in a `Result`. */
export type Resumable<Result> = Generator<undefined, Result, undefined>;

/** Units of text (or as much other work) between two pauses: some hundred microseconds. */
export const UNITS_PER_PAUSE = 8192;

/** How long other work of the process waits for its turn. */
const SLICE_MS = 8;

/** All of it, without a pause. */
export function finished<Result>(work: Resumable<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** All of it, with a turn for other work of the process every few milliseconds. */
export async function paced<Result>(work: Resumable<Result>): Promise<Result> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
