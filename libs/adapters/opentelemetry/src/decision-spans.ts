import type { Attributes, Counter, Histogram, Link, Span } from '@opentelemetry/api';
import type { ControlKey, ControlMode } from '#contracts/common/control-mode.js';
import type { RunEnding, StreamEnding, Tracer } from '#engine/shared/tracing.js';

type Api = typeof import('@opentelemetry/api');

/** What a decision is in a span and in the metrics. No text, no principal. */
export interface Described {
  readonly outcome: string;
  readonly attributes: Attributes;
}

/** Makes the spans of decisions, streams and approved runs, and counts the decisions. */
export class DecisionSpans {
  private readonly tracer;

  constructor(
    private readonly api: Api,
    private readonly decisions: Counter,
    private readonly durations: Histogram,
  ) {
    this.tracer = api.trace.getTracer('nest-guardrails');
  }

  /** Runs a control in a span. */
  ofDecision<Result>(
    verb: string,
    control: ControlKey,
    attributes: Attributes,
    call: () => Promise<Result>,
    describe: (result: Result) => Described,
  ): Promise<Result> {
    const all = { 'guardrails.control': control, ...attributes };
    return this.tracer.startActiveSpan(`guardrails.${verb}`, { attributes: all }, async (span) => {
      const began = performance.now();
      let outcome = 'error';
      try {
        const result = await call();
        const described = describe(result);
        outcome = described.outcome;
        span.setAttributes({ 'guardrails.outcome': outcome, ...described.attributes });
        return result;
      } catch (error) {
        this.fail(span, error);
        throw error;
      } finally {
        this.count(control, outcome, (performance.now() - began) / 1000);
        span.end();
      }
    });
  }

  /** Runs an approved call in a span with a link to the one that requested it. Its decision was counted before. */
  readonly ofRun: Tracer['run'] = ({ id, tool, traceParent }, run) => {
    const attributes = {
      'guardrails.control': 'hitl',
      'guardrails.tool': tool,
      'guardrails.approval_id': id,
    };
    const options = { attributes, links: linksTo(traceParent) };
    return this.tracer.startActiveSpan('guardrails.run', options, async (span) => {
      try {
        const ending = await run();
        const outcome = statusOf(ending);
        span.setAttribute('guardrails.outcome', outcome);
        if (outcome !== 'executed') span.setStatus({ code: this.api.SpanStatusCode.ERROR });
        return ending;
      } catch (error) {
        this.fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  };

  /** The span of a stream, from its begin to its end. */
  ofStream(): (ending: StreamEnding) => void {
    const attributes = { 'guardrails.control': 'output_handler' };
    const span = this.tracer.startSpan('guardrails.sanitizeStream', { attributes });
    const began = performance.now();
    return (ending) => {
      if ('error' in ending) {
        this.fail(span, ending.error);
        this.count('output_handler', 'error', (performance.now() - began) / 1000);
      } else {
        const { outcome, mode, findings, alteration, durationUs } = ending;
        span.setAttributes({
          'guardrails.outcome': outcome,
          ...modeOf(mode),
          'guardrails.findings': findings.length,
          'guardrails.truncated': alteration === 'truncated',
        });
        this.count('output_handler', outcome, durationUs / 1e6);
      }
      span.end();
    };
  }

  /** The current span as a W3C `traceparent`; `null` without one. */
  traceParent(): string | null {
    const span = this.api.trace.getActiveSpan()?.spanContext();
    if (span === undefined || !this.api.isSpanContextValid(span)) return null;
    return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
  }

  /** Without the message of the error, which can contain texts. */
  private fail(span: Span, error: unknown) {
    const name = error instanceof Error ? error.name : typeof error;
    span.setStatus({ code: this.api.SpanStatusCode.ERROR }).setAttribute('error.type', name);
  }

  private count(control: ControlKey, outcome: string, seconds: number) {
    const labels = { 'guardrails.control': control, 'guardrails.outcome': outcome };
    this.decisions.add(1, labels);
    this.durations.record(seconds, labels);
  }
}

export function modeOf({ name }: ControlMode): Attributes {
  return { 'guardrails.mode': name };
}

function statusOf(ending: RunEnding) {
  return typeof ending === 'string' ? ending : ending.status;
}

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A link to the span of a `traceparent`; none where it has another form. */
function linksTo(traceParent: string | null): Link[] {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(traceParent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true } }];
}
