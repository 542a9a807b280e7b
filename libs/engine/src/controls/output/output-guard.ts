/** Control C as hosts call it: sanitizes texts, streams and structures, and records one decision for each. */
import type { ControlMode } from '#contracts/common/control-mode.js';
import type {
  Finding,
  OutputContext,
  OutputCount,
  OutputKind,
  SanitizedOutput,
  SanitizedStructure,
  StructureFinding,
  Rendering,
} from '#contracts/output/output.js';
import { pauseIfDue, type Resumable, runInSlices } from '../../shared/resumable.js';
import type { CurrentSettings, DecisionDraft, DecisionRecorder, RuleCatalog } from '../../shared/ports.js';
import type { Settings } from '#contracts/settings/settings.js';
import {
  type CleanStructure,
  type OutputSchema,
  sanitizeStructure,
  schemaViolations,
} from './structured-output.js';
import { renderingOf, type Sanitizer } from './sanitizer.js';
import { type SanitizerSession, WITHHELD } from './sanitizer-session.js';
import type { Tracing } from '../../shared/tracing.js';

interface OutputGuardOptions {
  readonly settings: CurrentSettings;
  readonly sanitizer: Sanitizer;
  readonly ruleCatalog: RuleCatalog;
  readonly recorder: DecisionRecorder;
  readonly tracing: Tracing;
}

/** The facts that a decision about an output is based on. */
interface OutputResult {
  /** The text that the model wrote. */
  readonly text: string;
  readonly findings: readonly Finding[];
  /** A host's detector failed, so the findings may be incomplete. */
  readonly errored: boolean;
  /** Set where `text` is not the judged text. */
  readonly alteration?: DecisionDraft['alteration'];
  readonly durationUs: number;
}

/** What is returned of an output that is not judged. */
const NOT_JUDGED = { found: false, findings: [], outcome: 'allowed', auditId: null } as const;

/** Control C. Every output produces one decision, whether it is a text, a stream or a structure. */
export class OutputGuard {
  constructor(private readonly options: OutputGuardOptions) {}

  async sanitize(text: string, context: OutputContext): Promise<SanitizedOutput> {
    const settings = this.options.settings.current();
    const mode = settings.mode('output_handler');
    if (mode.isOff()) return { text, mode, ...NOT_JUDGED };
    const session = this.options.sanitizer.begin(settings, context);
    const output = new StreamingOutput(session, mode);
    const shown = await output.push(text, session.whole(text));
    const result = output.result();
    const auditId = await this.record(result, context, settings);
    return { text: shown, mode, ...outcomeOf(result, mode), findings: result.findings, auditId };
  }

  /** A value that is not JSON cannot be judged, so it is invalid with and without a schema. */
  async sanitizeStructured(
    value: unknown,
    schema: OutputSchema | null,
    context: OutputContext,
  ): Promise<SanitizedStructure> {
    const settings = this.options.settings.current();
    const mode = settings.mode('output_handler');
    if (mode.isOff()) return { value, violations: {}, mode, ...NOT_JUDGED };
    const started = performance.now();
    const judged = await this.judge(value, schema, settings, renderingOf(context, settings));
    const durationUs = microseconds(performance.now() - started);
    const auditId = await this.record({ ...judged, alteration: 'serialized', durationUs }, context, settings);
    const { findings, violations } = judged;
    const fits = Object.keys(violations).length === 0 && !judged.errored;
    const usable = fits ? (judged.value ?? null) : null;
    return {
      value: mode.enforces() ? usable : value,
      mode,
      ...outcomeOf(judged, mode),
      findings,
      violations,
      auditId,
    };
  }

  private async judge(
    value: unknown,
    schema: OutputSchema | null,
    settings: Settings,
    rendering: Rendering,
  ): Promise<CleanStructure & Pick<OutputResult, 'errored'>> {
    try {
      const structure = await runInSlices(
        sanitizeStructure(value, this.options.sanitizer, settings, rendering),
      );
      const violations =
        structure.value === undefined || schema === null
          ? structure.violations
          : await schemaViolations(JSON.parse(structure.text), schema);
      const failures = Object.keys(violations).map((path): StructureFinding => ({
        kind: 'structured_validation_failure',
        detector: 'schema',
        span: [0, 0],
        path,
      }));
      return { ...structure, findings: [...structure.findings, ...failures], violations, errored: false };
    } catch {
      // A host's detector or a getter of the value threw.
      return { value: null, text: '', findings: [], violations: {}, errored: true };
    }
  }

  stream(context: OutputContext): TransformStream<string, string> {
    const settings = this.options.settings.current();
    const mode = settings.mode('output_handler');
    if (mode.isOff()) return new TransformStream<string, string>();
    const output = new StreamingOutput(this.options.sanitizer.begin(settings, context), mode);
    const end = this.options.tracing.stream();
    return outputStream(output, async (result) => {
      try {
        await this.record(result, context, settings);
        end({ ...result, ...outcomeOf(result, mode), mode });
      } catch (error) {
        end({ error });
        throw error;
      }
    });
  }

  private async record(
    result: OutputResult,
    context: OutputContext,
    settings: Settings,
  ): Promise<number | null> {
    await pauseIfDue();
    const { text, findings, errored, alteration, durationUs } = result;
    const mode = settings.mode('output_handler');
    const { found, outcome } = outcomeOf(result, mode);
    return this.options.recorder.record(
      {
        event: found ? 'guardrails.output.sanitized' : 'guardrails.output.clean',
        control: 'output_handler',
        outcome,
        mode,
        origin: 'output',
        text,
        context,
        errored,
        tooLong: findings.some(({ kind }) => kind === 'too_long'),
        ...(alteration !== undefined && { alteration }),
        rendering: renderingOf(context, settings),
        findings,
        outputCounts: countsOf(findings, mode.enforces()),
        rulesetVersion: this.options.ruleCatalog.rulesetVersion(settings),
        durationUs,
      },
      settings,
    );
  }
}

/** Whether anything was found, and what that leads to. */
function outcomeOf(
  { findings, errored }: Pick<OutputResult, 'findings' | 'errored'>,
  mode: ControlMode,
): Pick<SanitizedOutput, 'found' | 'outcome'> {
  const found = findings.length > 0 || errored;
  return { found, outcome: mode.outcomeOf(found) };
}

function microseconds(milliseconds: number) {
  return Math.round(milliseconds * 1000);
}

function countsOf(findings: OutputResult['findings'], enforced: boolean): readonly OutputCount[] {
  const counts = new Map<string, Map<OutputKind, number>>();
  for (const { kind, detector } of findings) {
    const kinds = counts.get(detector) ?? new Map<OutputKind, number>();
    counts.set(detector, kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
  }
  return [...counts].flatMap(([detector, kinds]) =>
    [...kinds].map(([kind, count]) => ({ kind, detector, enforced, count })),
  );
}

/** One output that arrives in chunks. */
class StreamingOutput {
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

  private async shown(work: Resumable<string>, given: string) {
    const clean = await this.attempt(work);
    return this.mode.enforces() ? clean : given;
  }

  /** After a failure nothing more is released. */
  private async attempt(work: Resumable<string>) {
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
    return { text, findings, errored: this.hasFailed, durationUs: microseconds(this.milliseconds) };
  }
}

/**
 * Shows an output chunk by chunk and records it once: before its last part is shown, or, if it is cancelled, for the
 * released part. If the record is required and cannot be written, the stream fails and the last part is not shown.
 */
function outputStream(
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
