import type { ServerResponse } from 'node:http';

/** Resolves once more can be written: `false` if the client did not read in time. */
export function waitForDrain(response: ServerResponse, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDrained: boolean) => (): void => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onClose);
      resolve(isDrained);
    };
    const [onDrain, onClose] = [end(true), end(true)];
    const timer = setTimeout(end(false), timeoutMs);
    response.on('drain', onDrain).on('close', onClose);
  });
}
