import type { Attributes, Span } from '@opentelemetry/api';
import type { ControlKey, ControlMode } from '#contracts/control-mode.js';
import type { ToolCallOutcome } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';

/** What a decision is in a span and in the metrics. No text, no principal. */
interface Traced {
  readonly outcome: string;
  readonly attributes: Attributes;
}

/**
 * Adds a span and metrics to each `screen`, `sanitize`, `sanitizeStructured` and guarded call of these guardrails, also
 * where decorators and adapters make them. Call it once, after your OpenTelemetry SDK was started. Returns a function
 * that removes them.
 */
export async function traceGuardrails(guardrails: Guardrails): Promise<() => void> {
  const { metrics, SpanStatusCode, trace } = await load();
  const tracer = trace.getTracer('nest-guardrails');
  const meter = metrics.getMeter('nest-guardrails');
  const decisions = meter.createCounter('guardrails.decisions', { description: 'Decisions by control.' });
  const durations = meter.createHistogram('guardrails.decision.duration', {
    unit: 's',
    description: 'How long a control took; of a guarded call, with the tool.',
  });

  const traced = <Result>(
    verb: string,
    control: ControlKey,
    attributes: Attributes,
    call: () => Promise<Result>,
    describe: (result: Result) => Traced,
  ): Promise<Result> =>
    tracer.startActiveSpan(`guardrails.${verb}`, { attributes }, async (span: Span) => {
      const began = performance.now();
      let outcome = 'error';
      try {
        const result = await call();
        const about = describe(result);
        outcome = about.outcome;
        span.setAttributes({ 'guardrails.outcome': outcome, ...about.attributes });
        return result;
      } catch (error) {
        // Without its message, which can contain texts.
        const name = error instanceof Error ? error.name : typeof error;
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', name);
        throw error;
      } finally {
        const labels = { 'guardrails.control': control, 'guardrails.outcome': outcome };
        decisions.add(1, labels);
        durations.record((performance.now() - began) / 1000, labels);
        span.end();
      }
    });

  const untraced = Object.getPrototypeOf(guardrails) as Guardrails;
  const patched: Partial<Guardrails> = {
    screen: (text, context) =>
      traced(
        'screen',
        'input_screen',
        {
          'guardrails.control': 'input_screen',
          'guardrails.origin': context?.origin ?? 'prompt',
          ...(context?.tool !== undefined && { 'guardrails.tool': context.tool }),
        },
        () => untraced.screen.call(guardrails, text, context),
        ({ outcome, mode, ruleId }) => ({
          outcome,
          attributes: { ...modeOf(mode), ...(ruleId !== null && { 'guardrails.rule_id': ruleId }) },
        }),
      ),
    sanitize: (text, context) =>
      traced(
        'sanitize',
        'output_handler',
        { 'guardrails.control': 'output_handler' },
        () => untraced.sanitize.call(guardrails, text, context),
        ({ outcome, mode, findings }) => ({
          outcome,
          attributes: { ...modeOf(mode), 'guardrails.findings': findings.length },
        }),
      ),
    sanitizeStructured: (value, schema, context) =>
      traced(
        'sanitizeStructured',
        'output_handler',
        { 'guardrails.control': 'output_handler' },
        () => untraced.sanitizeStructured.call(guardrails, value, schema, context),
        ({ outcome, mode, findings }) => ({
          outcome,
          attributes: { ...modeOf(mode), 'guardrails.findings': findings.length },
        }),
      ),
    guardTool: (tool, context, options) => {
      const guarded = untraced.guardTool.call(guardrails, tool, context, options as never);
      return {
        ...guarded,
        execute: (args: unknown) =>
          traced(
            'guardTool',
            'tool_firewall',
            { 'guardrails.control': 'tool_firewall', 'guardrails.tool': tool.name },
            () => guarded.execute(args),
            callOutcome,
          ),
      } as never;
    },
  };
  Object.assign(guardrails, patched);
  return () => {
    for (const name of Object.keys(patched)) Reflect.deleteProperty(guardrails, name);
  };
}

function modeOf({ name }: ControlMode): Attributes {
  return { 'guardrails.mode': name };
}

function callOutcome(outcome: ToolCallOutcome): Traced {
  const { status } = outcome;
  if (status === 'refused') return { outcome: status, attributes: { 'guardrails.reason': outcome.reason } };
  if (status === 'executed') return { outcome: status, attributes: {} };
  return { outcome: status, attributes: { 'guardrails.approval_id': outcome.parked.approvalId } };
}

async function load(): Promise<typeof import('@opentelemetry/api')> {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    throw new Error(
      'nest-guardrails/opentelemetry needs the API package. Run: npm install @opentelemetry/api',
      {
        cause,
      },
    );
  }
}
