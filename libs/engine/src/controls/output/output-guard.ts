import type {
  OutputContext,
  OutputCount,
  OutputKind,
  SanitizedOutput,
  SanitizedStructure,
  StructureFinding,
  Rendering,
} from '#contracts/output/output.js';
import { pauseIfDue, runInSlices } from '../../shared/resumable.js';
import type { CurrentSettings, DecisionRecorder, RuleCatalog } from '../../shared/ports.js';
import type { Settings } from '#contracts/settings/settings.js';
import { type OutputSchema, sanitizeStructure, schemaViolations } from './structured-output.js';
import { outputStream, StreamingOutput, type OutputResult } from './streaming-output.js';
import type { Sanitizer } from './sanitizer.js';
import type { Tracing } from '../../shared/tracing.js';

interface OutputGuardOptions {
  readonly settings: CurrentSettings;
  readonly sanitizer: Sanitizer;
  readonly ruleCatalog: RuleCatalog;
  readonly recorder: DecisionRecorder;
  readonly tracing: Tracing;
}

/** Control C. Every output produces one decision, whether it is a text, a stream or a structure. */
export class OutputGuard {
  constructor(private readonly options: OutputGuardOptions) {}

  async sanitize(text: string, context: OutputContext): Promise<SanitizedOutput> {
    const settings = this.options.settings.current();
    const mode = settings.mode('output_handler');
    if (mode.isOff()) return { text, found: false, findings: [], mode, outcome: 'allowed', auditId: null };
    const session = this.options.sanitizer.begin(settings, context);
    const output = new StreamingOutput(session, mode);
    const shown = await output.push(text, session.whole(text));
    const result = output.result();
    const auditId = await this.record(result, context, settings);
    const found = isFound(result);
    return {
      text: shown,
      found,
      findings: result.findings,
      mode,
      outcome: outcomeOf(result, settings),
      auditId,
    };
  }

  /** A value that is not JSON cannot be judged, so it is invalid with and without a schema. */
  async sanitizeStructured(
    value: unknown,
    schema: OutputSchema | null,
    context: OutputContext,
  ): Promise<SanitizedStructure> {
    const settings = this.options.settings.current();
    const mode = settings.mode('output_handler');
    if (mode.isOff()) {
      return { value, found: false, findings: [], violations: {}, mode, outcome: 'allowed', auditId: null };
    }
    const judged = await this.judge(value, schema, settings, renderingOf(context, settings));
    const auditId = await this.record(judged.result, context, settings);
    const fits = Object.keys(judged.violations).length === 0 && !judged.result.errored;
    const usable = fits ? judged.value : null;
    return {
      value: mode.enforces() ? usable : value,
      found: isFound(judged.result),
      findings: judged.findings,
      violations: judged.violations,
      mode,
      outcome: outcomeOf(judged.result, settings),
      auditId,
    };
  }

  private async judge(
    value: unknown,
    schema: OutputSchema | null,
    settings: Settings,
    rendering: Rendering,
  ): Promise<
    Pick<SanitizedStructure, 'value' | 'findings' | 'violations'> & { readonly result: OutputResult }
  > {
    const started = performance.now();
    const resultOf = (
      text: string,
      findings: readonly StructureFinding[],
      errored: boolean,
    ): { findings: readonly StructureFinding[]; result: OutputResult } => ({
      findings,
      result: {
        text,
        findings,
        errored,
        alteration: 'serialized',
        durationUs: Math.round((performance.now() - started) * 1000),
      },
    });
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
      return {
        value: structure.value ?? null,
        violations,
        ...resultOf(structure.text, [...structure.findings, ...failures], false),
      };
    } catch {
      // A host's detector or a getter of the value threw.
      return { value: null, violations: {}, ...resultOf('', [], true) };
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
        end({ ...result, outcome: outcomeOf(result, settings), mode });
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
    const found = isFound(result);
    return this.options.recorder.record(
      {
        event: found ? 'guardrails.output.sanitized' : 'guardrails.output.clean',
        control: 'output_handler',
        outcome: outcomeOf(result, settings),
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

function outcomeOf(result: OutputResult, settings: Settings): SanitizedOutput['outcome'] {
  return settings.mode('output_handler').outcomeOf(isFound(result));
}

function renderingOf(context: OutputContext, settings: Settings): Rendering {
  return context.rendering ?? settings.get('output_handler.rendering');
}

function isFound({ findings, errored }: OutputResult): boolean {
  return findings.length > 0 || errored;
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
