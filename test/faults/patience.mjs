import { setTimeout as wait } from 'node:timers/promises';

/** The result of `work`, or an error if it takes longer. */
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

/** Polls until `question` returns true. */
export async function until(question, what, milliseconds = 40_000) {
  const deadline = performance.now() + milliseconds;
  while (!(await question())) {
    if (performance.now() > deadline) throw new Error(`This did not happen in time: ${what}`);
    await wait(20);
  }
}
