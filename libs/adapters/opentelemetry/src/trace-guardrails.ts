import type { ToolCallOutcome } from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import type { CallDecision } from '#engine/shared/tracing.js';
import { type Described, DecisionSpans, modeOf } from './decision-spans.js';
import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api';
import type { Figures } from '#engine/metrics/figures.js';

/**
 * Adds a span to each `screen`, `sanitize`, `sanitizeStructured`, guarded call, sanitized stream and approved run of these
 * guardrails, also where decorators and adapters make them, and metrics. The span of an approved run has a link to the
 * span in which the call was requested, also by another instance. Call it once, after your OpenTelemetry SDK was started.
 * Returns a function that removes spans and metrics.
 */
export async function traceGuardrails(guardrails: Guardrails): Promise<() => void> {
  const api = await load();
  const meter = api.metrics.getMeter('nest-guardrails');
  const histogram = (name: string, description: string) =>
    meter.createHistogram(name, { unit: 's', description });
  const spans = new DecisionSpans(
    api,
    meter.createCounter('guardrails.decisions', { description: 'Decisions by control.' }),
    histogram('guardrails.decision.duration', 'How long a control took; of a guarded call, with the tool.'),
  );
  const rules = histogram(
    'guardrails.rules.duration',
    'How long all rules together took for one text. They are matched in one pass.',
  );
  const screeners = histogram(
    'guardrails.screener.duration',
    'How long the classifier and each screener of the host took for one text.',
  );
  const removals = [
    traceVerbs(guardrails, spans),
    observeFigures(meter, guardrails.figures),
    guardrails.tracing.use({
      traceParent: () => spans.traceParent(),
      run: (approval, run) => spans.ofRun(approval, run),
      stream: () => spans.ofStream(),
      screened: ({ rulesUs, screeners: own }) => {
        if (rulesUs !== null) rules.record(rulesUs / 1e6);
        for (const { id, us } of own) screeners.record(us / 1e6, { 'guardrails.screener': id });
      },
    }),
  ];
  return () => {
    for (const remove of removals) remove();
  };
}

/** Replaces the methods of this object, so that calls of decorators and adapters are traced, too. */
function traceVerbs(guardrails: Guardrails, spans: DecisionSpans): () => void {
  const untraced = Object.getPrototypeOf(guardrails) as Guardrails;
  const traced: Partial<Guardrails> = {
    screen: (text, context) =>
      spans.ofDecision(
        'screen',
        'input_screen',
        {
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
      spans.ofDecision(
        'sanitize',
        'output_handler',
        {},
        () => untraced.sanitize.call(guardrails, text, context),
        sanitized,
      ),
    sanitizeStructured: (value, schema, context) =>
      spans.ofDecision(
        'sanitizeStructured',
        'output_handler',
        {},
        () => untraced.sanitizeStructured.call(guardrails, value, schema, context),
        sanitized,
      ),
    guardTool: (tool, context, options) => {
      const guarded = untraced.guardTool.call(guardrails, tool, context, options as never);
      return {
        ...guarded,
        execute: (args: unknown) =>
          spans.ofDecision(
            'guardTool',
            'tool_firewall',
            { 'guardrails.tool': tool.name },
            () => guarded.execute(args),
            (outcome) => called(outcome, guardrails.tracing.decisionOf(outcome)),
          ),
      } as never;
    },
  };
  Object.assign(guardrails, traced);
  return () => {
    for (const name of Object.keys(traced)) Reflect.deleteProperty(guardrails, name);
  };
}

type Sanitized = Awaited<ReturnType<Guardrails['sanitize' | 'sanitizeStructured']>>;

function sanitized({ outcome, mode, findings }: Sanitized): Described {
  return { outcome, attributes: { ...modeOf(mode), 'guardrails.findings': findings.length } };
}

function called(outcome: ToolCallOutcome, decision: CallDecision | null): Described {
  const { outcome: name, attributes } = ofStatus(outcome);
  if (decision === null) return { outcome: name, attributes };
  const { mode, ruleId } = decision;
  const rule = ruleId !== null && { 'guardrails.rule_id': ruleId };
  return { outcome: name, attributes: { ...attributes, ...modeOf(mode), ...rule } };
}

function ofStatus(outcome: ToolCallOutcome): Described {
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

/** Reports the figures of `<name>/metrics` whenever the SDK collects. Returns a function that ends it. */
function observeFigures(meter: Meter, figures: Figures): () => void {
  const approvals = meter.createObservableGauge('guardrails.approvals', {
    description: 'Approvals of all instances, by state.',
  });
  const oldest = meter.createObservableGauge('guardrails.approvals.oldest', {
    unit: 's',
    description: 'How long the oldest pending call has waited.',
  });
  const events = meter.createObservableGauge('guardrails.sink.events', {
    description: 'Events of all instances that a sink did not get.',
  });
  const lag = meter.createObservableGauge('guardrails.sink.lag', {
    unit: 's',
    description: 'How long the oldest waiting event of a sink has waited.',
  });
  const deliveries = meter.createObservableCounter('guardrails.sink.deliveries', {
    description: 'Deliveries of this instance since its start.',
  });
  const queued = meter.createObservableGauge('guardrails.records.queued', {
    description: 'Decisions of this instance that are not written yet.',
  });
  const lost = meter.createObservableCounter('guardrails.records.lost', {
    description: 'Decisions of this instance that were never written.',
  });

  const observeApprovals = async (result: BatchObservableResult) => {
    const { pending, executing, outcomeUnknown, oldestSeconds } = await figures.approvals();
    const states = { pending, executing, outcome_unknown: outcomeUnknown };
    for (const [state, count] of Object.entries(states))
      result.observe(approvals, count, { 'guardrails.state': state });
    result.observe(oldest, oldestSeconds);
  };
  const observeSinks = async (result: BatchObservableResult) => {
    for (const { name, waiting, dead, lagSeconds, delivered, failed } of await figures.sinks()) {
      const sink = { 'guardrails.sink': name };
      result.observe(events, waiting, { ...sink, 'guardrails.state': 'waiting' });
      result.observe(events, dead, { ...sink, 'guardrails.state': 'dead' });
      result.observe(lag, lagSeconds, sink);
      result.observe(deliveries, delivered, { ...sink, 'guardrails.result': 'delivered' });
      result.observe(deliveries, failed, { ...sink, 'guardrails.result': 'failed' });
    }
  };
  const observeRecording = (result: BatchObservableResult) => {
    result.observe(queued, figures.recording.queued);
    result.observe(lost, figures.recording.lost);
  };

  const observed: [(result: BatchObservableResult) => void | Promise<void>, Observable[]][] = [
    [observeApprovals, [approvals, oldest]],
    [observeSinks, [events, lag, deliveries]],
    [observeRecording, [queued, lost]],
  ];
  for (const [observe, instruments] of observed) meter.addBatchObservableCallback(observe, instruments);
  return () => {
    for (const [observe, instruments] of observed) meter.removeBatchObservableCallback(observe, instruments);
  };
}
