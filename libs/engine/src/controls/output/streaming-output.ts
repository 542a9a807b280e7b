import type { ControlMode } from '#contracts/common/control-mode.js';
import type { DecisionDraft } from '../../shared/ports.js';
import type { Finding } from '#contracts/output/output.js';
import { type Resumable, runInSlices } from '../../shared/resumable.js';
import { type SanitizerSession, WITHHELD } from './sanitizer-session.js';

/** The facts that a decision about an output is based on. */
export interface OutputResult {
  /** The text that the model wrote. */
  readonly text: string;
  readonly findings: readonly Finding[];
  /** A host's detector failed, so the findings may be incomplete. */
  readonly errored: boolean;
  /** Set where `text` is not the judged text. */
  readonly alteration?: DecisionDraft['alteration'];
  readonly durationUs: number;
}

/** One output that arrives in chunks. */
export class StreamingOutput {
  private readonly chunks: string[] = [];
  private hasFailed = false;
  private milliseconds = 0;

  constructor(
    private readonly session: SanitizerSession,
    private readonly mode: ControlMode,
  ) {}

  /** Returns the text that may be shown now. In `monitor` this is the chunk itself. */
  push(chunk: string, work = this.session.push(chunk)): Promise<string> {
    this.chunks.push(chunk);
    return this.shown(work, chunk);
  }

  end(): Promise<string> {
    return this.shown(this.session.end(), '');
  }

  /** The result for all chunks. */
  result(): OutputResult {
    return this.resultOf(this.chunks.join(''), this.findings);
  }

  /** The result for the released text, if the reader left before the end. */
  async releasedResult(): Promise<OutputResult> {
    const { settledUntil } = this.session.report;
    await this.end();
    if (!this.mode.enforces()) return this.result();
    const released = this.resultOf(
      this.chunks.join('').slice(0, settledUntil),
      this.findings.filter(({ span }) => span[0] < settledUntil),
    );
    return { ...released, alteration: 'truncated' };
  }

  get findings(): readonly Finding[] {
    return this.session.report.findings;
  }

  private async shown(work: Resumable<string>, given: string): Promise<string> {
    const clean = await this.attempt(work);
    return this.mode.enforces() ? clean : given;
  }

  /** After a failure nothing more is released. */
  private async attempt(work: Resumable<string>): Promise<string> {
    if (this.hasFailed) return '';
    const started = performance.now();
    try {
      return await runInSlices(work);
    } catch {
      this.hasFailed = true;
      return WITHHELD;
    } finally {
      this.milliseconds += performance.now() - started;
    }
  }

  private resultOf(text: string, findings: OutputResult['findings']): OutputResult {
    return { text, findings, errored: this.hasFailed, durationUs: Math.round(this.milliseconds * 1000) };
  }
}

/**
 * Shows an output chunk by chunk and records it once: before its last part is shown, or, if it is cancelled, for the
 * released part. If the record is required and cannot be written, the stream fails and the last part is not shown.
 */
export function outputStream(
  output: StreamingOutput,
  record: (result: OutputResult) => Promise<unknown>,
): TransformStream<string, string> {
  let pushing: Promise<string> = Promise.resolve('');
  let isCancelled = false;
  return new TransformStream<string, string>({
    async transform(chunk, controller) {
      pushing = output.push(chunk);
      const shown = await pushing;
      if (shown !== '' && !isCancelled) controller.enqueue(shown);
    },
    async flush(controller) {
      const last = await output.end();
      await record(output.result());
      if (last !== '') controller.enqueue(last);
    },
    /** The reader cancelled, or the writer aborted. */
    async cancel() {
      isCancelled = true;
      await pushing;
      await record(await output.releasedResult());
    },
  } satisfies CancellableTransformer);
}

/** As in the standard and in Node since 20.14; the compiler's library does not declare `cancel` yet. */
interface CancellableTransformer {
  transform(chunk: string, controller: TransformStreamDefaultController<string>): Promise<void>;
  flush(controller: TransformStreamDefaultController<string>): Promise<void>;
  cancel(): Promise<void>;
}
