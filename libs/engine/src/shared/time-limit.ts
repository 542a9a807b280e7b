// The time limit of calls that may hang: code of the host, sinks, statements.

interface TimeLimit<Late> {
  /** Result or error of a call that is late; default: an error. */
  readonly onTimeout?: () => Late;
  /** Whether the timer keeps the process alive. Default `true`. */
  readonly keepsAlive?: boolean;
}

/** Waits at most this long for `work`. Work that is late continues, but its result is ignored. */
export async function withinTime<Result, Late = never>(
  work: Result | PromiseLike<Result>,
  milliseconds: number,
  { onTimeout = () => fail(milliseconds), keepsAlive = true }: TimeLimit<Late> = {},
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
    if (!keepsAlive) timer.unref();
  }).then(onTimeout);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function fail(milliseconds: number): never {
  throw new Error(`No answer within ${milliseconds} ms.`);
}
