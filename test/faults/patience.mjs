import { setTimeout as wait } from 'node:timers/promises';

/** `work`, or an error once it took longer. */
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

/** Asks until the answer is yes. */
export async function until(question, what, milliseconds = 40_000) {
  const deadline = performance.now() + milliseconds;
  while (!(await question())) {
    if (performance.now() > deadline) throw new Error(`It did not come to this: ${what}`);
    await wait(20);
  }
}
