import type { OutputRuling, PassingOutput } from './passing-output.js';

/**
 * Shows an output chunk by chunk, and records it once: before its last part is shown, or for what was shown where it
 * breaks off. Where the record cannot be written and must be, the stream fails and the last part stays unseen.
 */
export function outputStream(
  passing: PassingOutput,
  record: (ruling: OutputRuling) => Promise<unknown>,
): TransformStream<string, string> {
  return new TransformStream<string, string>({
    transform(chunk, controller) {
      const shown = passing.push(chunk);
      if (shown !== '') controller.enqueue(shown);
    },
    async flush(controller) {
      const last = passing.end();
      await record(passing.ruling());
      if (last !== '') controller.enqueue(last);
    },
    /** The reader went away, or the writer gave up. */
    async cancel() {
      await record(passing.rulingSoFar());
    },
  } satisfies Transforming);
}

/** As in the standard, and in every Node since 20.14; the compiler's library does not know `cancel` yet. */
interface Transforming {
  transform(chunk: string, controller: TransformStreamDefaultController<string>): void;
  flush(controller: TransformStreamDefaultController<string>): Promise<void>;
  cancel(): Promise<void>;
}
