const PAUSE_MS = 400;

/** Resolves a moment after the last key, so that not every key is a request. */
export function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('The draft was changed again.', 'AbortError'));
    });
  });
}
