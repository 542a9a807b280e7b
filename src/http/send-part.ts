import type { ServerResponse } from 'node:http';

/** Writes a part of an answer. `false`: the client is gone, or read nothing for so long that it is disconnected. */
export async function sendPart(response: ServerResponse, text: string, timeoutMs: number): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(text) || (await waitForDrain(response, timeoutMs))) return !response.destroyed;
  response.destroy();
  return false;
}

/** Resolves once more can be written: `false` if the client did not read in time. */
function waitForDrain(response: ServerResponse, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDrained: boolean) => () => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onClose);
      resolve(isDrained);
    };
    const [onDrain, onClose] = [end(true), end(true)];
    const timer = setTimeout(end(false), timeoutMs);
    response.on('drain', onDrain).on('close', onClose);
  });
}
