import type {
  OutputContext,
  OutputCount,
  SanitizedOutput,
  SanitizedStructure,
  StructureFinding,
} from '../../contracts/src/output.js';
import type { CurrentSettings, DecisionRecorder } from './ports.js';
import type { RuleCatalog } from './ports.js';
import type { Settings } from '../../contracts/src/settings/settings.js';
import { misfits, type OutputSchema } from './output/structure-check.js';
import { sanitiseStructure } from './output/structure.js';
import type { Sanitiser } from './output/sanitiser.js';
import { outputStream } from './output-stream.js';
import { PassingOutput, type OutputRuling } from './passing-output.js';

/** Control C. Every output leaves one decision, whichever way it was sanitised. */
export class OutputGuard {
  constructor(
    private readonly settings: CurrentSettings,
    private readonly sanitiser: Sanitiser,
    private readonly rulebook: RuleCatalog,
    private readonly recorder: DecisionRecorder,
  ) {}

  async sanitize(text: string, context: OutputContext): Promise<SanitizedOutput> {
    const settings = this.settings.current();
    const mode = settings.mode('output_handler');
    if (mode.isOff()) return { text, found: false, findings: [], mode, outcome: 'allowed', auditId: null };
    const passing = new PassingOutput(this.sanitiser.begin(settings), mode);
    const shown = passing.push(text) + passing.end();
    const ruling = passing.ruling();
    const auditId = await this.record(ruling, context, settings);
    const found = isFound(ruling);
    return {
      text: shown,
      found,
      findings: passing.findings,
      mode,
      outcome: outcomeOf(ruling, settings),
      auditId,
    };
  }

  /** Of a value that is no JSON at all nothing is known to be clean: it does not fit, with a schema or without. */
  async sanitizeStructured(
    value: unknown,
    schema: OutputSchema | null,
    context: OutputContext,
  ): Promise<SanitizedStructure> {
    const settings = this.settings.current();
    const mode = settings.mode('output_handler');
    if (mode.isOff()) {
      return { value, found: false, findings: [], violations: {}, mode, outcome: 'allowed', auditId: null };
    }
    const judged = await this.judge(value, schema, settings);
    const auditId = await this.record(judged.ruling, context, settings);
    const fits = Object.keys(judged.violations).length === 0 && !judged.ruling.errored;
    const usable = fits ? judged.value : null;
    return {
      value: mode.enforces() ? usable : value,
      found: isFound(judged.ruling),
      findings: judged.findings,
      violations: judged.violations,
      mode,
      outcome: outcomeOf(judged.ruling, settings),
      auditId,
    };
  }

  private async judge(
    value: unknown,
    schema: OutputSchema | null,
    settings: Settings,
  ): Promise<
    Pick<SanitizedStructure, 'value' | 'findings' | 'violations'> & { readonly ruling: OutputRuling }
  > {
    const started = performance.now();
    const ruled = (
      text: string,
      findings: readonly StructureFinding[],
      errored: boolean,
    ): { findings: readonly StructureFinding[]; ruling: OutputRuling } => ({
      findings,
      ruling: { text, findings, errored, durationUs: Math.round((performance.now() - started) * 1000) },
    });
    try {
      const structure = sanitiseStructure(value, this.sanitiser, settings);
      const unreadable = Object.keys(structure.violations).length > 0;
      const violations =
        unreadable || schema === null ? structure.violations : await misfits(structure.given, schema);
      const failures = Object.keys(violations).map((path): StructureFinding => ({
        kind: 'structured_validation_failure',
        detector: 'schema',
        span: [0, 0],
        path,
      }));
      const text = unreadable ? '' : JSON.stringify(structure.given);
      return {
        value: structure.value,
        violations,
        ...ruled(text, [...structure.findings, ...failures], false),
      };
    } catch {
      // A host's detector may throw, and so may a getter of the value.
      return { value: null, violations: {}, ...ruled('', [], true) };
    }
  }

  stream(context: OutputContext): TransformStream<string, string> {
    const settings = this.settings.current();
    const mode = settings.mode('output_handler');
    if (mode.isOff()) return new TransformStream<string, string>();
    const passing = new PassingOutput(this.sanitiser.begin(settings), mode);
    return outputStream(passing, (ruling) => this.record(ruling, context, settings));
  }

  private record(ruling: OutputRuling, context: OutputContext, settings: Settings): Promise<number | null> {
    const { text, findings, errored, durationUs } = ruling;
    const mode = settings.mode('output_handler');
    const found = isFound(ruling);
    return this.recorder.record(
      {
        event: found ? 'guardrails.output.sanitized' : 'guardrails.output.clean',
        control: 'output_handler',
        outcome: outcomeOf(ruling, settings),
        mode,
        origin: 'output',
        text,
        context,
        errored,
        outputCounts: countsOf(findings, mode.enforces()),
        rulesetVersion: this.rulebook.rulesetVersion(settings),
        durationUs,
      },
      settings,
    );
  }
}

function outcomeOf(ruling: OutputRuling, settings: Settings): SanitizedOutput['outcome'] {
  return settings.mode('output_handler').outcomeOf(isFound(ruling));
}

function isFound({ findings, errored }: OutputRuling): boolean {
  return findings.length > 0 || errored;
}

function countsOf(findings: OutputRuling['findings'], enforced: boolean): readonly OutputCount[] {
  const counts = new Map<string, OutputCount>();
  for (const { kind, detector } of findings) {
    const key = `${kind}\u0000${detector}`;
    counts.set(key, { kind, detector, enforced, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
