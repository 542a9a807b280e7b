import { setTimeout as wait } from 'node:timers/promises';

/** Returns the result of `work`, or throws if it takes longer. */
export async function timeLimited(work, milliseconds, what) {
  const end = new AbortController();
  const late = wait(milliseconds, undefined, { signal: end.signal }).then(
    () => {
      throw new Error(`${what} took longer than ${milliseconds} ms`);
    },
    () => undefined,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    end.abort();
  }
}

/** Polls until `condition` is true. */
export async function until(condition, what, milliseconds = 40_000) {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Timed out: ${what}`);
    await wait(20);
  }
}
