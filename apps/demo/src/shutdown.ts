import { say } from './say.js';

const LONGEST_DRAIN_MS = 10_000;

/** The first signal drains and ends with 0. Further ones change nothing: npm sends Ctrl-C a second time. */
export function endOnSignal(close: () => Promise<void>): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    say('\nEnding: open requests are answered first.');
    setTimeout(() => process.exit(1), LONGEST_DRAIN_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}
