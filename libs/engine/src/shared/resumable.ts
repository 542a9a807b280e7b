// Long work on texts runs in slices, so that it does not block the event loop.
import { setImmediate } from 'node:timers/promises';

/** Work that can pause at each `yield`, and returns a `Result`. */
export type Resumable<Result> = Generator<undefined, Result, undefined>;

/** Units of text, or equivalent work, between two pauses: a few hundred microseconds. */
export const UNITS_PER_PAUSE = 8192;

/** Maximum time of all work between two turns of the event loop. */
const SLICE_MS = 4;

/** When the work of this turn of the event loop must pause; `null` before its first work. */
let sliceEnd: number | null = null;

/** Whether this turn of the event loop has taken its time, over all callers. */
function isPauseDue() {
  if (sliceEnd !== null) return performance.now() >= sliceEnd;
  sliceEnd = performance.now() + SLICE_MS;
  void setImmediate().then(() => (sliceEnd = null));
  return false;
}

/** Waits for the next turn of the event loop if this one has taken its time. */
export async function pauseIfDue(): Promise<void> {
  if (isPauseDue()) await setImmediate();
}

/** Runs to the end without a pause. */
export function runToEnd<Result>(work: Resumable<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Runs to the end, in slices. */
export async function runInSlices<Result>(work: Resumable<Result>): Promise<Result> {
  for (;;) {
    if (isPauseDue()) await setImmediate();
    const step = work.next();
    if (step.done !== true) continue;
    if (isPauseDue()) await setImmediate();
    return step.value;
  }
}
